"""What it costs to keep a collection young: a first run of the test web, a revisit of nothing new, one of some changed pages.

    python benchmarks/revisit.py --web FOLDER [--pages 20000] [--share 0.01] [--keep FOLDER] [--compare]

The test web is started beforehand; FOLDER holds its `site/`. With --pages a web of so many is made there, from `bench/testweb`
of the folder in TRASMALLO_SHARED, and served while the benchmark lasts (as root: it names hosts). Each step is a command in a
process of its own, whose CPU seconds are told, also per 1,000 pages and as a share of the first run's; bytes are those that the
server's log tells. A changed page gets one more paragraph, as a file and compressed, and is put back at the end. With --compare
a project made new from the changed web answers the same questions: all tables, and the hits of words of theirs. --keep leaves
the projects there.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import duckdb
import msgspec

from trasmallo.results import registry
from trasmallo.results.registry import OnDemand

_SENTENCE = "El ayuntamiento anunció ayer que el mercado nuevo abrirá sus puertas en primavera, dijo {name}."
_SIZE = re.compile(rb" (\d{3}) (\d+) /")
_OF_THE_RUN = frozenset({"at", "first_at", "first_url", "via", "reached", "seed", "depth"})
"""Columns that tell when and on which way a page was obtained, not what it says."""


class Step(msgspec.Struct):
    """What a step took, and how many bytes the server sent."""

    name: str
    wall: float
    cpu: float
    sent: int
    answers: int


def main() -> None:
    """Run the steps and print a table."""
    options = _options()
    with _served(options.web, options.pages) if options.pages else nullcontext():
        _measure(options)


def _measure(options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() if options.keep is None else nullcontext(options.keep) as home:
        project = Path(home) / "project"
        _make(project, options.web)
        steps = [_step("first run", options.web, "run", project)]
        budget = ("--budget", 2 * _pages(project))
        steps.append(_step("nothing changed", options.web, "revisit", project, *budget))
        with _changed(options.web, options.share) as number:
            steps.append(_step(f"{number} changed", options.web, "revisit", project, *budget))
            if options.compare:
                other = Path(home) / "anew"
                _make(other, options.web)
                steps.append(_step("made anew", options.web, "run", other))
        _print(steps, _pages(project))
        if options.compare:
            _compare(project, other)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--web", type=Path, required=True)
    parser.add_argument("--pages", type=int)
    parser.add_argument("--share", type=float, default=0.01)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--compare", action="store_true")
    return parser.parse_args()


@contextmanager
def _served(web: Path, pages: int) -> Iterator[None]:
    """A test web of so many pages while it lasts, made where it is not there yet."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    shutil.copytree(Path(os.environ.get("TRASMALLO_SHARED", beside)) / "bench" / "testweb", web, dirs_exist_ok=True)
    if not (web / "site" / "seeds.txt").exists():
        made = (sys.executable, "gen.py", "--pages", str(pages), "--out", str(web.absolute() / "site"))
        subprocess.run(made, cwd=web, check=True)
    subprocess.run(["./start.sh"], cwd=web, check=True)
    try:
        yield
    finally:
        subprocess.run(["./stop.sh"], cwd=web, check=True)


def _make(project: Path, web: Path) -> None:
    seeds = (web / "site" / "seeds.txt").read_text(encoding="ascii").split()
    _command("new", project, *seeds)
    file = project / "trasmallo.toml"
    text = file.read_text(encoding="utf-8")
    for key, value in {"lines": 100, "delay": 0, "scope": '"any"', "private": '["127.0.0.0/8"]'}.items():
        text, found = re.subn(rf"(?m)^{key} = [^#\n]+", f"{key} = {value} ", text)
        assert found == 1, key
    file.write_text(text, encoding="utf-8")


def _command(*words: object) -> str:
    command = [sys.executable, "-m", "trasmallo", *map(str, words)]
    # An installed package is compiled once; with this variable set every process would compile it again.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout


def _step(name: str, web: Path, *words: object) -> Step:
    log = web / "site" / "logs" / "access.log"
    size, before, began = log.stat().st_size, _cpu(), time.perf_counter()
    _command(*words, "--quiet")
    wall, cpu = time.perf_counter() - began, _cpu() - before
    _reload(web)
    with log.open("rb") as file:
        file.seek(size)
        sent = [int(found[2]) for found in map(_SIZE.search, file) if found]
    step = Step(name, wall, cpu, sum(sent), len(sent))
    print(step, file=sys.stderr)
    return step


def _reload(web: Path) -> None:
    """Let the server write down what it did, and forget what it knows of its files."""
    os.kill(int((web / "site" / "nginx.pid").read_text(encoding="ascii")), signal.SIGHUP)
    time.sleep(3)


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def _changed(web: Path, share: float) -> Iterator[int]:
    """Change a share of the pages while it lasts; returns how many."""
    files = sorted(path for path in (web / "site" / "www").rglob("*.html.gz") if "private" not in path.parts)
    chosen = random.Random(7).sample(files, round(share * len(files)))
    kept = {
        path: (path.read_bytes(), path.stat().st_mtime)
        for each in chosen
        for path in (each, each.with_suffix(""))
        if path.exists()
    }
    for path, (content, _) in kept.items():
        path.write_bytes(_with_paragraph(content, path))
    _reload(web)
    try:
        yield len(chosen)
    finally:
        for path, (content, modified) in kept.items():
            path.write_bytes(content)
            os.utime(path, (modified, modified))


def _with_paragraph(content: bytes, path: Path) -> bytes:
    raw = gzip.decompress(content) if path.suffix == ".gz" else content
    name = path.name.split(".")[0].replace("-", " ")
    place = max(raw.find(b"<p>"), 0)
    paragraph = f"<p>{_SENTENCE.format(name=name)}</p>".encode("ascii", "xmlcharrefreplace")
    changed = raw[:place] + paragraph + raw[place:]
    return gzip.compress(changed, 6) if path.suffix == ".gz" else changed


def _pages(project: Path) -> int:
    return len(_listed(project, "texts", "--columns", "document", "--limit", 0))


def _listed(project: Path, table: str, *words: object) -> list[dict[str, object]]:
    return [json.loads(line) for line in _command("list", project, table, "--json", *words).splitlines()]


def _print(steps: list[Step], pages: int) -> None:
    first = steps[0]
    print(f"{pages} pages, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"{'step':>18}" + "".join(f"{head:>14}" for head in ("wall s", "CPU s", "CPU s/1000", "CPU %", "bytes %", "answers")))
    for step in steps:
        figures = step.wall, step.cpu, 1000 * step.cpu / pages, 100 * step.cpu / first.cpu, 100 * step.sent / first.sent
        print(f"{step.name:>18}" + "".join(f"{figure:>14.2f}" for figure in figures) + f"{step.answers:>14}")


def _compare(project: Path, other: Path) -> None:
    """Say which tables differ, and which hits."""
    for name, table in registry.all_tables().items():
        if not isinstance(table.made, OnDemand):
            print(f"{name:>24}  {_differences(*(_exported(each, name) for each in (project, other)))}")
    words = _listed(other, "words", "--columns", "word", "--limit", 20_000)
    asked = random.Random(3).sample([str(row["word"]) for row in words], 40)
    same = [_hits(project, word) == _hits(other, word) for word in asked]
    print(f"{sum(same)} of {len(same)} questions have the same hits in the same order")


def _exported(project: Path, table: str) -> Path:
    """A table as a file: in the folder of a run it may be layers, or not made yet."""
    path = project.with_name(f"{project.name}-{table}.parquet")
    _command("export", project, "--as", "parquet", "--table", table, "-o", path, "--quiet")
    return path


def _differences(one: Path, other: Path) -> str:
    """How many rows one table has and the other lacks, by what the pages say."""
    with duckdb.connect() as connection:
        columns = [row[0] for row in connection.execute(f"DESCRIBE FROM '{one}'").fetchall() if row[0] not in _OF_THE_RUN]
        chosen = ", ".join(f'"{column}"' for column in columns)
        rows = [f"SELECT {chosen} FROM '{path}'" for path in (one, other)]
        apart = [f"SELECT count(*) FROM ({first} EXCEPT ALL {second})" for first, second in (rows, rows[::-1])]
        numbers = [connection.execute(sql).fetchall()[0][0] for sql in apart]
    return "same" if not any(numbers) else f"{numbers[0]} and {numbers[1]} rows differ"


def _hits(project: Path, word: str) -> list[str]:
    return [hit["url"] for hit in json.loads(_command("find", project, word, "--json", "--limit", "50"))["hits"]]


if __name__ == "__main__":
    main()
