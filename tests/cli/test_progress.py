"""Progress bars, fed by events."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from trasmallo.cli.progress import bars, warnings
from trasmallo.events import Announced, Bus, Fetched, Warned

SHOW = """
from trasmallo.cli.progress import bars
from trasmallo.events import Bus, LineChanged, Progress, Studied, Waiting, Warned
bus = Bus()
with bars(bus, quiet={quiet}):
    bus.emit(Progress(known=10, waiting=4, obtained=5, failed=1, studied=2, dropped=1, received=9))
    bus.emit(LineChanged(line=1, state="downloading", url="http://a.es/pagina"))
    bus.emit(LineChanged(line=1, state="address failed", url="http://a.es/nada", cause="not found (status 404)"))
    bus.emit(Studied(url="u", title="[bold]Tí\x1b[2Jtulo[/x]", words=3))
    bus.emit(Waiting(cause="a.es rests", until=0.0))
    bus.emit(Warned(message="[cuidado]"))
"""


def on_a_terminal(code: str) -> str:
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "120"}
    with subprocess.Popen([sys.executable, "-c", code], stderr=theirs, env=environment) as process:
        os.close(theirs)
        shown = b""
        try:
            while piece := os.read(ours, 4096):
                shown += piece
        except OSError:  # how Linux tells that the other end was closed
            pass
    os.close(ours)
    assert process.returncode == 0
    return shown.decode()


def test_bars_on_a_terminal() -> None:
    shown = on_a_terminal(SHOW.format(quiet=False))
    for piece in ("pages", " 6/10", "documents", "3/5", "[bold]Tí [2Jtulo[/x]", "a.es rests", "trasmallo: [cuidado]"):
        assert piece in shown


EXPORT = """
from trasmallo.cli.progress import export_bar
from trasmallo.events import Bus, Exporting, Warned
bus = Bus()
with export_bar(bus, quiet={quiet}):
    bus.emit(Exporting(done=7, total=9))
    bus.emit(Warned(message="cuidado"))
"""


def test_a_bar_while_something_is_exported() -> None:
    shown = on_a_terminal(EXPORT.format(quiet=False))
    assert "writing" in shown
    assert "7/9" in shown
    assert on_a_terminal(EXPORT.format(quiet=True)) == "trasmallo: cuidado\r\n"


def test_quiet_shows_no_bars_but_warns() -> None:
    assert on_a_terminal(SHOW.format(quiet=True)) == "trasmallo: [cuidado]\r\n"


def test_without_a_terminal_there_are_only_warnings(capsys: pytest.CaptureFixture[str]) -> None:
    bus = Bus()
    with bars(bus, quiet=False), warnings(Bus()):
        bus.emit(Fetched(url="u", status=200, size=1, media="", digest=""))
        bus.emit(Warned(message="cuidado"))
    bus.emit(Warned(message="nobody listens any more"))
    assert capsys.readouterr() == ("", "trasmallo: cuidado\n")


def test_how_much_of_a_download_has_come() -> None:
    code = """
from trasmallo.cli.progress import bars
from trasmallo.events import Bus, LineChanged
bus = Bus()
with bars(bus, quiet=False):
    bus.emit(LineChanged(line=1, state="downloading", url="http://a.es/pagina", received=30, expected=120))
"""
    assert "http://a.es/pagina 25 %" in on_a_terminal(code)


@pytest.mark.parametrize(("quiet", "said"), [(False, "trasmallo: it goes on\n"), (True, "")])
def test_what_is_about_to_be_done_is_said_unless_quiet(capsys: pytest.CaptureFixture[str], quiet: bool, said: str) -> None:
    bus = Bus()
    with bars(bus, quiet=quiet):
        bus.emit(Announced(message="it goes on"))
    assert capsys.readouterr().err == said
