"""Broken markup for hypothesis: what tags, text and odd characters make together in any order."""

from __future__ import annotations

from hypothesis import strategies as st

_TAGS = (
    "<div> </div> <p> <b> </b> <a|href=x> </a> <br> <table> <tr><td> </table> <script> </script> <li> <ul> </ul> <pre> "
    "</pre> <h2> </h2> <select><option> </select> <svg> <title> <p|hidden> <!-- --> <noscript> </noscript> <template> "
    "<nav> <form> <plaintext> <frameset> <div|class=comments> <math> <blockquote> </blockquote> <body|style=display:none>"
    " <html|lang=es>"
)
_TEXTS = [
    "uno ",
    "dos",
    " tres\n",
    "\0",
    "&amp;",
    "&nbsp;",
    "&#0;",
    "ñ",
    "日本",
    "<",
    "\ud800",
    "\x85",
    "&#x1d;",
    "|",
    "`",
    "# ",
]

PIECES = [tag.replace("|", " ") for tag in _TAGS.split()] + _TEXTS
"""Tags, texts and odd characters."""

soup = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
"""Documents that no author would sign."""
