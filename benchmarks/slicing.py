"""Slice a page of 20,000 elements, in Python and in node: CPU milliseconds, best of several runs.

    python benchmarks/slicing.py [--runs N]

Parsing (lexbor's tree) is not counted, nor where each element ends, which the parser's walk gives; the flat form is a row of
its own.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from trasmallo.clean.flat import flatten
from trasmallo.clean.slicing import meaning
from trasmallo.clean.slicing.criterion import parse
from trasmallo.clean.slicing.page import PageArrays, from_flat
from trasmallo.clean.slicing.steps import Step, slice_flat
from trasmallo.clean.slicing.tolerance import read_tolerance

ROOT = Path(__file__).resolve().parents[1]
ELEMENTS = 20_000
CASES = [
    ("gato", "0"),
    ("gato", "2"),
    ("gato AND (perro OR raza) AND NOT casa", "0"),
    ('"el gato" OR MIN(perro, 2)', "1"),
    ("NOT gato", "0"),
    ("gato", "near:3"),
    ("gato", "meaning:2"),
]

NODE = """
const fs = require("fs"), path = require("path"), vm = require("vm");
const [core, file] = process.argv.slice(1);
for (const name of JSON.parse(fs.readFileSync(path.join(core, "order.json"), "utf8")))
  vm.runInThisContext(fs.readFileSync(path.join(core, name), "utf8"), {filename: name});
const {page, cases, runs, lexicon} = JSON.parse(fs.readFileSync(file, "utf8"));
page.parent = Int32Array.from(page.parent);
const meaning = trasmallo.readMeaning(lexicon);
const best = (work) => {
  let least = Infinity;
  for (let k = 0; k < runs; k++) {
    const began = process.cpuUsage();
    work();
    const spent = process.cpuUsage(began);
    least = Math.min(least, (spent.user + spent.system) / 1000);
  }
  return least;
};
const prepared = trasmallo.prepare(page);
console.log(JSON.stringify(cases.map(([criterion, tolerance]) => {
  const steps = [{tree: trasmallo.parse(criterion).tree, tolerance}];
  trasmallo.slice(page, steps, {meaning});
  return [best(() => trasmallo.slice(page, steps, {meaning})), best(() => trasmallo.slice(prepared, steps, {meaning}))];
})));
"""


def make_page(elements: int) -> str:
    """Articles with headings, links, lists and a table; half of the elements stand inside a line."""
    chance = random.Random(1)
    listed = "el la de que y en un gato perro raza casa calle ciudad tiempo año noche luz agua red barco puerto niña señor"
    words = listed.split()

    def text(count: int) -> str:
        return " ".join(chance.choices(words, k=count))

    parts = []
    for number in range(elements // 20):
        cells = "".join(f"<td>{text(2)}" for _ in range(4))
        items = "".join(f'<li><a href="/{chance.choice(words)}/{number}.html">{text(3)}</a>' for _ in range(3))
        parts.append(
            f'<article class="card n{number}"><h2>{text(4)}</h2><p>{text(25)}. <b>{text(1)}</b> {text(12)}.</p><ul>{items}</ul>'
            f'<p>{text(30)} <a href="/a?x={number}">{text(2)}</a>.<img src="/i/{number}.jpg" alt="{text(2)}"></p>'
            f"<table><tbody><tr>{cells}</table></article>"
        )
    return f"<!doctype html><html lang=es><body><main>{''.join(parts)}</main></body></html>"


def best(work: Callable[[], Any], runs: int) -> float:
    times = []
    for _ in range(runs):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return 1000 * min(times)


def in_node(page: PageArrays, runs: int) -> list[list[float]] | None:
    node = shutil.which("node")
    if node is None:
        return None
    lexicon = meaning.load("es")
    assert lexicon is not None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.json"
        flat = {"parent": page.parent, "tag": page.tag, "attrs": page.attrs, "text": page.text}
        written = meaning.text_of("es")
        file.write_text(json.dumps({"page": flat, "cases": CASES, "runs": runs, "lexicon": written}), "utf-8")
        command = [node, "-e", NODE, str(ROOT / "extension" / "core"), str(file)]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)  # type: ignore[no-any-return]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    html = make_page(ELEMENTS)
    flat = flatten(html)
    page = from_flat(flat)
    elements = sum(tag != "#text" for tag in page.tag)
    print(f"{elements:,} elements, {len(page) - elements:,} texts, {len(html):,} characters; CPU ms, best of {runs}")
    print(f"{'parse and walk':45} {best(lambda: flatten(html), runs):8.1f}")
    print(f"{'attributes to the flat form':45} {best(lambda: from_flat(flat), runs):8.1f}")
    print(f"{'criterion':38} {'toler.':10} {'Python':>8} {'node':>8} {'node, prepared':>15}")
    scripted = in_node(page, runs)
    for number, (criterion, tolerance) in enumerate(CASES):
        steps = [Step(parse(criterion), tolerance=read_tolerance(tolerance))]

        def once(steps: list[Step] = steps) -> None:
            fresh = PageArrays(page.parent, page.tag, page.attrs, page.text)
            fresh.__dict__["end"] = page.end
            slice_flat(fresh, steps, meaning.load("es"))

        once()
        row = f"{criterion:38} {tolerance:10} {best(once, runs):8.1f}"
        print(row + ("" if scripted is None else f" {scripted[number][0]:8.1f} {scripted[number][1]:15.1f}"))
    if scripted is None:
        print("node skipped: it is not installed")


if __name__ == "__main__":
    main()
