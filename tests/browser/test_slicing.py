"""The core of slicing in real browsers: the vectors that Python wrote, and random pages beside them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from browser.conftest import Evaluate
from support.slicing_vectors import GOLDEN, write
from trasmallo.clean.slicing import inflection, meaning

CORE = Path(__file__).resolve().parents[2] / "extension" / "core"
SCRIPTS = [*(CORE / name for name in json.loads((CORE / "order.json").read_text("utf-8"))), GOLDEN / "compare.js"]
COMPARE = """files => {
  const lines = text => text.split("\\n").filter(Boolean).map(line => JSON.parse(line));
  const {pages, cases, criteria, lexicon, forms, tree, related} = files, trees = compareRelated(lines(related));
  const found = compareSlices({pages: lines(pages), cases: lines(cases), criteria: lines(criteria), lexicon, forms, tree});
  const wrong = [...trees.wrong, ...found.wrong];
  return {run: found.run, wrong: wrong.length, first: JSON.stringify(wrong.slice(0, 3))};
}"""
READ = """async bytes => {
  const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const lexicon = trasmallo.readMeaning(await new Response(stream).text());
  return [lexicon.language, lexicon.distance("felinos", lexicon.relate(["gato"])), lexicon.weigh("los")];
}"""


FORMS = """async bytes => {
  const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const table = trasmallo.readForms(await new Response(stream).text());
  return [table.language, table.expand("marcar").includes("marcó"), table.expand("xyz").length];
}"""


def run(evaluate: Evaluate, folder: Path) -> Any:
    # As texts, since no protocol carries the lone surrogates that some pages have.
    names = ["pages.jsonl", "cases.jsonl", "criteria.jsonl", "lexicon.txt", "forms.txt", "tree.txt", "related.jsonl"]
    files = {name.partition(".")[0]: (folder / name).read_text("utf-8") for name in names}
    return evaluate(SCRIPTS, COMPARE, files)


def test_the_vectors(evaluate: Evaluate) -> None:
    found = run(evaluate, GOLDEN)
    assert found["run"] >= 2_600
    assert found["wrong"] == 0, found["first"]


def test_random_pages(evaluate: Evaluate, tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(2**32)
    write(tmp_path, seed, 100, 200, 50)
    found = run(evaluate, tmp_path)
    assert found["wrong"] == 0, (seed, found["first"])


def test_files_of_meanings_can_be_read(evaluate: Evaluate) -> None:
    content = Path(meaning.__file__).with_name("meanings").joinpath("es.gz").read_bytes()
    assert evaluate(SCRIPTS, READ, list(content)) == ["es", 2, 0]


def test_tables_of_forms_can_be_read(evaluate: Evaluate) -> None:
    content = Path(inflection.__file__).with_name("forms").joinpath("es.gz").read_bytes()
    assert evaluate(SCRIPTS, FORMS, list(content)) == ["es", True, 0]
