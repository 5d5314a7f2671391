"""Commands of crawls that keep to a topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import folder_argument, number_of, print_json, print_json_lines, with_either, with_output, with_rows

if TYPE_CHECKING:
    from trasmallo.project.focus import TopicShown

_ANSWERS = {"yes": True, "no": False, "none": None}


@click.command("topic", epilog="Example: trasmallo topic mycorpus vela latina barcos --like https://example.org/velas.html")
@folder_argument
@click.argument("words", nargs=-1, metavar="[WORD]...")
@click.option("--like", multiple=True, metavar="DOC", help="A document that is on topic: a file or a URL; repeatable.")
@click.option("--search", default="", metavar="QUERY", help="The best hits of a search in the collection are on topic.")
@click.option("--name", default="topic", show_default=True, metavar="NAME", help="Which topic: a project may have several.")
@click.option("--remove", is_flag=True, help="Forget the topic; without any the crawl is not focused.")
@click.option("--show", is_flag=True, help="Change nothing, show the topics with the terms that make them.")
@with_rows
def topic_command(
    folder: str,
    words: tuple[str, ...],
    like: tuple[str, ...],
    search: str,
    name: str,
    remove: bool,
    show: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Say what the next crawl is to keep to: by words, documents, a search, or marks. Start pages count as examples."""
    from trasmallo.project.project import Project

    project = Project.open(folder)
    if remove:
        project.remove_topic(name)
    elif not show and (words or like or search):
        project.topic(*words, like=like, search=search, name=name)
    topics = project.topics()
    if as_json:
        print_json_lines(topics)
    elif not quiet:
        click.echo("\n".join(_described(topic) for topic in topics) or "No topic: the crawl follows all links.")


def _described(topic: TopicShown) -> str:
    lines = [f"{topic.name}: {', '.join(topic.terms) or '-'}"]
    lines += [f"  document: {source}" for source in topic.examples]
    return "\n".join([*lines, *(f"  {note}" for note in topic.notes)])


@click.command("mark", epilog="Example: trasmallo mark mycorpus https://example.org/velas.html yes")
@folder_argument
@click.argument("url", default="", metavar="[URL]")
@click.argument("answer", required=False, metavar="[yes|no|none]", type=click.Choice(list(_ANSWERS)))
@with_either("no URL")
def mark_command(folder: str, url: str, answer: str | None, as_json: bool, quiet: bool) -> None:
    """Say whether a page is on topic; none takes it back. A crawl that runs takes it up within seconds.

    Without URL the marks that count are shown.
    """
    from trasmallo.project.project import Project
    from trasmallo.values.errors import UsageError

    project = Project.open(folder)
    if not url:
        found = project.marks()
        if as_json:
            print_json_lines(found)
        elif not quiet:
            click.echo("\n".join(f"{'yes' if mark.on_topic else 'no '} {mark.url}" for mark in found) or "No marks.")
        return
    if not answer:
        raise UsageError("nothing is said of {url}", "add yes, no or none", url=url[:200])
    told = project.mark(url, _ANSWERS[answer])
    if as_json:
        print_json(told)
    elif not quiet:
        changed = "" if told.before in (None, told.on_topic) else f", and was {'yes' if told.before else 'no'}"
        now = f" The run (process {told.process}) takes it up." if told.process else ""
        click.echo(f"{told.url}: {answer}{changed}; {number_of(told.marks, 'mark')} in all.{now}")


@click.command("focus", epilog="Example: trasmallo focus mycorpus")
@folder_argument
@with_output
def focus_command(folder: str, as_json: bool, quiet: bool) -> None:
    """Show how well the latest crawl keeps to its topics, and what an unfocused one would have brought."""
    from trasmallo.project.project import Project

    found = Project.open(folder).focus()
    if as_json:
        print_json(found)
        return
    if not found.pages:
        click.echo("No page was judged: say a topic with `trasmallo topic`, then crawl.")
        return
    click.echo(f"{found.on_topic:,} of {found.pages:,} pages are on topic ({found.share:.0%}).")
    if found.unfocused is not None:
        click.echo(f"Links followed as they came would have brought about {found.unfocused:,.0f}.")
    for hub in () if quiet else found.hubs:
        click.echo(f"  hub {hub.share:.2f} ({hub.followed} followed) {hub.url}")
    for note in found.notes:
        click.echo(f"Note: {note}")
