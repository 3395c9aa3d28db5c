"""`--verify-diagnostics`: comments in the file say which diagnostics there have to be, as in MLIR's own tests.

`// expected-error @+1 {{text}}` expects an error on the next line whose message contains `text`. The kinds are `error`,
`warning`, `remark` and `note`; `-re` after them lets `{{...}}` inside the text be regular expressions; the line is
`@+N`, `@-N`, `@above`, `@below` (the nearest line that has no such comment) or, for what has no place, `@unknown`.
Remarks may be expected whether or not they are shown; one that is not expected is wrong only with `--show-remarks`.
"""

from __future__ import annotations

import re
import warnings
from collections import defaultdict
from dataclasses import dataclass
from typing import TextIO

from rlx_sched.diagnostics import Severity
from rlx_sched.ir.source_map import Place, SourceMap
from rlx_sched.tools.render import Message
from rlx_sched.tools.reporter import Reporter

_EXPECTATION = re.compile(
    r"expected-(?P<kind>error|note|remark|warning)(?P<regex>-re)? *+"
    r"(?:@(?P<line>[+-][0-9]+|above|below|unknown))? *+\{\{(?P<text>.*)\}\}$"
)
_MOST_DIGITS = 18
"""The most characters of the number of a line: no file has more, and Python refuses to read those of thousands."""

_REGEX_BLOCK = re.compile(r"\{\{(.*?)\}\}")


@dataclass
class _Expectation:
    severity: Severity
    text: str
    pattern: re.Pattern[str] | None
    """What a message has to match, where it is not to have `text` in it."""
    line: int | None
    offset: int
    met: bool = False


class _Expected:
    """The expectations for one line, of which there may be as many as messages: not each is held against each."""

    def __init__(self) -> None:
        self._patterns: list[_Expectation] = []
        self._texts: defaultdict[int, dict[str, dict[Severity, list[_Expectation]]]] = defaultdict(dict)
        """By length, text and severity the first and the last."""

    def add(self, expectation: _Expectation) -> None:
        """Add one that comes after all others."""
        if expectation.pattern is not None:
            self._patterns.append(expectation)
        else:
            alike = self._texts[len(expectation.text)].setdefault(expectation.text, {})
            alike.setdefault(expectation.severity, [])[1:] = [expectation]

    def met_by(self, message: str) -> list[_Expectation]:
        """Those that `message` meets but for its severity, in order; of many that are alike the first and the last."""
        found = [one for one in self._patterns if one.pattern is not None and one.pattern.search(message)]
        for length, texts in self._texts.items():
            starts = range(len(message) - length + 1)
            if len(texts) <= len(starts):
                there = [text for text in texts if text in message]
            else:
                there = texts.keys() & {message[start : start + length] for start in starts}
            found += (one for text in there for alike in texts[text].values() for one in alike)
        return sorted(found, key=lambda one: one.offset)


class VerifyingReporter(Reporter):
    """Shows nothing but the differences between the diagnostics that there are and those that are expected."""

    def __init__(self, source: SourceMap, stderr: TextIO, *, show_remarks: bool, keep_remarks: bool, color: bool):
        super().__init__(source, stderr, show_remarks=show_remarks, keep_remarks=keep_remarks, color=color)
        self.wants_remarks = True
        self._as_expected = True
        self._expectations = self._find_expectations()
        self._by_line: defaultdict[int | None, _Expected] = defaultdict(_Expected)
        for expectation in self._expectations:
            self._by_line[expectation.line].add(expectation)

    def report(self, message: Message) -> None:
        """Look for an expectation that `message` meets."""
        self.errors += message.severity is Severity.ERROR
        near = None
        for expectation in self._expected_at(message.place).met_by(message.text):
            if expectation.severity is message.severity:
                expectation.met = True
                return
            near = expectation
        if message.severity is Severity.REMARK and not self.show_remarks:
            return
        if near is None:
            text = f"unexpected {message.severity}: {message.text}"
            self._differ(Message(Severity.ERROR, text, message.place, message.width))
        else:
            text = f"'{message.severity}' diagnostic emitted when expecting a '{near.severity}'"
            self._differ_at(near.offset, text)

    def finish(self) -> bool:
        """Report what is missing; whether everything was as expected."""
        for expectation in self._expectations:
            if not expectation.met:
                text = f'expected {expectation.severity} "{expectation.text}" was not produced'
                self._differ_at(expectation.offset, text)
        return self._as_expected

    def _expected_at(self, place: Place | None) -> _Expected:
        """What is expected there; nothing in other files, which an operation's `loc(...)` may name."""
        if place is not None and place.file != self.source.name:
            return _Expected()
        return self._by_line[None if place is None else place.line]

    def _differ(self, message: Message) -> None:
        self._as_expected = False
        self.show(message)

    def _differ_at(self, offset: int, text: str) -> None:
        self._differ(Message(Severity.ERROR, text, self.source.at(offset)))

    def _find_expectations(self) -> list[_Expectation]:
        found: list[_Expectation] = []
        last_other_line = self.source.line_offset + 1
        for_next_line: list[_Expectation] = []
        next_start = 0
        for number, line in enumerate(self.source.text.split("\n"), self.source.line_offset + 1):
            start, next_start = next_start, next_start + len(line) + 1
            # Where no text of an expectation ends, the pattern would look for its end from each of their starts.
            match = _EXPECTATION.search(line.rstrip()) if line.rstrip().endswith("}}") else None
            if match is None:
                for expectation in for_next_line:
                    expectation.line = number
                for_next_line.clear()
                last_other_line = number
            elif len(match["line"] or "") > _MOST_DIGITS:
                text = f"expected a line, found a number of {len(match['line']) - 1} digits"
                self._differ_at(start + match.start(), text)
            else:
                pattern = None
                if match["regex"] is not None and (pattern := self._pattern(match, start)) is None:
                    continue
                where = match["line"] or "+0"
                offset = start + match.start()
                expectation = _Expectation(Severity(match["kind"]), match["text"], pattern, number, offset)
                if where == "above":
                    expectation.line = last_other_line
                elif where == "below":
                    for_next_line.append(expectation)
                else:
                    expectation.line = None if where == "unknown" else number + int(where)
                found.append(expectation)
        return found

    def _pattern(self, match: re.Match[str], start: int) -> re.Pattern[str] | None:
        """What the text of an expectation with `-re` means; None, after an error, if it is no regular expression."""
        text = match["text"]
        if text.rfind("{{") > text.rfind("}}"):
            self._differ_at(start + match.start(), "found start of regex with no end '}}'")
            return None
        pieces = enumerate(_REGEX_BLOCK.split(text))
        source = "".join(f"({piece})" if index % 2 else re.escape(piece) for index, piece in pieces)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return re.compile(source)
        except RecursionError:
            why = "nested too deeply"
        except (re.error, OverflowError, ValueError) as error:
            # The last two are about numbers of repetitions.
            why = str(error)
        self._differ_at(start + match.start(), f"invalid regex: {why}")
        return None
