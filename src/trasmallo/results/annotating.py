"""Names marked by people beside those that the program finds: what to look at next, how far both agree, and files of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from trasmallo.results.database.tables import Tables
from trasmallo.study.entities.annotated_documents import Annotation, digest_of
from trasmallo.study.entities.evaluation import Confusion, NameComparison, Score
from trasmallo.study.entities.labelled_files import labelled
from trasmallo.study.entities.learning import Method, train_model
from trasmallo.study.entities.markup import as_columns
from trasmallo.study.entities.model_files import save
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import UsageError, disk_errors
from trasmallo.values.model import Entity

NAMES_MARKED = ("PER", "LOC", "ORG", "MISC")
"""The kinds that the app offers first."""
ExportForm = Literal["jsonl", "conll"]
"""Marked documents with their texts, which come back as they went; or a word a line with its label, for training."""
_DOUBTFUL = """
    SELECT m.text, m.kind, m.score, coalesce(nullif(p.title, ''), p.url), p.url, m.document, m."start", m."end"
    FROM mentions m JOIN all_pages p USING (document) LEFT JOIN copies c USING (document)
    WHERE c.document IS NULL AND m.source IN ('model', 'trained') AND (? = '' OR m.kind = ?)
          AND m.document NOT IN (SELECT unnest(?))
    ORDER BY m.score, m.document, m."start" LIMIT ?"""
_TEXTS = "SELECT document, text FROM texts WHERE document IN (SELECT unnest(?))"
_FOUND = """SELECT document, "start", "end", kind FROM mentions WHERE document IN (SELECT unnest(?))"""


class Suggestion(msgspec.Struct, frozen=True):
    """A name that its finder is unsure of, where it stands."""

    text: str
    kind: str
    score: float
    title: str
    url: str
    document: str
    start: int
    end: int


class AgreementReport(msgspec.Struct, frozen=True):
    """Agreement of program and people in `documents` that are complete: scores by kind, and what was taken for what.

    `stale` documents were marked in another text than the run has.
    """

    documents: int
    partial: int
    stale: int
    scores: tuple[Score, ...]
    confusion: tuple[Confusion, ...]


def find_suggestions(
    tables: Tables, annotations: Sequence[Annotation], *, kind: str = "", limit: int = 100
) -> list[Suggestion]:
    """The names that a model is least sure of, in documents that are not complete."""
    done = [one.document for one in annotations if one.complete]
    return [Suggestion(*row) for row in tables.select(_DOUBTFUL, [kind, kind, done, limit])]


def texts_of(tables: Tables, annotations: Sequence[Annotation]) -> dict[str, str]:
    """The texts of annotated documents as they were when they were marked; others are left out."""
    found: dict[str, str] = dict(tables.select(_TEXTS, [[one.document for one in annotations]]))
    return {one.document: found[one.document] for one in annotations if digest_of(found.get(one.document, "")) == one.digest}


def find_agreement(tables: Tables, annotations: Sequence[Annotation]) -> AgreementReport:
    """Precision and recall of what the run found, by what people marked; only kinds that they marked anywhere count."""
    texts = texts_of(tables, annotations)
    complete = [one for one in annotations if one.complete and one.document in texts]
    kinds = {*NAMES_MARKED, *(span.kind for one in complete for span in one.spans)}
    found: dict[str, dict[tuple[int, int], str]] = {one.document: {} for one in complete}
    for document, start, end, kind in tables.select(_FOUND, [list(found)]):
        found[document] |= {(start, end): kind} if kind in kinds else {}
    compared = NameComparison()
    for one in complete:
        compared.add({(span.start, span.end): span.kind for span in one.spans}, found[one.document])
    return AgreementReport(
        documents=len(complete),
        partial=sum(not one.complete for one in annotations),
        stale=sum(one.document not in texts for one in annotations),
        scores=compared.scores() if complete else (),
        confusion=compared.confusion(),
    )


def write_annotations(tables: Tables, annotations: Sequence[Annotation], path: Path) -> int:
    """Write annotated documents: JSON lines with their texts, or CoNLL columns of those that are complete (.conll)."""
    pieces = exported(tables, annotations, "conll" if path.suffix == ".conll" else "jsonl")
    with disk_errors(path):
        write_whole(path, b"".join(pieces))
    return len(pieces)


def exported(tables: Tables, annotations: Sequence[Annotation], form: ExportForm) -> list[bytes]:
    """Annotated documents as a file has them, one after the other; CoNLL has only complete ones."""
    texts = texts_of(tables, annotations)
    if form == "jsonl":
        whole = (msgspec.structs.replace(one, text=texts.get(one.document, "")) for one in annotations)
        return [msgspec.json.encode(one) + b"\n" for one in whole]
    chosen = [(one, texts[one.document]) for one in annotations if one.complete and one.document in texts]
    return [as_columns(text, list(_as_entities(one, text)), one.language).encode() for one, text in chosen]


class TrainedModel(msgspec.Struct, frozen=True):
    """A model that was trained on marked documents, and the digest of its file."""

    model: str
    method: str
    sentences: int
    kinds: tuple[str, ...]
    sha256: str


def train_on(tables: Tables, annotations: Sequence[Annotation], path: Path, method: Method, language: str) -> TrainedModel:
    """Train a model on the complete documents and save it; raises UsageError where no name is marked in any."""
    texts = texts_of(tables, annotations)
    complete = [one for one in annotations if one.complete and one.document in texts]
    sentences = [
        sentence for one in complete for sentence in labelled(texts[one.document], one.spans, one.language or language)
    ]
    if not any(label != "O" for sentence in sentences for _, label in sentence):
        raise UsageError("no name is marked in a complete document", "mark some, and say that their documents are complete")
    model = train_model(sentences, method, language, "annotations")
    kinds = tuple(sorted({label[2:] for label in model.labels if label != "O"}))
    return TrainedModel(str(path), method, len(sentences), kinds, save(model, path))


def _as_entities(one: Annotation, text: str) -> Iterator[Entity]:
    for span in one.spans:
        yield Entity(text[span.start : span.end], span.kind, span.start, span.end, "", "human")


def read_annotations(path: Path) -> list[Annotation]:
    """The annotations in a file of JSON lines; raises UsageError with the line."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise UsageError(
            "cannot read {path} ({reason})", "give a file of JSON lines", path=path, reason=error.strerror
        ) from None
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found += [msgspec.json.decode(line, type=decodable(Annotation))] if line.strip() else []
        except UNDECODABLE as error:
            raise UsageError(
                "{path}, line {number}: no annotation ({error})",
                "give what `trasmallo annotations DIR --export` wrote",
                path=path,
                number=number,
                error=error,
            ) from None
    return found
