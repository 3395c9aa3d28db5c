"""Pass pipelines as text: `cse,occupancy-filter{target='Apple M4 Pro'}`, alone or in MLIR's `builtin.module(...)`.

The options of a pass are `key=value` with blanks between them; a value is a word, or stands in single or double quotes,
or in MLIR's braces; commas make a list. xDSL's own syntax is a part of this one, and so is what `mlir-opt` accepts for
a flat pipeline on a module.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from types import NoneType, UnionType
from typing import Any, Literal, NoReturn, TypeVar, Union, get_args, get_origin, get_type_hints

from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpecConvertible

from rlx_sched.spelling import did_you_mean
from rlx_sched.tools.errors import UsageError
from rlx_sched.tools.parser import BOOLEANS
from rlx_sched.tools.pass_text import default_of, format_value
from rlx_sched.tools.registry import find_pass

_Made = TypeVar("_Made", bound=ArgSpecConvertible)
Options = dict[str, tuple[str, ...]]
"""Options as they are written, without quotes."""

_NAME = re.compile(r"[\w.-]+", re.ASCII)
_WORD = re.compile(r"[^\s,{}'\"]+")
_QUOTED = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_BLANK = re.compile(r"\s*")
_MLIR_ARGUMENTS = re.compile(r"\[([^\]]*)\]")
_ANCHORS = ("builtin.module", "any")


def parse_pipeline(text: str) -> list[ModulePass]:
    """The passes that `text` names, with their options.

    Raises:
        UsageError: with the place in `text`, or naming the nearest pass or option that there is.
    """
    scanner = _Scanner(text)
    anchored = False
    start = scanner.position
    anchor = scanner.take(_NAME)
    scanner.skip_blank()
    if anchor is not None and scanner.accept("("):
        if anchor[0] not in _ANCHORS:
            scanner.fail(f"passes run on 'builtin.module', not on '{anchor[0]}'", start)
        anchored = True
    else:
        scanner.position = start
    passes: list[ModulePass] = []
    while not scanner.at_end() and not (anchored and scanner.at(")")):
        if passes and not scanner.accept(","):
            scanner.fail("expected ',' between passes")
        passes.append(_parse_pass(scanner))
    if anchored and not scanner.accept(")"):
        scanner.fail("expected ')'")
    if not scanner.at_end():
        scanner.fail("expected the end of the pipeline")
    return passes


def parse_options(text: str) -> Options:
    """The options in `text`, as they stand after the `=` of a pass flag.

    Raises:
        UsageError: with the place in `text`.
    """
    scanner = _Scanner(text)
    options = _parse_options(scanner)
    if not scanner.at_end():
        scanner.fail("expected an option")
    return options


def parse_target(text: str) -> tuple[str, Options]:
    """The name and the options in `name{options}`.

    Raises:
        UsageError: with the place in `text`.
    """
    scanner = _Scanner(text)
    name, options = _parse_entry(scanner)
    if not scanner.at_end():
        scanner.fail("expected the end")
    return name, options


def make_pass(name: str, options: Options) -> ModulePass:
    """The pass called `name` with `options`.

    Raises:
        UsageError: naming the nearest pass or option that there is, or what type the option takes.
    """
    return make(find_pass(name), options)


def make(kind: type[_Made], options: Options) -> _Made:
    """An instance of the pass or target `kind`.

    Raises:
        UsageError: naming the nearest option that there is, or what the option takes.
    """
    hints = get_type_hints(kind)
    fields = {field.name.replace("_", "-"): field for field in dataclasses.fields(kind) if field.init}
    arguments: dict[str, Any] = {}
    for written, values in options.items():
        name = written.replace("_", "-")
        if name not in fields:
            takes = "it takes " + ", ".join(sorted(fields)) if fields else "it takes none"
            raise UsageError(f"'{kind.name}' has no option '{written}'{did_you_mean(name, fields) or f'; {takes}'}")
        hint = hints[fields[name].name]
        try:
            arguments[fields[name].name] = _convert(values, hint)
        except ValueError:
            got = f"'{','.join(values)}'" if values else "no value"
            raise UsageError(f"the option '{written}' of '{kind.name}' takes {_describe(hint)}, got {got}") from None
    for name, field in fields.items():
        missing = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if missing and field.name not in arguments:
            if NoneType not in get_args(hints[field.name]):
                raise UsageError(f"'{kind.name}' needs the option '{name}', {_describe(hints[field.name])}")
            arguments[field.name] = None
    try:
        return kind(**arguments)
    except ValueError as error:
        raise UsageError(str(error)) from None


def format_pipeline(passes: Iterable[ModulePass]) -> str:
    """The pipeline in a form that both `parse_pipeline` and, for passes that it has, `mlir-opt` read."""
    return f"builtin.module({','.join(format_pass(one) for one in passes)})"


def format_pass(one: ModulePass) -> str:
    """The pass with those options that are not at their default."""
    options = [f"{name}={value}" for name, value, default in describe_options(one) if value != default]
    return f"{one.name}{{{' '.join(options)}}}" if options else one.name


def describe_options(one: ModulePass | type[ModulePass]) -> list[tuple[str, str | None, str | None]]:
    """Name, value and default of each option, as they would be written; None for one that has no value."""
    described: list[tuple[str, str | None, str | None]] = []
    for field in dataclasses.fields(one):
        if not field.init:
            continue
        default = default_of(field)
        value = default if isinstance(one, type) else getattr(one, field.name)
        described.append((field.name.replace("_", "-"), format_value(value), format_value(default)))
    return described


class _Scanner:
    """A position in a text."""

    def __init__(self, text: str):
        self.text = text
        self.position = 0
        self.skip_blank()

    def skip_blank(self) -> bool:
        """Step over blanks; whether there were any."""
        start = self.position
        match = _BLANK.match(self.text, start)
        self.position = match.end() if match else start
        return self.position > start

    def at_end(self) -> bool:
        return self.position == len(self.text)

    def at(self, punctuation: str) -> bool:
        return self.text.startswith(punctuation, self.position)

    def accept(self, punctuation: str) -> bool:
        """Step over `punctuation` and blanks after it, if it is there."""
        if not self.at(punctuation):
            return False
        self.position += len(punctuation)
        self.skip_blank()
        return True

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Step over what matches `pattern`, if it does."""
        match = pattern.match(self.text, self.position)
        if match is not None:
            self.position = match.end()
        return match

    def fail(self, message: str, position: int | None = None) -> NoReturn:
        position = self.position if position is None else position
        raise UsageError(f"{message}\n  {self.text}\n  {' ' * position}^")


def _parse_pass(scanner: _Scanner) -> ModulePass:
    start = scanner.position
    name, options = _parse_entry(scanner)
    if name in _ANCHORS or scanner.at("("):
        scanner.fail(f"'{name}' cannot be nested: passes run on the whole module", start)
    return make_pass(name, options)


def _parse_entry(scanner: _Scanner) -> tuple[str, Options]:
    """A name with options in braces, or xDSL's `mlir-opt[passes]`."""
    match = scanner.take(_NAME)
    if match is None:
        scanner.fail("expected the name of a pass")
    name = match[0]
    scanner.skip_blank()
    options: Options = {}
    if scanner.accept("{"):
        options = _parse_options(scanner)
        if not scanner.accept("}"):
            scanner.fail("expected an option or '}'")
    elif name == "mlir-opt" and (inner := scanner.take(_MLIR_ARGUMENTS)):
        pipeline = f"builtin.module({inner[1]})"
        options["arguments"] = ("--mlir-print-op-generic", "--allow-unregistered-dialect", "-p", pipeline)
        scanner.skip_blank()
    return name, options


def _parse_options(scanner: _Scanner) -> Options:
    options: Options = {}
    while (match := scanner.take(_NAME)) is not None:
        if match[0] in options:
            scanner.fail(f"the option '{match[0]}' is given twice", match.start())
        options[match[0]] = _parse_values(scanner) if scanner.accept("=") else ()
        if not scanner.skip_blank() and not scanner.at_end() and not scanner.at("}"):
            scanner.fail("expected a blank between options")
    return options


def _parse_values(scanner: _Scanner) -> tuple[str, ...]:
    depth = 0
    while scanner.accept("{"):
        depth += 1
    values = () if depth and scanner.at("}") else _parse_list(scanner)
    for _ in range(depth):
        scanner.skip_blank()
        if not scanner.at("}"):
            scanner.fail("expected '}'")
        scanner.position += 1
    return values


def _parse_list(scanner: _Scanner) -> tuple[str, ...]:
    """Values with commas between them."""
    values: tuple[str, ...] = ()
    while True:
        if match := scanner.take(_QUOTED):
            values += (_ESCAPE.sub(r"\1", match[1] if match[1] is not None else match[2]),)
        elif match := scanner.take(_WORD):
            values += (match[0],)
        else:
            scanner.fail("expected a value; one with blanks or punctuation needs quotes")
        if not scanner.at(","):
            return values
        scanner.position += 1


def _convert(values: tuple[str, ...], hint: Any) -> Any:
    """The value of type `hint` that `values` spell.

    Raises:
        ValueError: if they spell none.
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        for alternative in arguments:
            try:
                return _convert(values, alternative)
            except ValueError:
                continue
        raise ValueError(values)
    if origin is tuple:
        return tuple(_convert((value,), arguments[0]) for value in values)
    if hint is bool and not values:
        return True
    if len(values) != 1:
        raise ValueError(values)
    value = values[0]
    if hint is bool and value in BOOLEANS:
        return BOOLEANS[value]
    if hint in (int, float, str):
        return hint(value)
    if origin is Literal and value in arguments:
        return value
    raise ValueError(values)


def _describe(hint: Any) -> str:
    """What the type `hint` takes, for people."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return " or ".join(_describe(argument) for argument in arguments if argument is not NoneType)
    if origin is tuple:
        return f"a list, each {_describe(arguments[0])}"
    if origin is Literal:
        return " or ".join(f"'{argument}'" for argument in arguments)
    return {bool: "true or false", int: "an integer", float: "a number", str: "one text"}.get(hint, str(hint))
