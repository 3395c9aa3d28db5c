"""Optimization remarks as the YAML that LLVM's tools read (`llvm-remarkutil`, `opt-viewer`).

The format is the one of LLVM's "Remarks" documentation: one document a remark, tagged with its kind.
"""

from __future__ import annotations

from rlx_sched.diagnostics import Remark
from rlx_sched.ir.source_map import Place

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def format_remark(remark: Remark, place: Place | None) -> str:
    """The YAML document for `remark`, which is about `place`."""
    lines = [f"--- !{remark.kind}", f"Pass: {_quoted(remark.pass_name)}", f"Name: {_quoted(remark.name)}"]
    if place is not None:
        lines.append(f"DebugLoc: {{ File: {_quoted(place.file)}, Line: {place.line}, Column: {place.column} }}")
    lines += [f"Function: {_quoted(remark.function)}", "Args:", f"  - String: {_quoted(remark.message)}"]
    lines += [f"  - {key}: {_quoted(str(value))}" for key, value in remark.arguments]
    return "\n".join([*lines, "...", ""])


def findings(remark: Remark) -> frozenset[str]:
    """What `--fail-on` can find in `remark`: its verdict, and `illegal` if the footprint is surely over the limit."""
    facts = dict(remark.arguments)
    found = {str(facts["Verdict"])} if "Verdict" in facts else set[str]()
    if "OverLimit" in facts:
        found.add("illegal")
    return frozenset(found)


def _quoted(text: str) -> str:
    """A YAML scalar; single quotes as LLVM writes them where they can hold the text, else double quotes."""
    if text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(_ESCAPES.get(c) or (c if c.isprintable() else _escape(c)) for c in text) + '"'


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"
