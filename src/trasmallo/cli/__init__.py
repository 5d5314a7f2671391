"""The command line: one door of two, thin around the verbs of `Project`.

Commands are imported when they are asked for, so that `trasmallo --help` stays quick.
"""

from __future__ import annotations

import importlib
import os
import sys

import click
import msgspec

from trasmallo.values.errors import TrasmalloError
from trasmallo.values.messages import Message
from trasmallo.values.software import __version__

COMMANDS = {
    "new": "projects",
    "run": "projects",
    "crawl": "projects",
    "clean": "projects",
    "study": "projects",
    "import": "projects",
    "status": "projects",
    "incidents": "incidents",
    "check": "repair",
    "repair": "repair",
    "duplicate": "workspace",
    "delete": "workspace",
    "restore": "workspace",
    "schedule": "timetable",
    "scheduler": "timetable",
    "stop": "control",
    "pause": "control",
    "resume": "control",
    "pending": "control",
    "retry": "control",
    "exclude": "scope",
    "include": "scope",
    "list": "results",
    "kwic": "kwic",
    "export": "results",
    "verdict": "verdicts",
    "stoplist": "stoplist",
    "find": "find",
    "laws": "laws",
    "keyness": "keyness",
    "compare": "compare",
    "rank": "rank",
    "lab": "lab",
    "text": "documents",
    "convert": "documents",
    "blocks": "documents",
    "slice": "slicing",
    "words": "documents",
    "stems": "stems",
    "measures": "measures",
    "languages": "languages",
    "duplicates": "duplicates",
    "sitemap": "sitemap",
    "demo": "sample",
    "serve": "trasmallo.web.serve",
}
"""Every command and the module that holds it: of this package, or with its whole name.

The web app is the other door: its command is known here by name alone, so that neither door imports the other.
"""


class _Commands(click.Group):
    """Loads a command's module at its first use."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in COMMANDS:
            return None
        name = COMMANDS[cmd_name]
        module = importlib.import_module(name if "." in name else f"trasmallo.cli.{name}")
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
        with program.make_context("trasmallo", sys.argv[1:]) as context:
            program.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as end:
        sys.exit(end.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(2)
    except TrasmalloError as error:
        _stop(error.exit_code, type(error).__name__, *error.said)
    except click.ClickException as error:
        _stop(2, "UsageError", *_explain(error))
    except (KeyboardInterrupt, click.Abort):
        _stop(130, "Interrupted", "interrupted", "give the same command again to go on")
    except BrokenPipeError:
        _let_go()
    except OSError as error:
        _stop(1, type(error).__name__, str(error), "check that place on the disk and run the same command again")


def _explain(error: click.ClickException) -> tuple[str, str]:
    """What click did not understand, and where to look."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    command = context.command_path if context else "trasmallo"
    return error.format_message().rstrip("."), f"see {command} --help"


def _stop(code: int, kind: str, problem: str, repair: str) -> None:
    if "--json" in sys.argv:
        said = Message(problem)
        told = {"kind": kind, "problem": problem, "repair": repair, "code": said.code, "arguments": said.arguments}
        click.echo(msgspec.json.encode({"error": told}, enc_hook=str), err=True)
    else:
        click.echo(f"trasmallo: {problem}: {repair}", err=True)
    sys.exit(code)


def _let_go() -> None:
    """The reader of our output has gone, as `head` does; that is no error, but Python would complain at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)
