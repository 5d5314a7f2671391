"""The command line: one door of two, thin around the verbs of `Project`.

Commands are imported when they are asked for, so that `trasmallo --help` stays quick.
"""

from __future__ import annotations

import importlib
import os
import sys

import click
import msgspec

from trasmallo import __version__
from trasmallo.errors import TrasmalloError

COMMANDS = {
    "new": "projects",
    "run": "projects",
    "crawl": "projects",
    "clean": "projects",
    "import": "projects",
    "status": "projects",
    "incidents": "projects",
    "list": "results",
    "export": "results",
    "text": "documents",
    "words": "documents",
    "demo": "sample",
}
"""Every command and the module of this package that holds it."""


class _Commands(click.Group):
    """Loads a command's module at its first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"trasmallo.cli.{COMMANDS[cmd_name]}")
        command = getattr(module, f"{cmd_name}_command")
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="trasmallo")
def program() -> None:
    """Catch documents from the web, clean them, and study their words.

    Start with: trasmallo new mycorpus https://example.org/ && trasmallo run mycorpus
    """


def main() -> None:
    """Run the program; a misfortune becomes one line and an exit code (2 for what was typed, 1 for the rest)."""
    try:
        program()
    except TrasmalloError as error:
        _say(error)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # The reader of our output has gone, as `head` does; that is no error, but Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def _say(error: TrasmalloError) -> None:
    if "--json" in sys.argv:
        shape = {"error": {"kind": type(error).__name__, "problem": error.problem, "repair": error.repair}}
        click.echo(msgspec.json.encode(shape), err=True)
    else:
        click.echo(f"trasmallo: {error}", err=True)
