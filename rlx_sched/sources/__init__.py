"""The kinds of IR that carry a schedule, one module each."""
