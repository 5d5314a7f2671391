"""Sphinx: what the docs are made of. Nothing is fetched from the network; the reference is written from the code first."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "src")]

import generate  # noqa: E402 - the path comes first

from trasmallo import __version__  # noqa: E402

generate.generate(HERE / "reference")

project = "trasmallo"
version = release = __version__
copyright = "the authors of trasmallo, Apache-2.0"
language = "en"

extensions = ["myst_parser"]
exclude_patterns = ["_build"]
myst_heading_anchors = 3
pygments_style = "default"

html_theme = "furo"
html_title = f"trasmallo {version}"
html_show_sphinx = False
html_copy_source = False
