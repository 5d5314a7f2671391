"""Commands that make, run and watch a project."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Unpack, cast

import click

from trasmallo.cli.output import folder_argument, print_json, print_table, with_output

if TYPE_CHECKING:
    from trasmallo.project.options import CrawlOptions
    from trasmallo.project.project import Project
    from trasmallo.results.summary import Summary

_CRAWL_OPTIONS = [
    click.option("--lines", type=int, help="Simultaneous downloads; 1 gives the same order in every run."),
    click.option("--processes", type=int, metavar="N", help="Processes that crawl; 0 is as many as are of use."),
    click.option("--delay", type=float, metavar="S", help="Seconds a host rests after each answer."),
    click.option("--pages", type=int, metavar="N", help="Stop after N pages."),
    click.option("--depth", type=int, metavar="N", help="Follow links N steps from a seed."),
    click.option("--harvest", type=float, metavar="SHARE", help="With a topic: stop when less of the last 200 pages is on it."),
    click.option("--topicality", type=float, metavar="P", help="With a topic: keep pages that are on it with P at least."),
    click.option("--megabytes", type=int, metavar="N", help="Stop after N megabytes of answers."),
    click.option("--minutes", type=int, metavar="N", help="Stop after N minutes."),
    click.option("--pages-per-host", type=int, metavar="N", help="At most N pages of one host."),
    click.option("--megabytes-per-host", type=int, metavar="N", help="At most N megabytes of one host."),
    click.option("--minutes-per-host", type=int, metavar="N", help="Ask a host no more after N minutes."),
    click.option("--disk-megabytes", type=int, metavar="N", help="Stop when the project takes N megabytes of disk."),
    click.option("--free-megabytes", type=int, metavar="N", help="Stop when fewer than N megabytes of disk are free."),
    click.option("--scope", type=click.Choice(["host", "domain", "any"]), help="Where links may lead."),
    click.option("--exclude", multiple=True, metavar="TEXT", help="Never ask for addresses that contain TEXT."),
    click.option("--include", multiple=True, metavar="PATTERN", help="Only addresses that match PATTERN (* is any text)."),
    click.option(
        "--private", multiple=True, metavar="PLACE", help="A private host, host:port, *.domain or network to ask too."
    ),
]


with_accept_loss = click.option(
    "--accept-loss", is_flag=True, help="Go on without pages that the archive has lost; else nothing is replaced."
)


def _with_crawl_options(command: Callable[..., None]) -> Callable[..., None]:
    """Options that have the same names as keys of [crawl], and win over them."""
    for option in reversed(_CRAWL_OPTIONS):
        command = option(command)
    return command


@click.command("new", epilog="Example: trasmallo new mycorpus https://example.org/ ~/Documents --language es")
@folder_argument
@click.argument("urls", nargs=-1, metavar="[URL]...")
@click.option("--language", default="es", show_default=True, help="Language of the pages, as a two-letter code.")
@click.option("--languages", multiple=True, metavar="CODE", help="Study only documents in this language; may be repeated.")
@with_output
def new_command(
    folder: str, urls: tuple[str, ...], language: str, languages: tuple[str, ...], as_json: bool, quiet: bool
) -> None:
    """Write DIR/trasmallo.toml, commented, and check it."""
    from trasmallo.project.project import Project

    project = Project.new(folder, language=language, languages=languages, seeds=urls)
    path = project.folder / "trasmallo.toml"
    if as_json:
        print_json({"file": str(path), "config": project.config})
    elif not quiet:
        click.echo(f"Wrote {path}. Next: trasmallo run {folder}")


@click.command("run", epilog="Example: trasmallo run mycorpus --pages 500")
@folder_argument
@click.option("--new", is_flag=True, help="Start another run instead of going on after an interruption or a limit.")
@click.option("--files", is_flag=True, help="Only what changed in the project's folders and mailboxes.")
@_with_crawl_options
@with_output
def run_command(folder: str, new: bool, files: bool, as_json: bool, quiet: bool, **options: Unpack[CrawlOptions]) -> None:
    """Crawl, clean and study together, going on where an interrupted run stopped or a limit ended it.

    Ctrl-C once: stop downloads and analyse what is there; twice: finish now. Both can be resumed.
    """
    project = _open(folder, options)
    watched(project, lambda: project.take_files() if files else project.run(new=new), as_json=as_json, quiet=quiet)


@click.command("crawl", epilog="Example: trasmallo crawl https://example.org/ --into mycorpus --pages 100")
@click.argument("urls", nargs=-1, metavar="[URL]...")
@click.option("--into", "folder", required=True, metavar="DIR", type=click.Path(file_okay=False), help="The project's folder.")
@click.option(
    "--seeds", type=click.Path(exists=True, dir_okay=False), metavar="FILE", help="Addresses to start from, one a line."
)
@_with_crawl_options
@with_output
def crawl_command(
    urls: tuple[str, ...], folder: str, seeds: str | None, as_json: bool, quiet: bool, **options: Unpack[CrawlOptions]
) -> None:
    """Only crawl; `trasmallo run` reads and studies the pages later. A new project's file gets the addresses and options."""
    from trasmallo import config
    from trasmallo.project.project import Project
    from trasmallo.values.errors import UsageError

    addresses = [*urls, *_addresses(seeds)]
    given = _given(options)
    if (Path(folder) / config.FILE_NAME).exists():
        project = Project.open(folder, seeds=addresses or None, **given)
    elif addresses:
        project = Project.new(folder, addresses, **given)
    else:
        raise UsageError("there are no addresses to start from", "give some URLs, or a file of them with --seeds")
    watched(project, project.crawl, as_json=as_json, quiet=quiet)


@click.command("clean", epilog="Example: trasmallo clean mycorpus")
@folder_argument
@with_accept_loss
@with_output
def clean_command(folder: str, accept_loss: bool, as_json: bool, quiet: bool) -> None:
    """Read and study the stored pages of the latest run again, without crawling.

    Until all is read the tables show what was there before.
    """
    project = _open(folder, {})
    watched(project, lambda: project.clean(accept_loss=accept_loss), as_json=as_json, quiet=quiet)


@click.command("study", epilog="Example: trasmallo study mycorpus")
@folder_argument
@with_output
def study_command(folder: str, as_json: bool, quiet: bool) -> None:
    """Study the stored texts of the latest run again, without reading its pages: after a change in [study] or of language.

    Interrupted, the same command goes on. Until all is studied the tables show what was there before.
    """
    project = _open(folder, {})
    watched(project, project.study, as_json=as_json, quiet=quiet)


@click.command("import", epilog="Example: trasmallo import pages.warc.gz --into mycorpus")
@click.argument("file", type=click.Path())
@click.option("--into", "folder", required=True, metavar="DIR", type=click.Path(file_okay=False), help="The project's folder.")
@with_output
def import_command(file: str, folder: str, as_json: bool, quiet: bool) -> None:
    """Take in the pages of a file or a folder, and study them.

    Collections: WARC, ARC, TRECText, TRECWeb, mbox. Texts, also as `export` writes them: JSON lines with a `text`, CoNLL-U,
    vertical text, TEI. A folder: every document in it and below, of any format that is read, and the collections among them.
    """
    from trasmallo import config
    from trasmallo.pipeline.importing import open_foreign
    from trasmallo.project.project import Project

    open_foreign(Path(file))
    project = Project.open(folder) if (Path(folder) / config.FILE_NAME).exists() else Project.new(folder)
    watched(project, lambda: project.import_file(file), as_json=as_json, quiet=quiet)


@click.command("status", epilog="Example: trasmallo status mycorpus --json")
@folder_argument
@with_output
def status_command(folder: str, as_json: bool, quiet: bool) -> None:  # noqa: ARG001 - every command has --quiet
    """Where the latest run stands: counts, what each line is doing, the queue of each host and why it waits."""
    status = _open(folder, {}).status()
    if as_json:
        print_json(status)
        return
    from trasmallo.cli.status import print_status

    print_status(status, time.time())


def _open(folder: str, options: CrawlOptions) -> Project:
    from trasmallo.project.project import Project

    return Project.open(folder, **_given(options))


def _given(options: CrawlOptions) -> CrawlOptions:
    """The options that were typed, as keys of [crawl]; the others are None or empty."""
    return cast("CrawlOptions", {name: value for name, value in options.items() if value not in (None, ())})


def watched(project: Project, verb: Callable[[], Summary], *, as_json: bool, quiet: bool) -> None:
    """Carry out a verb while its progress is shown, then print what it brought."""
    from trasmallo.cli.progress import bars

    with bars(project.bus, quiet=quiet or as_json):
        summary = verb()
    if as_json:
        print_json(summary)
    elif not quiet:
        print_summary(summary)


def print_summary(summary: Summary) -> None:
    """What a run brought, as a table."""
    rows: list[tuple[str, str, object]] = [("addresses", name, count) for name, count in sorted(summary.outcomes.items())]
    rows += [("addresses", "waiting", summary.waiting)] if summary.waiting else []
    rows += [("addresses", f"waiting in {summary.left.run}", summary.left.waiting)] if summary.left else []
    rows += [("pages", "documents", summary.documents)]
    rows += [("pages", reason, count) for reason, count in sorted(summary.dropped.items())]
    rows += [("documents", f"in {language or 'unknown'}", count) for language, count in sorted(summary.languages.items())]
    rows += [("left out", f"in {language or 'unknown'}", count) for language, count in sorted(summary.left_out.items())]
    rows += [("words", "occurrences", summary.words), ("words", "different", summary.types)]
    title = f"{summary.run}: {summary.state}" + (f" ({summary.ended})" if summary.ended not in ("", summary.state) else "")
    print_table(("", "what", "number"), rows, title=title)


def _addresses(path: str | None) -> list[str]:
    from trasmallo.values.errors import DocumentError

    if path is None:
        return []
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DocumentError(
            "cannot read {path} ({error})", "give a file in UTF-8 with an address a line", path=path, error=error
        ) from None
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]
