"""What was probably meant by a name that does not exist."""

from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of a sentence that names what of `known` is nearest to `name`; empty where nothing is near."""
    from difflib import get_close_matches

    near = get_close_matches(name, known, n=1)
    return f"; did you mean '{near[0]}'?" if near else ""
