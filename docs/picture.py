"""Draws the tutorial's picture: runs the demo in a terminal of its own and turns what stands there at the end into an SVG.

    python docs/picture.py

The picture asks for no font or other file, and holds nothing of the machine: the demo runs in a temporary folder, by relative
names.
"""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

HERE = Path(__file__).resolve().parent
PICTURE = HERE / "images" / "demo.svg"
COLUMNS = 88
ROWS = 36
"""Lines shown; the list of words goes on below."""

THEME = TerminalTheme(
    (18, 28, 38),
    (214, 222, 230),
    [
        (18, 28, 38),
        (224, 108, 117),
        (125, 200, 130),
        (229, 192, 123),
        (97, 175, 239),
        (198, 120, 221),
        (86, 182, 194),
        (214, 222, 230),
    ],
)

SHAPE = """<svg viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img">
<title>Output of trasmallo demo</title>
<style>
.{unique_id}-matrix {{ font-family: monospace; font-size: {char_height}px; line-height: {line_height}px; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g></g></svg>
"""


def main() -> None:
    """Write the picture."""
    screen = settle(record(["demo", "--into", "demo"])).splitlines()
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text("$ trasmallo demo", style="bold"))
    console.print(Text.from_ansi("\n".join(screen[: ROWS - 2])))
    console.print(Text("…"))
    PICTURE.parent.mkdir(exist_ok=True)
    svg = console.export_svg(title="", theme=THEME, code_format=SHAPE, unique_id="t")
    PICTURE.write_text(re.sub(r"[ \t]+$", "", svg, flags=re.MULTILINE), encoding="utf-8")


def record(arguments: list[str]) -> str:
    """What the command writes to a terminal."""
    ours, theirs = pty.openpty()
    source = os.pathsep.join([str(HERE.parent / "src"), os.environ.get("PYTHONPATH", "")])
    settings = os.environ | {"COLUMNS": str(COLUMNS), "LINES": "60", "TERM": "xterm-256color", "PYTHONPATH": source}
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "trasmallo", *arguments]
        process = subprocess.Popen(command, cwd=folder, env=settings, stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        written = b"".join(iter(lambda: read(ours), b""))
        if process.wait():
            sys.exit(written.decode(errors="replace"))
    os.close(ours)
    return written.decode()


def read(terminal: int) -> bytes:
    """The next piece, empty at the end (which Linux tells as an error)."""
    try:
        return os.read(terminal, 65_536)
    except OSError:
        return b""


def settle(written: str) -> str:
    """What stands on the screen at the end: progress bars draw themselves again and again over their own lines."""
    lines = [""]
    for piece in re.split(r"(\x1b\[2K|\x1b\[1A|\x1b\[\?25[lh]|\r|\n)", written):
        if piece == "\n":
            lines.append("")
        elif piece == "\x1b[2K":
            lines[-1] = ""
        elif piece == "\x1b[1A":
            lines.pop()
        elif piece != "\r" and not piece.startswith("\x1b[?25"):
            lines[-1] += piece
    return "\n".join(lines)


if __name__ == "__main__":
    main()
