"""The command line: one door of two, thin around the verbs of `Project`.

Commands are imported when they are asked for, so that `trasmallo --help` stays quick.
"""

from __future__ import annotations

import importlib
import os
import shlex
import sys
from pathlib import Path

import click

from trasmallo.values.errors import TrasmalloError, UsageError, disk_error
from trasmallo.values.free_memory import calm_collector
from trasmallo.values.messages import Message
from trasmallo.values.nearest import nearest
from trasmallo.values.software import __version__
from trasmallo.values.written_json import encode_json

COMMANDS = {
    "new": "projects",
    "run": "projects",
    "revisit": "collection",
    "fresh": "collection",
    "versions": "collection",
    "snapshot": "snapshots",
    "sites": "sites",
    "subcorpus": "subcorpus",
    "follow": "follow",
    "watch": "watch",
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
    "worker": "cluster",
    "cluster": "cluster",
    "stop": "control",
    "pause": "control",
    "resume": "control",
    "pending": "control",
    "topic": "focus",
    "mark": "focus",
    "focus": "focus",
    "forms": "deep_web",
    "login": "deep_web",
    "retry": "control",
    "exclude": "scope",
    "include": "scope",
    "list": "results",
    "kwic": "kwic",
    "groups": "groups",
    "queries": "queries",
    "jobs": "jobs",
    "export": "results",
    "cite": "report",
    "report": "report",
    "verdict": "verdicts",
    "stoplist": "stoplist",
    "find": "find",
    "word": "word",
    "sketch": "sketch",
    "trend": "trend",
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
    "tag": "tag",
    "entities": "entities",
    "kinds": "own_entities",
    "learn": "own_entities",
    "entity": "own_entities",
    "annotations": "own_entities",
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


TASKS = {
    "Make a corpus": {
        "new": "write a project file for some addresses",
        "run": "crawl, clean and study; goes on where it was interrupted",
        "revisit": "visit again what most needs it, and read what changed",
        "crawl": "only crawl",
        "clean": "read and study the stored pages again",
        "study": "study the stored texts again",
        "follow": "follow whole sites: sitemaps, feeds, and pages as they change",
        "watch": "folders and mailboxes: what is saved is found at once",
        "import": "take in WARC, TREC, mail, a file or a folder",
        "demo": "see it all on a small web that the program serves itself",
    },
    "Follow and steer a run": {
        "status": "counts, lines and queues",
        "incidents": "what was not obtained, and why",
        "worker": "join the crawl of another machine",
        "cluster": "machines that share a crawl, and why some idle",
        "pending": "addresses that wait",
        "retry": "ask again for what failed",
        "stop": "no more downloads; what is there is analysed",
        "pause": "no downloads for now",
        "resume": "go on after a pause",
        "topic": "what the crawl is to keep to",
        "mark": "say whether a page is on topic, also while it runs",
        "focus": "how well the crawl keeps to its topics",
        "forms": "the forms that were found, and which may be asked",
        "login": "your own account at a private site",
        "exclude": "never ask for these addresses, also while it runs",
        "include": "ask only for these addresses",
    },
    "Ask the corpus": {
        "find": "ranked search with snippets",
        "kwic": "a word or a corpus query in its surroundings",
        "groups": "lines of concordances that you put together under a name",
        "queries": "corpus queries that you saved, and those that were asked",
        "jobs": "long questions that go on by themselves",
        "list": "result tables: pages, words, neologisms, collocations...",
        "word": "what is known of a word: frequency, spread, sites, trend",
        "sketch": "what a word governs and is governed by, and its nearest words",
        "trend": "how often a word occurs in each month or week",
        "laws": "Zipf, Mandelbrot, hapax legomena, Heaps",
        "keyness": "words that are typical of the corpus",
        "compare": "two runs side by side",
        "rank": "PageRank, authorities and hubs",
        "lab": "experiments: lines, memory of words, age of copies",
        "fresh": "how old the collection is, and what changes how often",
        "versions": "the dated versions of a page, and what changed",
        "sites": "the sites of the collection; take some out, put them back",
        "subcorpus": "a part of the collection, saved by name for --scope",
        "snapshot": "freeze the results under a name, for a publication",
        "cite": "how the corpus is cited: what, when, how much",
        "report": "one page of HTML with figures, queries and words, to be published",
        "export": "CSV, JSON, Parquet, TEI, CoNLL-U, vertical, WARC",
    },
    "Keep lists of words and names": {
        "verdict": "say what a word that nobody lists is",
        "stoplist": "make and save a list of words",
        "kinds": "kinds of entities of your own, by lists and patterns",
        "learn": "more names of a kind of your own, from some of them",
        "entity": "merge, split, rename and block entities",
        "annotations": "names that people marked in documents",
    },
    "Documents without a project": {
        "text": "its main text",
        "blocks": "its blocks with ratio and path",
        "slice": "what it says about something",
        "convert": "any format to HTML",
        "words": "each token with lemmas and categories",
        "tag": "each word of many lines with its lemma and category",
        "entities": "names, dates, quantities; own models of names",
        "stems": "stemmers side by side",
        "measures": "how rich and how readable it is",
        "languages": "the language of each block",
        "duplicates": "copies and near copies among documents",
        "sitemap": "a sitemap of the documents in a folder",
    },
    "Work in the browser": {"serve": "the web app: projects, live runs, results"},
    "Look after projects": {
        "schedule": "put a project on the timetable",
        "scheduler": "run the timetable",
        "check": "read every file and tell what is damaged",
        "repair": "make again what is damaged or lost",
        "duplicate": "a new project with the same settings",
        "delete": "move a project to the trash",
        "restore": "bring a deleted project back",
    },
}
"""The commands by what one wants to do, each in a few words, as the help shows them."""

SAID_ELSEWHERE = {
    "search": "find", "grep": "find", "concordance": "kwic", "ls": "list", "show": "list", "tables": "list", "init": "new",
    "create": "new", "start": "run", "web": "serve", "gui": "serve", "ui": "serve", "extract": "text", "rm": "delete",
    "remove": "delete", "copy": "duplicate", "cp": "duplicate", "info": "status", "errors": "incidents", "fetch": "crawl",
    "dedupe": "duplicates", "lemmas": "words", "filter": "slice", "queue": "pending", "history": "queries", "cron": "schedule",
    "verify": "check", "fix": "repair", "undelete": "restore", "pagerank": "rank", "zipf": "laws", "keywords": "keyness",
}  # fmt: skip
"""What other programs call our commands."""

_ALIKE = 0.6
"""How alike a misspelt command must be to be meant, by difflib's ratio. Judgement: `lst` and `stauts` are, `foo` is not."""


class _Commands(click.Group):
    """Loads a command's module at its first use."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands under what one wants to do; one of no task stands at the end."""
        listed = {name for commands in TASKS.values() for name in commands}
        others = {name: command.get_short_help_str(60) for name in COMMANDS if (command := self._other(ctx, name, listed))}
        for task, commands in (TASKS | {"Others": others}).items():
            if commands:
                with formatter.section(task):
                    formatter.write_dl(list(commands.items()), col_max=12)

    def _other(self, ctx: click.Context, name: str, listed: set[str]) -> click.Command | None:
        return None if name in listed else self.get_command(ctx, name)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that was typed; raises UsageError that names the one that was meant."""
        name = args[0]
        if name not in COMMANDS:
            meant = SAID_ELSEWHERE.get(name.lower()) or nearest(name.lower(), COMMANDS, _ALIKE)
            repair = "did you mean `trasmallo {meant}`?" if meant else "see all of them with: trasmallo --help"
            raise UsageError("there is no command {name!r}", repair, name=name[:80], meant=meant)
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in COMMANDS:
            return None
        if cmd_name != "serve":  # which lives for weeks; the others import, do one thing and end
            calm_collector()
        name = COMMANDS[cmd_name]
        module = importlib.import_module(name if "." in name else f"trasmallo.cli.{name}")
        command = getattr(module, f"{cmd_name}_command")
        assert isinstance(command, click.Command)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(__version__, prog_name="trasmallo")
@click.option("--as", "user", default="", metavar="USER", help="Answer with what USER may read (owner and root only).")
def program(user: str) -> None:
    """Catch documents from the web, clean them, and study their words.

    Start with: trasmallo new mycorpus https://example.org/ && trasmallo run mycorpus
    """
    if user:
        from trasmallo.project.permissions import asking_as

        click.get_current_context().with_resource(asking_as(user))


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
        known = disk_error(error, Path(os.fsdecode(error.filename or ".")))
        if isinstance(known, TrasmalloError):
            _stop(known.exit_code, type(known).__name__, *known.said)
        _stop(1, type(error).__name__, str(error), "check that place on the disk and run the same command again")


def _explain(error: click.ClickException) -> tuple[str, str]:
    """What click did not understand, and where to look."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    typed = next((f"trasmallo {word}" for word in sys.argv[1:] if word in COMMANDS), "trasmallo")
    command = context.command_path if context else typed  # options that lack a value are told without their command
    repair = f"see {command} --help"
    if isinstance(error, click.NoSuchOption) and (meant := _dashed(error.option_name)):
        repair = f"if it is no option, write it last and behind two dashes: {command} ... -- {shlex.quote(meant)}; or {repair}"
    return error.format_message().rstrip("."), repair


def _dashed(option: str) -> str:
    """What was typed with one dash, such as the query -word, of which click tells the first letter; "" for a letter alone."""
    if option.startswith("--"):
        return ""
    return next((word for word in sys.argv[1:] if word.startswith(option) and len(word) > len("-x")), "")


def _stop(code: int, kind: str, problem: str, repair: str) -> None:
    if "--json" in sys.argv:
        said = Message(problem)
        told = {"kind": kind, "problem": problem, "repair": repair, "code": said.code, "arguments": said.arguments}
        click.echo(encode_json({"error": told}, enc_hook=str), err=True)
    else:
        click.echo(f"trasmallo: {problem}: {repair}", err=True)
    sys.exit(code)


def _let_go() -> None:
    """The reader of our output has gone, as `head` does; that is no error, but Python would complain at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)
