"""Commands of the deep web: forms that were met, and the user's own log-ins."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import folder_argument, print_json_lines, print_table, with_rows
from trasmallo.results.dates import local
from trasmallo.values.errors import UsageError

if TYPE_CHECKING:
    from trasmallo.project.deep_web import FormShown


@click.command("forms", epilog="Example: trasmallo forms mycorpus --on library.example.org")
@folder_argument
@click.option("--on", multiple=True, metavar="PLACE", help="Let the next run ask a form: its address, or a host; repeatable.")
@click.option("--off", multiple=True, metavar="PLACE", help="Take that back; repeatable.")
@with_rows
def forms_command(folder: str, on: tuple[str, ...], off: tuple[str, ...], as_json: bool, quiet: bool) -> None:
    """List the forms that the latest crawl met, what may be asked of them, and what asking has brought.

    Only searches that send by GET may be asked, and only where you switch them on.
    """
    from trasmallo.project.project import Project

    project = Project.open(folder)
    if on:
        project.switch_forms(on)
    if off:
        project.switch_forms(off, remove=True)
    found = project.forms()
    if as_json:
        print_json_lines(found)
    elif quiet:
        return
    elif not found:
        click.echo("No form was met: crawl first.")
    else:
        columns = ("form", "kind", "method", "fields", "may be asked", "found")
        print_table(
            columns, ((each.action, each.kind, each.method, ", ".join(each.fields), _may(each), _found(each)) for each in found)
        )


def _may(form: FormShown) -> str:
    if form.why_not:
        return f"no: {form.why_not}"
    return "yes, and is" if form.on else "yes, with --on"


def _found(form: FormShown) -> str:
    if not form.requests:
        return ""
    ended = f"; {form.ended}" if form.ended else ""
    return f"{form.found:,} of about {form.estimate:,.0f} in {form.requests:,} requests{ended}"


@click.command("login", epilog="Example: trasmallo login mycorpus www.example.org --cookies cookies.txt")
@folder_argument
@click.argument("host", default="", metavar="[HOST]")
@click.option("--cookies", default="", metavar="FILE", help="Cookies of your browser, in Netscape's form (cookies.txt).")
@click.option("--basic", default="", metavar="USER", help="Name for HTTP Basic; the password is asked for.")
@click.option("--digest", default="", metavar="USER", help="Name for HTTP Digest; the password is asked for.")
@click.option("--bearer", is_flag=True, help="A token, which is asked for.")
@click.option("--form", default="", metavar="URL", help="Page with a log-in form, which is sent once.")
@click.option("--field", multiple=True, metavar="NAME=VALUE", help="A field of that form; without VALUE it is asked for.")
@click.option("--browser", is_flag=True, help="Opens your browser at the site (or at --form URL); log in there.")
@click.option("--probe", default="", metavar="URL", help="Page by which it is seen whether the log-in holds.")
@click.option("--probe-text", default="", metavar="TEXT", help="Text that the probe shows to who is logged in.")
@click.option("--forget", is_flag=True, help="Forget the log-in for the host.")
@with_rows
def login_command(
    folder: str,
    host: str,
    cookies: str,
    basic: str,
    digest: str,
    bearer: bool,
    form: str,
    field: tuple[str, ...],
    browser: bool,
    probe: str,
    probe_text: str,
    forget: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Keep your own log-in for a private site, outside of the project, in a file that only you may read.

    Passwords and tokens are asked for, or read from standard input, a line each. Without HOST the log-ins are listed.
    """
    from trasmallo.project.project import Project

    project = Project.open(folder)
    if not host:
        _list(project.logins(), as_json=as_json)
        return
    if forget:
        project.forget_login(host)
        print_json_lines(project.logins()) if as_json else click.echo(f"The log-in for {host} is forgotten.")
        return
    kind = _kind(host, cookies=cookies, basic=basic, digest=digest, form=form, bearer=bearer, browser=browser)
    given = {"file": cookies, "user": basic or digest, "page": form, "probe": probe, "probe_text": probe_text}
    if kind in ("basic", "digest", "bearer"):
        given["secret"] = _secret("token" if bearer else "password")
    given |= {f"field:{name}": value for name, value in map(_field, field)}
    kept = project.login(host, kind, given, _wait_for_user if kind == "browser" and sys.stdin.isatty() else None)
    if as_json:
        print_json_lines([kept])
    elif not quiet:
        click.echo(f"The log-in for {kept.host} is kept ({kept.kind}). The next run uses it.")
        if kept.waiting:
            click.echo(f"{kept.waiting:,} pages that wanted it are asked for again: trasmallo run {folder}")


def _kind(host: str, *, form: str, browser: bool, bearer: bool, **given: str) -> str:
    """The one way to log in that was typed; a page with a form may be opened in the browser."""
    chosen = [kind for kind, value in given.items() if value] + ["bearer"] * bearer
    chosen += ["browser"] if browser else ["form"] if form else []
    if len(chosen) != 1:
        ways = "with one of --cookies, --basic, --digest, --bearer, --form, --browser"
        raise UsageError("say how to log in at {host}", ways, host=host[:200])
    return chosen[0]


def _wait_for_user() -> None:
    click.echo("Log in in the window that opens, then press Enter here.", err=True)
    sys.stdin.readline()


def _list(found: list, *, as_json: bool) -> None:  # type: ignore[type-arg]
    if as_json:
        print_json_lines(found)
    elif found:
        columns = ("host", "kind", "until", "probe")
        print_table(columns, ((each.host, each.kind, local(each.until), each.probe) for each in found))
    else:
        click.echo("No log-in is kept.")


def _field(text: str) -> tuple[str, str]:
    name, mark, value = text.partition("=")
    return name, value if mark else _secret(name)


def _secret(what: str) -> str:
    """Something that must not stand in the shell's history."""
    if sys.stdin.isatty():
        return str(click.prompt(what.capitalize(), hide_input=True))
    return sys.stdin.readline().rstrip("\r\n")
