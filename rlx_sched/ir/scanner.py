"""Where an attribute or a type ends, without understanding it.

MLIR lets every dialect have its own syntax inside brackets, as long as those balance. That is enough to find the end of
any attribute, so text that nobody here can parse can still be carried.
"""

import re

OPENING = {"<": ">", "(": ")", "[": "]", "{": "}"}
CLOSING = frozenset(OPENING.values())

MAX_NESTING = 128
"""Deepest nesting of brackets in an attribute or type; Python's own stack does for about twice that."""

MOST_DIMENSIONS = 1000
"""Most dimensions of a shape: xDSL reads the rest of a shape anew for each of them."""

COMMENT = r"//[^\n\r]*+"
"""A comment, as a pattern to be part of others. As in MLIR's lexer, a carriage return of its own ends it too."""

BLANK = re.compile(rf"(?:\s++|{COMMENT})*+", re.ASCII)
"""White space and comments.

Here and below repetitions are possessive: Python's `re` keeps some 150 bytes for every round that it might take back.
"""

STRING = re.compile(r'"(?:[^"\\\n]++|\\.)*+"')
"""A string literal. MLIR's end on their line."""

NUMBER = re.compile(rf"(?:-{BLANK.pattern})?(?:0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]*(?:[eE][+-]?[0-9]+)?)?)", re.ASCII)
"""An integer or a float, in the spellings that MLIR's lexer knows."""

IDENTIFIER = re.compile(r"[A-Za-z_][\w$.]*", re.ASCII)
EXTENDED = re.compile(r"[#!](?:[0-9]+|[A-Za-z$._-][\w$.-]*)", re.ASCII)
"""`#alias`, `#dialect.attribute`, `!dialect.type`, or the `#dialect` of `#dialect<...>`."""

DEFINITION = re.compile(rf"(?<![^\n\r])[ \t]*({EXTENDED.pattern})[ \t]*=", re.ASCII)
"""What looks like the start of the definition of an alias; it is one outside of brackets (`definitions`)."""

SYMBOL = re.compile(r'@(?:[A-Za-z_][\w$.]*|"(?:[^"\\\n]++|\\.)*+")', re.ASCII)

METADATA = re.compile(rf'{{-#(?:[^"#/]++|{STRING.pattern}|{COMMENT}|/(?!/)|#(?!-\}}))*+#-\}}')
"""A section `{-# ... #-}` of resources."""

_MAX_REGIONS = 1000
"""Deepest nesting of brackets around operations: more than Python's own stack does for."""

_LONG_SHAPE = re.compile(rf"<(?:[0-9?]++x){{{MOST_DIMENSIONS + 1}}}")
_COMMENT_OR_OPAQUE = re.compile(rf"{STRING.pattern}|{COMMENT}|{EXTENDED.pattern}<", re.ASCII)
_INTERESTING = re.compile(r'"|->|<=|[<>()\[\]{}]|//')


class ScanError(Exception):
    """Text that no attribute or type looks like; `position` is where in the text it goes wrong."""

    def __init__(self, message: str, position: int):
        super().__init__(message)
        self.message = message
        self.position = position


def skip_blank(text: str, position: int) -> int:
    """The position of the next character that is neither white space nor comment."""
    match = BLANK.match(text, position)
    return position if match is None else match.end()


def group_end(text: str, position: int, most_nested: int = MAX_NESTING) -> int:
    """The end of the bracketed group that opens at `position`.

    `->` is an arrow, and `<=` and a `>` that closes nothing are comparisons: `affine_set<(d0) : (d0 >= 0)>`. Brackets
    in comments do not count; but as in MLIR, `//` is text in attributes and types of other dialects: `#a.url<http://b>`.
    """
    stack: list[str] = []
    opened: list[int] = []
    opaque: dict[int, bool] = {}
    start = position
    while (found := _INTERESTING.search(text, position)) is not None:
        token = found.group()
        position = found.end()
        if token in OPENING:
            stack.append(OPENING[token])
            opened.append(position - 1)
            if len(stack) > most_nested:
                raise ScanError(f"expected at most {most_nested} nested brackets", position - 1)
        elif token == stack[-1]:
            stack.pop()
            opened.pop()
            if not stack:
                return position
        elif token == "//":
            for place in opened:
                if place not in opaque:
                    opaque[place] = is_opaque(text, place)
            if not any(map(opaque.__getitem__, opened)):
                position = skip_blank(text, position - 2)
        elif token == '"':
            if (literal := STRING.match(text, position - 1)) is None:
                raise ScanError("expected a closing '\"' on the same line", position - 1)
            position = literal.end()
        elif token == "<=":
            before = position - 3
            while text[before].isspace():
                before -= 1
            if text[before] not in ")]" and stack[-1] != ")":
                stack.append(">")
                opened.append(position - 2)
        elif token in CLOSING and not (token == ">" and stack[-1] == ")"):
            raise ScanError(f"expected '{stack[-1]}', found '{token}'", position - 1)
    raise ScanError(f"expected a '{OPENING[text[start]]}' that closes this '{text[start]}'", start)


def is_opaque(text: str, position: int) -> bool:
    """Whether the bracket at `position` holds what another dialect makes of it: `#other.name<` or `!other.name<`."""
    start = position
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_$.-"):
        start -= 1
    return text[start - 1 : start] in ("#", "!") and not text.startswith(("sched.", "sched<"), start)


def without_comments(text: str) -> str:
    """The attribute or type `text` with its comments blanked out, so that everything else stays where it is."""
    if "//" not in text:
        return text
    pieces: list[str] = []
    done = position = 0
    while (found := _COMMENT_OR_OPAQUE.search(text, position)) is not None:
        position = found.end()
        if text.startswith("//", found.start()):
            pieces += text[done : found.start()], " " * (position - found.start())
            done = position
        elif text[position - 1] == "<" and is_opaque(text, position - 1):
            position = group_end(text, position - 1)
    return "".join((*pieces, text[done:]))


def check_shape(text: str, position: int) -> int:
    """Refuse a shape of too many dimensions in the brackets that open at `position`, which is returned."""
    if _LONG_SHAPE.match(text, position) is not None:
        raise ScanError(f"expected at most {MOST_DIMENSIONS} dimensions", position + 1)
    return position


def check_shapes(text: str) -> None:
    """Refuse a shape of too many dimensions in `text`; but strings, and what other dialects make of it, may be long."""
    if len(text) > 2 * MOST_DIMENSIONS and text[0] not in '"#!' and (found := _LONG_SHAPE.search(text)) is not None:
        check_shape(text, found.start())


def type_end(text: str, position: int) -> int:
    """The end of the type at `position`."""
    if text.startswith("(", position):
        position = skip_blank(text, group_end(text, position))
        if not text.startswith("->", position):
            raise ScanError("expected '->' of a function type", position)
        position = skip_blank(text, position + 2)
        return group_end(text, position) if text.startswith("(", position) else type_end(text, position)
    match = EXTENDED.match(text, position) or IDENTIFIER.match(text, position)
    if match is None or match.group()[0] == "#":
        raise ScanError("type expected", position)
    return _optional_group_end(text, match.end(), "<")


def value_end(text: str, position: int) -> int:
    """The end of the attribute or type at `position`, with the `: type` that may follow an attribute."""
    first = text[position : position + 1]
    if first in ("[", "{"):
        return group_end(text, position)
    if first in ("(", "!"):
        return type_end(text, position)
    if first == "@":
        return _symbol_end(text, position)
    match = STRING.match(text, position) or NUMBER.match(text, position)
    if match is not None:
        end = match.end()
    elif (match := EXTENDED.match(text, position)) is not None:
        end = _optional_group_end(text, match.end(), "<")
    elif (match := IDENTIFIER.match(text, position)) is not None:
        end = match.end()
        if match.group() in ("loc", "distinct"):
            end = _optional_group_end(text, end, "([")
        end = _optional_group_end(text, end, "<")
    else:
        raise ScanError("attribute expected", position)
    colon = skip_blank(text, end)
    if text.startswith(":", colon) and not text.startswith("::", colon):
        return type_end(text, skip_blank(text, colon + 1))
    return end


def _optional_group_end(text: str, position: int, opening: str) -> int:
    """The end of the group that opens with one of `opening` after blanks, else `position`."""
    start = skip_blank(text, position)
    return group_end(text, start) if start < len(text) and text[start] in opening else position


def _symbol_end(text: str, position: int) -> int:
    """The end of `@a::@b`."""
    end = position
    while (match := SYMBOL.match(text, position)) is not None:
        end = match.end()
        position = skip_blank(text, end)
        if not text.startswith("::", position):
            return end
        position = skip_blank(text, position + 2)
    raise ScanError("symbol name expected", position)


def split_group(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The spans of the comma-separated values between the brackets of the group `text[start:end]`."""
    spans: list[tuple[int, int]] = []
    position = skip_blank(text, start + 1)
    if position == end - 1:
        return spans
    while True:
        stop = value_end(text, position)
        spans.append((position, stop))
        position = skip_blank(text, stop)
        if position == end - 1:
            return spans
        if not text.startswith(",", position):
            raise ScanError(f"expected ',' or '{text[end - 1]}', found '{text[position]}'", position)
        position = skip_blank(text, position + 1)


def definitions(text: str) -> list[re.Match[str]]:
    """The starts of all definitions of aliases in `text`, which is that of a file.

    They stand before all operations and after them, so that the text of the operations is seldom looked at.
    """
    found = list(DEFINITION.finditer(text))
    last, following = len(found), len(text)
    while last > 0 and _after_definition(text, found[last - 1]) == following:
        last -= 1
        following = found[last].start(1)
    result: list[re.Match[str]] = []
    position = 0
    for index, definition in enumerate(found[:last]):
        try:
            position = _outside_of_brackets(text, position, definition.start(1))
        except ScanError:
            # Whoever reads the operations says what is wrong with them, if anything is.
            return [*result, *found[index:]]
        if position == definition.start(1):
            result.append(definition)
            position = max(_after_definition(text, definition), definition.end())
    return [*result, *found[last:]]


def _after_definition(text: str, definition: re.Match[str]) -> int:
    """What follows a definition, if it is one; else -1."""
    try:
        return _skip_metadata(text, value_end(text, skip_blank(text, definition.end())))
    except ScanError:
        return -1


def _skip_metadata(text: str, position: int) -> int:
    """The next position at which there is neither a blank nor a section of resources."""
    position = skip_blank(text, position)
    while (section := METADATA.match(text, position)) is not None:
        position = skip_blank(text, section.end())
    return position


def _outside_of_brackets(text: str, position: int, goal: int) -> int:
    """The first position from `goal` on that is in none of the brackets that open after `position`."""
    while position < goal and (found := _INTERESTING.search(text, position, goal)) is not None:
        position = found.start()
        token = found.group()
        if token == "//":
            position = skip_blank(text, position)
        elif token == '"' and (literal := STRING.match(text, position)) is not None:
            position = literal.end()
        elif token in OPENING:
            position = group_end(text, position, _MAX_REGIONS)
        else:
            position = found.end()
    return max(position, goal)
