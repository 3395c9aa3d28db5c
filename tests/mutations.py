"""Texts that nobody would write: what tests make of the project's own files to see how they are taken."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random

from support import ROOT

from rlx_sched.ir.scanner import group_end

LARGEST = 20_000
"""Characters of the largest file to start from: beyond, every run takes long and finds nothing else."""

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|[\w$.@#%!^]+|\s+|.', re.DOTALL)

_UNIT = re.compile(
    r"""(?:(?<![^\n\r])[ \t]*[\#!][\w$.-]+[ \t]*=)          # of the definition of an alias, which starts its line
      | (?:(?:[*?\[\]0-9]+x)+!|[\#!])[\w$.-]+(?P<opaque><)?   # what other dialects make of it is theirs
      | @?"(?:[^"\\\n]|\\.)*"
      | [0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?
      | (?:[*?\[\]0-9]+x)*[\w$.@%^][\w$.@%^\#-]*
      | ->|::|[<>=]=|\{-\#(?:[^\#]|\#(?!-))*\#-\}
      | .""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
"""What may have blanks and comments before it and after it; a comment in itself is none of these."""

BLANKS = (
    *(" ", "\t", "\n", "\r", "\r\n", "\n\n  ", "//\n", "//\r", "//\r\n", "// a comment\n", "// a comment\r"),
    *(
        '// "\r',
        "// } ] ) > #-}\n",
        "// { [ ( < {-#\r",
        "// #undefined !undefined %x\n",
        "// #a #l !t\r",
        "// fused<loc(\r",
    ),
    *("/////\r", "// \\\n", "// ->\r \t// <=\n", "// #other.name<\r", "// #a = 2\n", "//\t#b = 3 : i32\r"),
)
"""White space and comments, in all the ways in which a comment ends and with all that means something elsewhere."""

ODD_TOKENS = (
    *("\f", "\v", "\xa0", "\x1c", "\x85", "\u2028", "\r", "\x00", "\ufeff", "\u202e", "\u2066", "\U0001f600", "\ud800"),
    *("//", "// -----\n", "//c\n", "{-#", "#-}", "loc(unknown)", 'loc("a":1:2)', "loc(#a)", "attributes {a = 1}"),
    *(
        "0",
        "-1",
        "0x10",
        "1.5",
        "1e5",
        "0xFFFFFFFF",
        "true",
        "dense<1>",
        "dense<",
        "unit",
        "9" * 30,
        "-9223372036854775809",
    ),
    *('""', '"\\41"', '"\\', '"', '@""', '@"a b"', "@a::@b", "#a", "#m\n", "!t", "#a = 1 : i32\n", "!t = i1\n"),
    *(
        "%0",
        "%0 = ",
        "%1:2 = ",
        "^bb0:\n",
        "^body(%a: i32):\n",
        "()",
        ": () -> ()",
        "}) : () -> ()\n",
        "({",
        "<{",
        "}>",
    ),
    *(
        "stages",
        "rotating",
        "slots(stages - 1)",
        "dynamic",
        "alignment 64",
        "footprint <1 -> 2>",
        "verdict <slower 0.5>",
    ),
    *("sched.phase {\n", "sched.buffer @k : i1", "sched.kernel @k {}\n", "sched.candidates @c {", "builtin.module {"),
    *(
        "memref<?xf32>",
        "memref<4xf80>",
        "memref<4294967296x4294967296x4294967296xf32>",
        "vector<3xf32>",
        "i1",
        "i16777216",
    ),
    *(
        'sym_name = "z",',
        "rlx_sched_placeholder",
        "op_name__",
        "1 : i32",
        '#sched.target<"a">',
        "#gpu.address_space<workgroup>",
    ),
)
"""What stands in the texts of tests seldom or never, and means something somewhere."""


@cache
def corpus() -> tuple[str, ...]:
    """Every text of the project's examples and tests, as far as it is not large; the parts of split files each."""
    folders = (ROOT / "examples", ROOT / "tests" / "filecheck", ROOT / "tests" / "corpus")
    files = sorted(file for folder in folders for file in folder.rglob("*.mlir") if "Output" not in file.parts)
    parts = (part for file in files for part in file.read_text("utf-8").split("// -----\n"))
    return tuple(dict.fromkeys(part for part in parts if part.strip() and len(part) <= LARGEST))


def truncations(text: str) -> Iterator[bytes]:
    """The text cut off after each of its bytes."""
    data = text.encode()
    return (data[:end] for end in range(len(data)))


def mutated(text: str, random: Random, others: Sequence[str] = ()) -> str:
    """`text` with one to three changes of its tokens: odd ones and such of `others` put in, others cut or moved."""
    tokens = _TOKEN.findall(text)
    odd = [*ODD_TOKENS, *(_TOKEN.findall(random.choice(others)) if others else ())]
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if tokens:
            random.choice(_CHANGES)(tokens, random.randrange(len(tokens)), random, odd)
    return "".join(tokens)


def spaced(text: str, random: Random) -> str:
    """`text`, which has no comments, with white space and comments anywhere between its tokens: to MLIR it is the same.

    Aliases are still defined at the start of a line, which our own reader wants.
    """
    pieces: list[str] = []
    position = 0
    while (unit := _UNIT.match(text, position)) is not None:
        position = unit.end() if unit["opaque"] is None else group_end(text, unit.end() - 1)
        token = text[unit.start() : position]
        if token.isspace():
            pieces.append(token if "\n" in token else random.choice(BLANKS))
            continue
        if random.random() < 0.3 and not token.endswith("="):
            pieces.append(random.choice(BLANKS))
        pieces.append(token)
        if random.random() < 0.3:
            pieces.append(random.choice(BLANKS))
    return "".join(pieces)


def _replace(tokens: list[str], index: int, random: Random, odd: Sequence[str]) -> None:
    tokens[index] = random.choice(odd)


def _space(tokens: list[str], index: int, random: Random, odd: Sequence[str]) -> None:
    for place in range(index, len(tokens), random.choice((1, 2, 3, 50))):
        tokens[place] = random.choice(BLANKS) + tokens[place]


def _insert(tokens: list[str], index: int, random: Random, odd: Sequence[str]) -> None:
    tokens.insert(index, random.choice(odd))


def _delete(tokens: list[str], index: int, random: Random, odd: Sequence[str]) -> None:
    del tokens[index : index + random.choice((1, 1, 2, 8))]


def _swap(tokens: list[str], index: int, random: Random, odd: Sequence[str]) -> None:
    other = random.randrange(len(tokens))
    tokens[index], tokens[other] = tokens[other], tokens[index]


def _cut(tokens: list[str], index: int, random: Random, odd: Sequence[str]) -> None:
    del tokens[index:]


def _repeat(tokens: list[str], index: int, random: Random, odd: Sequence[str]) -> None:
    tokens[index:index] = tokens[index : index + random.choice((1, 4, 16, 64))]


def _break(tokens: list[str], index: int, random: Random, odd: Sequence[str]) -> None:
    token = tokens[index]
    at = random.randrange(len(token) + 1)
    tokens[index] = token[:at] + random.choice((*odd, *"<>(){}[]:,-=#!%@^")) + token[at:]


_CHANGES: tuple[Callable[[list[str], int, Random, Sequence[str]], None], ...] = (
    _replace,
    _insert,
    _space,
    _delete,
    _swap,
    _cut,
    _repeat,
    _break,
)


def broken_bytes(text: str, random: Random) -> bytes:
    """The bytes of `text`, some of them replaced by any others."""
    data = bytearray(text.encode("utf-8", "replace"))
    for _ in range(random.choice((1, 2, 8))):
        data[random.randrange(len(data))] = random.randrange(256)
    return bytes(data)
