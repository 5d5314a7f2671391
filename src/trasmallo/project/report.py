"""Report of a corpus as one page of HTML that needs nothing else: what was asked, of what, with which program, and the answers.

Each part names the command that prints the same, so that whoever reads the report can ask again. Copies are left out.
"""

from __future__ import annotations

import html
import platform
import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from trasmallo import config_text
from trasmallo.project.report_words import ReportLanguage, ReportWords
from trasmallo.project.scopes import scope_text
from trasmallo.results.citation import cite
from trasmallo.results.concordance.concordance import Options
from trasmallo.results.concordance.lines import Hit, sides_of
from trasmallo.results.word_figures import WordFiguresQuestion, find_word
from trasmallo.values.errors import NoResults
from trasmallo.values.software import SOFTWARE

if TYPE_CHECKING:
    from trasmallo.project.queries import Queries
    from trasmallo.results.citation import Citation

_WORDS = 50
"""Words and sites that a report lists. Judgement: a screen."""
_NUMERIC = ' class="n"'
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
body { color: #1d2b30; background: #fff; }
h1 { line-height: 1.2; } h2 { margin-top: 2.2rem; border-bottom: 1px solid #c9d3d6; }
table { border-collapse: collapse; font-size: .92rem; margin: .6rem 0; } th, td { padding: .2rem .7rem; text-align: left; }
thead th { border-bottom: 2px solid #c9d3d6; } tbody tr { border-bottom: 1px solid #e6ecee; } .n { text-align: right; }
.lines td { white-space: nowrap; } .lines .l { text-align: right; } pre, code { background: #f2f5f6; padding: .1rem .3rem; }
pre { padding: .7rem; overflow: auto; } .scroll { overflow-x: auto; } svg { max-width: 100%; height: auto; }
@media print { body { margin: 0; max-width: none; font-size: 11pt; } h2 { break-after: avoid; } tr { break-inside: avoid; } }
"""


class ReportQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """What a report tells besides the corpus itself: `queries` with `lines` of each by chance, and what is known of `words`.

    `language` is what it is written in.
    """

    queries: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    lines: int = 50
    seed: int = 1
    language: ReportLanguage = "en"


def write_report(project: Queries, question: ReportQuestion) -> str:
    """The report as HTML; raises what a query or word that cannot be answered raises."""
    with project.tables() as tables:
        run = project.run_named()
        cited = cite(tables, run, project.config.name, scope_text(project.scope))
    say = ReportWords(question.language)
    parts = [_corpus(project, cited, say), *(_query(project, query, question, say) for query in question.queries)]
    parts += [_word(project, word, say) for word in question.words]
    parts += [_frequent(project, say), _laws(project, say), _settings(project, say)]
    title = html.escape(f"{project.config.name}: {say('report')}")
    head = f'<meta charset="utf-8">\n<title>{title}</title>\n<style>{_STYLE}</style>'
    body = f"<h1>{title}</h1>\n{''.join(parts)}"
    return f'<!doctype html>\n<html lang="{say.language}">\n<head>\n{head}\n</head>\n<body>\n{body}</body>\n</html>\n'


def as_file(report: str, suffix: str) -> bytes:
    """A report as the file of a name with this end: a PDF where that is .pdf, else the page itself."""
    from trasmallo.crawl.browser.printing import print_page

    return print_page(report) if suffix.lower() == ".pdf" else report.encode("utf-8", "replace")


def _corpus(project: Queries, cited: Citation, say: ReportWords) -> str:
    rows = [
        ("documents", cited.documents),
        ("words", cited.words),
        ("sites", cited.sites),
        ("languages", ", ".join(f"{name or '?'} {say.value(count)}" for name, count in cited.languages.items())),
        ("obtained", say("{first} to {last}", first=cited.first, last=cited.last)),
        ("scope", cited.scope or say("all documents")),
        ("run", cited.run),
        ("digest of the results", cited.digest or say("the run goes on")),
        ("program", f"{SOFTWARE}, Python {platform.python_version()}"),
        ("date of the report", cited.cited),
    ]
    sites = project.table("words_by_site", columns=["host", "count"]) if cited.sites else []
    counts: dict[str, int] = {}
    for row in sites:
        counts[str(row["host"])] = counts.get(str(row["host"]), 0) + int(row["count"] or 0)
    foremost = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:_WORDS]
    text = html.escape(cited.text(say.language))
    told = f"<p><strong>{say('Cite as')}</strong> {text}</p>\n<pre>{html.escape(cited.bibtex)}</pre>\n"
    tables = (_table(say, (), _named(say, rows)), _table(say, ("site", "words"), foremost))
    return told + _part(say("The corpus"), _command(project, "cite"), *tables)


def _query(project: Queries, query: str, question: ReportQuestion, say: ReportWords) -> str:
    options = Options(sample=question.lines, seed=question.seed, limit=0)
    with project.concordance() as concordance:
        found = concordance.find(query, options)
        parts = concordance.distribution(query, "site")
    per_million = found.total / found.tokens * 1e6 if found.tokens else 0.0
    text = "{hits} hits in {documents} documents, {rate} per million tokens of {tokens}."
    said = say(text, hits=found.total, documents=found.documents, rate=round(per_million, 2), tokens=found.tokens)
    rows = "".join(map(_line, found.hits))
    lines = f'<div class="scroll"><table class="lines"><tbody>{rows}</tbody></table></div>\n'
    columns = ("site", "hits", "documents", "tokens", "per million")
    spread = _table(say, columns, map(msgspec.structs.astuple, parts[:_WORDS]))
    flags = ("--sample", str(question.lines), "--seed", str(question.seed), "--limit", "0")
    told = f"<p>{html.escape(said)}</p>\n"
    return _part(say("Query: {query}", query=query), _command(project, "kwic", query, *flags), told, lines, spread)


def _line(hit: Hit) -> str:
    before, within, after = map(_text, sides_of(hit))
    place = f"<td>{_text(hit.date)}</td><td>{_text(hit.title or hit.url)}</td>"
    return f'<tr><td class="l">{before}</td><td><b>{within}</b></td><td>{after}</td>{place}</tr>\n'


def _word(project: Queries, word: str, say: ReportWords) -> str:
    from trasmallo.study.trend_picture import draw, drawn_name

    with project.tables() as tables:
        found = find_word(tables, WordFiguresQuestion(word=word))
    rows = [
        ("unit", " ".join(filter(None, (say(found.unit), found.category, found.language)))),
        ("occurrences", found.count),
        ("documents", found.documents),
        ("per million", found.per_million),
        ("DP (Gries)", found.spread.dp),
        ("Juilland's D", "" if found.spread.juilland is None else found.spread.juilland),
    ]
    sites = [(one.site, one.count, one.documents, one.per_million) for one in found.by_site]
    trend = found.trend
    curve = say.picture(draw(trend), drawn_name(trend)) if trend and len(trend.periods) > 1 else ""
    columns = ("site", "occurrences", "documents", "per million")
    figures = (_table(say, (), _named(say, rows)), _table(say, columns, sites))
    return _part(say("Word: {word}", word=word), _command(project, "word", word), *figures, curve)


def _frequent(project: Queries, say: ReportWords) -> str:
    columns = ("word", "count", "documents", "sites", "language")
    found = project.table("words", limit=_WORDS, columns=columns)
    rows = [tuple(row[name] for name in columns) for row in found]
    return _part(say("Frequent words"), _command(project, "list", "words", "--limit", str(_WORDS)), _table(say, columns, rows))


def _laws(project: Queries, say: ReportWords) -> str:
    from trasmallo.study.laws.pictures import draw

    try:
        picture = say.picture(draw(project.laws(), project.config.name), project.config.name)
    except NoResults:
        return ""
    return _part(say("Laws"), _command(project, "laws", "--plot", "laws.svg"), picture)


def _settings(project: Queries, say: ReportWords) -> str:
    """The keys that decide what was cleaned and studied; addresses of start pages and of databases are nobody's business."""
    sections = {"clean": project.config.clean, "study": project.config.study}
    lines = [f"language = {config_text.toml(project.config.language)}"]
    for name, section in sections.items():
        lines.append(f"[{name}]")
        lines += [f"{key} = {config_text.toml(getattr(section, key))}" for key in section.__struct_fields__]
    return _part(say("Settings"), "", f"<pre>{html.escape(chr(10).join(lines))}</pre>\n")


def _command(project: Queries, verb: str, *more: str) -> str:
    scope = scope_text(project.scope)
    of = ["--run", project.run_named().name, *(("--scope", scope) if scope else ())]
    return shlex.join(["trasmallo", verb, project.folder.name, *more, *of])


def _part(title: str, command: str, *pieces: str) -> str:
    told = f"<p><code>{html.escape(command)}</code></p>\n" if command else ""
    return f"<h2>{html.escape(title)}</h2>\n{told}{''.join(pieces)}"


def _named(say: ReportWords, rows: Iterable[tuple[str, object]]) -> Iterator[tuple[str, object]]:
    """Rows that begin with their names, named in the language of the report."""
    return ((say(name), value) for name, value in rows)


def _table(say: ReportWords, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    head = "".join(f"<th>{html.escape(say(name))}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(_cells(say, row))}</tr>\n" for row in rows)
    return f"<table>{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>{body}</tbody></table>\n"


def _cells(say: ReportWords, row: Sequence[object]) -> Iterator[str]:
    for value in row:
        numeric = isinstance(value, int | float) and not isinstance(value, bool)
        yield f"<td{_NUMERIC if numeric else ''}>{_text(say.value(value))}</td>"


def _text(text: str) -> str:
    """A text of strangers: nothing of it is markup, and nothing of it turns the writing round."""
    return html.escape("".join(letter if letter.isprintable() else " " for letter in text))
