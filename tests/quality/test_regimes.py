"""Prepositional regimes found in Spanish sentences whose categories were given by hand, against those that grammars list."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
import pytest

from support.token_documents import told
from trasmallo.store.tokens import SENTENCE, Builder, Corpus
from trasmallo.study import regimes
from trasmallo.study.phrases import patterns_of
from trasmallo.study.sequence_bounds import Bounds
from trasmallo.values.model import Tagged

SHARED = Path(os.environ.get("TRASMALLO_SHARED", Path(__file__).resolve().parents[3] / "shared"))
DATA = SHARED / "data" / "morph"
KNOWN = {
    "a": ("dedicar", "llegar", "pertenecer", "referir", "unir", "volver"),
    "con": ("contar",),
    "de": ("depender", "hablar", "tratar"),
    "en": ("basar", "consistir", "convertir", "insistir", "participar", "pensar"),
    "por": ("apostar", "caracterizar"),
}
"""Prepositions and verbs that govern them."""


def read_corpus(path: Path) -> Corpus:
    builder = Builder()
    for number, name in enumerate(("ancora-dev", "gsd-dev")):
        words, lemmas, categories, flags = [], [], [], bytearray()
        begins = True
        for line in gzip.decompress((DATA / f"{name}.tsv.gz").read_bytes()).decode().splitlines():
            if line.strip():
                word, analysis, _ = line.split("\t")
                _, lemma, category, *_ = analysis.split("\x1e")[0].split("\x1f")
                words.append(word)
                lemmas.append(lemma.lower())
                categories.append(category)
                flags.append(SENTENCE if begins else 0)
            begins = not line.strip()
        ends = np.cumsum([len(word) + 1 for word in words])
        starts = ends - [len(word) + 1 for word in words]
        builder.add(
            told(
                f"{number:016x}",
                "es",
                list(map(Tagged, words, lemmas, categories)),
                flags,
                starts.tolist(),
                (ends - 1).tolist(),
            )
        )
    builder.write(path)
    return Corpus.open(path)


@pytest.mark.quality
@pytest.mark.skipif(
    not DATA.is_dir(), reason=f"no sentences in {DATA}: set TRASMALLO_SHARED to the folder that holds data/morph"
)
def test_verbs_govern_what_grammars_say(tmp_path: Path) -> None:
    corpus = read_corpus(tmp_path / "tokens")
    names = corpus.categories.texts(range(len(corpus.categories)))
    tokens = regimes.Tagged(corpus.lemma, corpus.category, names, Bounds(corpus.documents.bounds, corpus.sentences))
    (verbs,) = regimes.find_regimes(tokens, {"VERB": patterns_of("es").regimes["VERB"]}, least=2)
    attracted = verbs.measures.mi > 0
    best: dict[str, str] = {}
    for place in np.lexsort((-verbs.measures.log_likelihood,)):
        if attracted[place]:
            best.setdefault(corpus.lemmas[verbs.governor[place]], corpus.lemmas[verbs.preposition[place]])
    wanted = {verb: preposition for preposition, those in KNOWN.items() for verb in those}
    assert {verb: best.get(verb) for verb in wanted} == wanted
