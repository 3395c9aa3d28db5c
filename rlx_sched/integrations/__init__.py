"""Placeholder docstring: replaced by the first commit of this package."""
