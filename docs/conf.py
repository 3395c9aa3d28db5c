"""Configuration of Sphinx; `sphinx-build -W docs build/docs` builds the pages, without network."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

from rlx_sched import __version__

project = "rlx-sched"
copyright = "the rlx-sched authors"
release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "rlx_reference"]
exclude_patterns = ["_extensions"]
source_suffix = {".md": "markdown"}
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"rlx-sched {release}"
html_static_path = ["img"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
# Docstrings are written in Markdown's `code`, which a default role turns into the same.
default_role = "code"
