"""Exports: a made corpus is written in every format of running text and table.

`python benchmarks/exports.py [--tokens N]`: each format runs in a process of its own and tells its CPU seconds and its largest
resident memory. The peer is what a script does by hand: lxml's writer and one formatted string a token, over the same columns.
Words fall as Zipf's law says, and everything comes from one seed.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from trasmallo.pipeline.completion import remove_parts
from trasmallo.pipeline.staleness import start_run
from trasmallo.project.project import Project
from trasmallo.results.database.tables import Tables
from trasmallo.results.exports.documents import documents
from trasmallo.results.registry import FromParts, made_by
from trasmallo.results.rows import PageRow, TextRow
from trasmallo.results.run_corpus import compile_corpus, open_corpus
from trasmallo.store import run_folders
from trasmallo.store.parts import write_part
from trasmallo.store.tokens import SENTENCE, Builder, DocumentTokens
from trasmallo.values.model import Tagged
from trasmallo.values.software import SOFTWARE

SEED = 20261116
VOCABULARY = 200_000
DOCUMENT = 800
PART = 250
CATEGORIES = ("NOUN", "VERB", "ADJ", "ADP", "DET", "PUNCT")
FORMATS = ("vert", "conllu", "tei", "csv", "jsonl", "parquet")


def make(folder: Path, tokens: int) -> None:
    """A finished run whose tokens and texts agree."""
    project = Project.new(folder)
    config = project.config
    run = start_run(project.runs, config, "import", SOFTWARE)
    chance = np.random.default_rng(SEED)
    ends = np.cumsum(1 / (np.arange(VOCABULARY) + 2.7))
    words = np.array([f"palabra{number}" for number in range(VOCABULARY)], dtype=object)
    for part, begin in enumerate(range(0, tokens, DOCUMENT * PART)):
        builder, tables = Builder(), {name: [] for name in made_by(FromParts)}
        for start in range(begin, min(begin + DOCUMENT * PART, tokens), DOCUMENT):
            drawn = np.searchsorted(ends / ends[-1], chance.random(DOCUMENT))
            add_document(f"{start:016x}", words[drawn].tolist(), drawn, chance, builder, tables)
        write_part(run.parts, f"{part:08}", tables, builder)
    compile_corpus(run)
    with Tables(run) as compiled:
        for table in ("pages", "texts"):
            compiled.write(table, run.folder / f"{table}.parquet", "parquet")
    run.manifest.crawled = True
    run.mark("finished")
    remove_parts(run)


def add_document(name: str, found: list[str], drawn: Any, chance: Any, builder: Builder, tables: dict[str, list[Any]]) -> None:
    gaps = [" ", " ", " ", "\n", ""]
    parted = [gaps[number] for number in chance.choice(5, len(found), p=[0.3, 0.3, 0.25, 0.02, 0.13]).tolist()]
    text = "".join(word + gap for word, gap in zip(found, parted, strict=True))
    lengths = np.array([len(word) for word in found])
    ends = np.cumsum(lengths + np.array([len(gap) for gap in parted])) - np.array([len(gap) for gap in parted])
    flags = ((chance.random(len(found)) < 0.05) | (np.array(["", *parted[:-1]], dtype=object) == "\n")).astype(
        np.uint8
    ) * SENTENCE
    categories = [CATEGORIES[number % 6] for number in drawn.tolist()]
    starts = (ends - lengths).tolist()
    readings, numbers = list(map(Tagged, found, found, categories)), np.arange(len(found))
    builder.add(DocumentTokens(name, "es", readings, numbers, flags.tobytes(), starts, ends.tolist()))
    url = f"https://example.org/{name}"
    page = PageRow(name, url, "example.org", 1.8e9, f"Título {name}", "es", "utf-8", "text/html", len(text), "", len(found))
    tables["pages"].append(page)
    tables["texts"].append(TextRow(name, text, f"{hash((SEED, name)) & (2**64 - 1):016x}" * 8))


def export(folder: Path, kind: str, out: Path) -> None:
    Project.open(folder).export(kind, out, table="texts" if kind in ("csv", "jsonl", "parquet") else "")


def by_hand(folder: Path, _: str, out: Path) -> None:
    """The same without what is ours: each token written on its own."""
    from lxml import etree

    project = Project.open(folder)
    corpus = open_corpus(run_folders.latest(project.runs))
    of_word, of_lemma, of_category = (corpus.type_of(name) for name in ("word", "lemma", "category"))
    with project.tables() as tables, out.open("wb") as file, etree.xmlfile(file) as xml, xml.element("TEI"):
        for document in documents(tables, corpus):
            with xml.element("text"):
                for number in document.types.tolist():
                    element = etree.Element("w")
                    element.text = corpus.words[int(of_word[number])]
                    element.set("lemma", corpus.lemmas[int(of_lemma[number])])
                    element.set("pos", corpus.categories[int(of_category[number])])
                    xml.write(element)


def measure(folder: Path, kind: str) -> dict[str, Any]:
    """CPU seconds and the largest memory, in a process of its own."""
    line = [sys.executable, __file__, "--step", kind, "--folder", str(folder)]
    return dict(json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout))


def step(folder: Path, kind: str) -> None:
    out = folder / f"out.{kind}"
    began = time.process_time()
    (by_hand if kind == "hand" else export)(folder, kind, out)
    cpu = time.process_time() - began
    peak = re.search(r"VmHWM:\s*(\d+)", Path("/proc/self/status").read_text())
    memory = int(peak[1]) / 1024 if peak else 0
    size = out.stat().st_size
    out.unlink()
    print(json.dumps({"cpu": cpu, "memory": memory, "size": size / 1e6}))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--tokens", type=int, default=5_000_000)
    arguments.add_argument("--step", default="")
    arguments.add_argument("--folder", type=Path)
    given = arguments.parse_args()
    if given.step:
        step(given.folder, given.step)
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "corpus"
        make(folder, given.tokens)
        print(f"{given.tokens:,} tokens\n\nformat    CPU s  M tokens a CPU s  MB written  memory MB")
        for kind in (*FORMATS, "hand"):
            told = measure(folder, kind)
            speed = given.tokens / told["cpu"] / 1e6
            print(f"{kind:<8} {told['cpu']:6.2f}  {speed:16.2f}  {told['size']:10.1f}  {told['memory']:9.0f}", flush=True)


if __name__ == "__main__":
    main()
