"""Compiles a lexicon once for a user: its rows become tables in the cache folder, which every later process maps.

The file's name holds a digest of all that it is made from. It is written beside its place and then renamed, so that two
processes that compile at once both end with a whole file; where nothing can be written the tables live in memory.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable
from pathlib import Path

from trasmallo.study import languages
from trasmallo.study.morphology import rules
from trasmallo.study.morphology.conventions import Conventions, split
from trasmallo.study.morphology.formation import Formation
from trasmallo.study.morphology.lexicon_files import LexiconFiles, find
from trasmallo.study.morphology.tables import MAGIC, LexiconTables, Readings, SetReading, pack
from trasmallo.study.morphology.tags import TYPO, Tags, extended
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.errors import StoreError, disk_errors
from trasmallo.values.model import Analysis
from trasmallo.values.scratch import cache_folder

Report = Callable[[int, int], None]
"""Called now and then with what is done and all there is to do."""

_MADE_FROM = ("affixes.toml", "conventions.tsv", "lexicon.toml", "tags.tsv", "words.tsv")
_ROWS_A_REPORT = 20_000
"""Forms between two reports. Judgement: some reports a second."""
# The share of the work that reading the rows is.
_READING = 0.2


def open_tables(code: str, report: Report | None = None) -> LexiconTables:
    """The tables of a language, compiled when they are not there yet; `report` then hears of the progress."""
    source = find(code)
    if source is None:
        return LexiconTables(b"".join(pack(entries(code, {}))))
    path = cache_folder() / f"{code}-{_digest(code, source)}.lexicon"
    try:
        return LexiconTables.open(path)
    except (OSError, ValueError):
        return _compile(code, source, path, report or _silent)


def _silent(_done: int, _total: int) -> None:
    """Nobody listens."""


def digest_of(code: str) -> str:
    """What changes when the lexicon of a language or the rules that it is compiled with change."""
    source = find(code)
    return _digest(code, source) if source is not None else ""


def _digest(code: str, source: LexiconFiles) -> str:
    ours = b"".join(languages.load(code).content(name) for name in _MADE_FROM)
    return hashlib.sha256(MAGIC + source.digest.encode() + ours).hexdigest()[:16]


def _compile(code: str, source: LexiconFiles, path: Path, report: Report) -> LexiconTables:
    data = _without_collector(lambda: _compiled(code, source, report))
    try:
        write(path, data)
        return LexiconTables.open(path)
    except (OSError, StoreError):
        return LexiconTables(data)


def _without_collector(work: Callable[[], bytes]) -> bytes:
    """Work that makes millions of small values and no circles of them: looking for circles would take a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        return work()
    finally:
        if enabled:
            gc.enable()


def _compiled(code: str, source: LexiconFiles, report: Report) -> bytes:
    total = source.size
    listed: dict[str, list[tuple[str, str]]] = {}
    for rows, done in source.rows():
        report(int(_READING * done), total)
        for form, lemma, tag in rows:
            listed.setdefault(form, []).append((lemma, tag))
    forms = entries(code, listed, lambda share: report(int(total * (_READING + (1 - _READING) * share)), total))
    data = b"".join(pack(forms))
    report(total, total)
    return data


def entries(
    code: str, listed: dict[str, list[tuple[str, str]]], report: Callable[[float], None] = lambda _: None
) -> dict[str, Readings]:
    """The readings of all forms, those of `words.tsv` and those with pronouns behind a verb too."""
    tags = Tags(code)
    conventions = Conventions(code, tags)
    for form in conventions.words:
        listed.setdefault(form, [])
    forms: dict[str, Readings] = {}
    for number, (form, its) in enumerate(listed.items()):
        forms[form] = conventions.readings(form, its)
        if number % _ROWS_A_REPORT == 0:
            report(number / len(listed))
    _add_enclitics(code, tags, forms)
    _add_unaccented(code, forms)
    return forms


def _add_enclitics(code: str, tags: Tags, forms: dict[str, Readings]) -> None:
    formation = Formation(rules.load(code), tags, lambda form: forms.get(form, ()))
    found = {form: formation.listed_enclitics(form) for form in forms if len(form) > 4}
    for form, analyses in found.items():
        forms[form] += tuple(_by_rule(form, made.lemma, made, made.features) for made in analyses)


def _add_unaccented(code: str, forms: dict[str, Readings]) -> None:
    """Forms that lack an accent, where no other word is written so: an accent forgotten is the commonest mistake."""
    accents = rules.load(code).accents
    plain = str.maketrans(accents.written, accents.forgotten)
    added: dict[str, dict[SetReading, None]] = {}
    for form, readings in forms.items():
        bare = form.translate(plain)
        if bare != form and bare not in forms:
            added.setdefault(bare, {}).update(dict.fromkeys(_mistaken(form, bare, found) for found in readings))
    forms.update((form, tuple(readings)) for form, readings in added.items())


def _mistaken(form: str, bare: str, found: SetReading) -> SetReading:
    lemma = form[: len(form) - found.cut] + found.add
    return _by_rule(bare, lemma, found, extended(found.features, TYPO))


def _by_rule(form: str, lemma: str, found: Analysis | SetReading, features: str) -> SetReading:
    """The reading of a form that a rule gives it, with the category, clitics and tag of another."""
    cut, add = split(form, lemma)
    return SetReading(
        cut=cut, add=add, category=found.category, features=features, clitics=found.clitics, by="rule", tag=found.tag
    )


def write(path: Path, data: bytes) -> None:
    """A file that is there whole or not at all, in a folder that is made for it; several processes may compile at once."""
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, data, contested=True)
