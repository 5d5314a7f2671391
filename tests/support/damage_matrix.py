"""Damage matrix: files of a project, ways to damage them, and commands, whose answer is right or one line with the repair."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from trasmallo.project.permissions import asking_as
from trasmallo.project.project import Project
from trasmallo.results.database.planner import Question
from trasmallo.store.line_groups import group_names
from trasmallo.values.errors import TrasmalloError

KINDS = {
    "archive": "store/archive/*.warc.gz",
    "archive format": "store/archive/format",
    "catalog rows": "store/catalog/*.sst",
    "catalog names": "store/catalog/MANIFEST-*",
    "catalog current": "store/catalog/CURRENT",
    "catalog log": "store/catalog/*.log",
    "catalog options": "store/catalog/OPTIONS-*",
    "catalog digests": "store/catalog/digests.json",
    "catalog configuration": "store/catalog/rocksdict-config.json",
    "closed archive": "store/archive/.*.closed",
    "frontier": "runs/*/frontier/*",
    "tables": "runs/*/*.parquet",
    "tokens": "runs/*/tokens.columns",
    "copies": "runs/*/*.jsonl",
    "index": "runs/*/index/*",
    "run": "runs/*/run.json",
    "status": "runs/*/progress.json",
    "digests": "runs/*/digests.json",
    "crawl state": "runs/*/[btr][oru]*s*",
    "border": "runs/*/border",
    "probes": "runs/*/probes",
    "clock": "runs/*/clock",
    "parts": "runs/*/parts/*/*",
    "verdicts": "verdicts.tsv",
    "list": "stop.txt",
    "project file": "trasmallo.toml",
    "layers": "runs/*/*.*.parquet",
    "settings of tables": "runs/*/study.json",
    "visits": "runs/*/[gev]*s*.jsonl",
    "snapshots": "snapshots/*/*",
    "index of snapshots": "snapshots/*/index/*",
    "sites left out": "left-out-sites.json",
    "rights": "store/catalog.rights.*",
    "sources": "store/sources.manifest",
    "accounts": "store/imap-*.json",
    "checkpoint": "store/visits.checkpoint",
    "subcorpora": "subcorpora.json",
    "decisions": "entities.tsv",
    "own kinds": "entities.toml",
    "annotations": "annotations/*",
    "topics": "topics.json",
    "marks": "marks.jsonl",
    "line groups": "line-groups/*.jsonl",
    "queries": "queries/*.jsonl",
    "answers of jobs": "jobs/*/answer.json",
}
"""Files of a project by what they are."""

LIVING = ("layers", "settings of tables", "visits", "checkpoint", "snapshots", "index of snapshots", "sites left out")
"""Those that only a collection has that was revisited, frozen, and relieved of a site."""

WORKED = ("decisions", "own kinds", "annotations", "topics", "marks", "line groups", "queries")
LOCAL = ("rights", "sources", "accounts", "subcorpora", *WORKED, "answers of jobs")
"""Those that only a project has that starts from folders and mailboxes, or that somebody has worked on."""

USERS = ("verdicts", "list", "project file", *WORKED)
"""Those that people write: where one can still be read after the damage, it says what it says."""

ALWAYS_ALIKE = ("emptied", "missing")
"""Damages that leave the same of a file each time, so that a second round would show nothing."""

FEW = {"flipped": 3}
"""Files of a kind that are damaged in a way where a few are enough: one unless said here."""

Answers = dict[str, object]
Damage = Callable[[Path, random.Random], None]


def _flip(path: Path, rng: random.Random) -> None:
    content = bytearray(path.read_bytes())
    for _ in range(1 if rng.random() < 0.5 else 20):
        content[rng.randrange(len(content))] ^= rng.randrange(1, 256)
    path.write_bytes(content)


def _cut(path: Path, rng: random.Random) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: rng.randrange(len(content))])


DAMAGES: dict[str, Damage] = {
    "flipped": _flip,
    "truncated": _cut,
    "emptied": lambda path, _: path.write_bytes(b"") and None,
    "missing": lambda path, _: path.unlink(),
    "lengthened": lambda path, rng: path.write_bytes(path.read_bytes() + rng.randbytes(40)) and None,
}


def _tables(project: Project, out: Path) -> object:
    names = ("pages", "words", "links", "collocations", "unknown", "ranks")
    with project.tables() as tables:
        return {name: [tuple(map(_rounded, row)) for row in tables.ask(name, Question(limit=30))] for name in names}


def _rounded(value: object) -> object:
    """The last bits of a rank may depend on who asked before, as long as a run goes on."""
    return round(value, 6) if isinstance(value, float) else value


def _export(project: Project, out: Path) -> object:
    written = {}
    for kind, name in (("csv", "words.csv"), ("conllu", "texts.conllu")):
        project.export(kind, out / name, **({"table": "words"} if kind == "csv" else {}))
        written[name] = [line for line in (out / name).read_text("utf-8").splitlines() if not line.startswith("#")]
    return written


def _status(project: Project, out: Path) -> object:
    found = msgspec.to_builtins(project.status())
    return {name: found[name] for name in ("run", "state", "ended", "outcomes", "progress")}


def _asked_frozen(project: Project, name: str) -> object:
    frozen = project.as_of(name)
    words = [(row["word"], row["count"]) for row in frozen.table("words", limit=30)]
    return words, [hit.url for hit in frozen.find("gatos").hits], msgspec.to_builtins(frozen.kwic("gatos", limit=50))


COMMANDS: dict[str, Callable[[Project, Path], object]] = {
    "status": _status,
    "summary": lambda project, _: project.summary(),
    "incidents": lambda project, _: sorted(map(repr, project.incidents())),
    "list": _tables,
    "find": lambda project, _: [(hit.url, hit.title) for hit in project.find("puerto barcos").hits],
    "kwic": lambda project, _: msgspec.to_builtins(project.kwic("puerto", limit=50)),
    "laws": lambda project, _: repr(project.laws()),
    "export": _export,
    "pending": lambda project, _: project.pending(),
    "sites": lambda project, _: project.sites(),
    "frozen": lambda project, _: [(each, _asked_frozen(project, each.name)) for each in project.snapshots()],
}
"""Commands that only read."""


def _of_another(project: Project) -> object:
    """What somebody is told who may read nothing of it."""
    with asking_as("60001"):
        theirs = Project.open(project.folder)
        return [row["url"] for row in theirs.table("pages")], [hit.url for hit in theirs.find("casa").hits]


def _of_subcorpora(project: Project) -> object:
    return {name: [row["url"] for row in project.subcorpus(name).table("pages")] for name in project.subcorpora()}


LOCAL_COMMANDS: dict[str, Callable[[Project, Path], object]] = {
    "list": COMMANDS["list"],
    "kwic of a house": lambda project, _: msgspec.to_builtins(project.kwic("casa", limit=50)),
    "asked by another": lambda project, _: _of_another(project),
    "subcorpora": lambda project, _: _of_subcorpora(project),
    "entities": lambda project, _: sorted(map(repr, project.table("entities"))),
    "decisions": lambda project, _: project.entity_decisions(),
    "own kinds": lambda project, _: project.own_kinds(),
    "annotations": lambda project, _: project.annotations(),
    "topics": lambda project, _: msgspec.to_builtins(project.topics()),
    "marks": lambda project, _: project.marks(),
    "line groups": lambda project, _: {name: project.line_group(name) for name in group_names(project.folder)},
    "queries": lambda project, _: (project.saved_queries(), project.query_history()),
    "answers of jobs": lambda project, _: [project.job_answer(state.job.number) for state in project.jobs()],
}
"""Commands that read what those projects have."""


def answers(folder: Path, out: Path, commands: Iterable[str] = COMMANDS) -> Answers:
    """What each command answers about the project in a folder, or the error that it says; all others are raised."""
    known = COMMANDS | LOCAL_COMMANDS
    out.mkdir(exist_ok=True)
    found: Answers = {}
    for name in commands:
        try:
            found[name] = known[name](Project.open(folder), out)
        except TrasmalloError as error:
            found[name] = error
    return found


def judge(found: Answers, expected: Answers) -> list[str]:
    """What is wrong with answers about a damaged project: they must be the right ones, or errors that say how to repair."""
    wrong = []
    for name, answer in found.items():
        if isinstance(answer, TrasmalloError):
            if "\n" in str(answer) or not answer.repair:
                wrong.append(f"{name}: {str(answer)[:200]!r}")
        elif answer != expected[name]:
            wrong.append(f"{name}: another answer")
    return wrong


def damaged_copies(
    source: Path, target: Path, kind: str, damage: str, rounds: int = 0, few: int | None = None
) -> Iterator[Path]:
    """Copies of a project, each with one file of a kind damaged in a way; the name of the file is that of the copy's note.

    Each round has at most `few` files, others each time. Unless told that is all of them, as often as the damage differs; no
    rounds are one of as many files as `FEW` says.
    """
    files = [path for path in sorted(source.glob(KINDS[kind])) if path.is_file() and path.name != "lock"]
    if damage in ("flipped", "truncated", "emptied"):  # which nothing can be
        files = [path for path in files if path.stat().st_size]
    few = (len(files) if rounds else FEW.get(damage, 1)) if few is None else few
    for number in range(1 if few >= len(files) and damage in ALWAYS_ALIKE else max(rounds, 1)):
        for path in _drawn(files, few, f"{kind} {damage}", number):
            name = path.relative_to(source)
            shutil.rmtree(target, ignore_errors=True)
            shutil.copytree(source, target)
            DAMAGES[damage](target / name, random.Random(f"{name.suffix}{name.parts}{damage}{number}"))
            yield name


def _drawn(files: Sequence[Path], few: int, seed: str, number: int) -> list[Path]:
    """So many files of a round, those that no round before it had where there are enough."""
    mixed = random.Random(seed).sample(files, len(files))
    return [mixed[(number * few + place) % len(files)] for place in range(min(few, len(files)))]
