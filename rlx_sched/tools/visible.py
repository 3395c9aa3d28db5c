"""Text of others as it may be shown on a terminal.

Imports nothing, so that the message about a run that is out of memory needs no more of it.
"""

SHOWN_OF_MESSAGE = 2000
"""The most characters of a line of a message that are shown: a name in it may have a megabyte."""


def visible(text: str) -> str:
    """`text` with everything that would not show, or would reorder the line, as `<U+202E>`."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else f"<U+{ord(c):04X}>" for c in text)


def visible_line(text: str) -> str:
    """`text` as `visible` shows it, without its middle where it is a very long one."""
    half = SHOWN_OF_MESSAGE // 2
    return visible(text if len(text) <= SHOWN_OF_MESSAGE else f"{text[:half]} ... {text[-half:]}")
