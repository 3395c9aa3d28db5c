"""Long texts where there is no room for them."""


def shortened(text: str, most: int) -> str:
    """`text`, with an ellipsis for its middle where it has more than `most` characters."""
    half = most // 2
    return text if len(text) <= most else f"{text[:half]}…{text[-half:]}"
