"""Entities of a project: users' own kinds, decisions about what is one entity, and marks made by hand."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trasmallo.project.queries import Queries
from trasmallo.project.working import works
from trasmallo.values.arguments import checked_text
from trasmallo.values.errors import NotFound, UsageError, disk_errors

if TYPE_CHECKING:
    from trasmallo.results.annotating import AgreementReport, ExportForm, Suggestion, TrainedModel
    from trasmallo.study.entities.annotated_documents import Annotation
    from trasmallo.study.entities.decisions import EntityDecision
    from trasmallo.study.entities.learning import Method
    from trasmallo.study.entities.own_kinds import KindRule, OwnEntry
    from trasmallo.study.entities.seed_learning import SeedLearning
    from trasmallo.values.model import Entity


TRAINED = "names.model"
"""The model of names that the app trains, in the project's folder."""


class EntityQueries(Queries):
    """The verbs of a project that are about entities; they change files beside the project file and no run."""

    def entities(self, text: str, language: str = "") -> list[Entity]:
        """The entities of a text, those of the project's own kinds among them."""
        from trasmallo.study.entities.found import find_entities

        path = self._kinds_path()
        return find_entities(text, language or self.config.language, kinds=path if path.is_file() else "")

    def own_kinds(self) -> list[KindRule]:
        """The lists, patterns and models of the project's own kinds."""
        from trasmallo.study.entities.own_kinds import load, rules

        return rules(load(self._kinds_path()))

    @works
    def add_list(
        self,
        kind: str,
        file: str | Path,
        *,
        case: bool = False,
        accents: bool = False,
        inflected: bool = False,
        verified: bool = False,
        titles: bool = False,
    ) -> list[KindRule]:
        """Have the names of a file found as a kind; `own_kinds.OwnList` says what the keywords mean. The next study uses it."""
        from trasmallo.study.entities.own_kinds import OwnList

        entry = OwnList(
            kind=checked_text(kind, "kind"), file=self._named_from_here(Path(file)), case=case, accents=accents,
            inflected=inflected, verified=verified, titles=titles,
        )  # fmt: skip
        return self._add(entry)

    @works
    def add_pattern(
        self, kind: str, pattern: str, *, before: str = "", after: str = "", verifies: Sequence[str] = (), score: float = 1.0
    ) -> list[KindRule]:
        """Have the hits of a corpus query found as a kind; `own_kinds.OwnPattern` says what the keywords mean."""
        from trasmallo.study.entities.own_kinds import OwnPattern

        entry = OwnPattern(
            kind=checked_text(kind, "kind"), pattern=checked_text(pattern, "pattern"), before=before, after=after,
            verifies=tuple(verifies), score=score,
        )  # fmt: skip
        return self._add(entry)

    @works
    def add_model(self, file: str | Path, kinds: Sequence[str] = ()) -> list[KindRule]:
        """Have names found by a model that `train_names` or `entities train` wrote; only those of `kinds`, () is all."""
        from trasmallo.study.entities.model_files import load
        from trasmallo.study.entities.own_kinds import OwnModel

        load(Path(file))  # a file that is no model is told before it is named
        return self._add(OwnModel(file=self._named_from_here(Path(file)), kinds=tuple(kinds)))

    @works
    def remove_kinds(self, *numbers: int) -> list[KindRule]:
        """Take lists, patterns and models out by their numbers; those that are left."""
        from trasmallo.study.entities.own_kinds import remove, rules

        return rules(remove(self._kinds_path(), numbers))

    def learn_kind(self, kind: str, seeds: Iterable[str] = (), *, limit: int = 100, run: str = "") -> SeedLearning:
        """Names and patterns that stand in a run's texts where known names of a kind do, with the evidence.

        Known are the names of the kind's lists, and `seeds`. What `accept_names` and `block_entities` were told is not offered
        again. Nothing is changed.
        """
        self._need_all()
        from trasmallo.study.entities.learnt_lists import listed_names
        from trasmallo.study.entities.own_kinds import load
        from trasmallo.study.entities.seed_learning import learn

        given = [seeds] if isinstance(seeds, str) else list(seeds)
        known = [*given, *listed_names(load(self._kinds_path()), self.folder, checked_text(kind, "kind"))]
        if not known:
            raise UsageError("there are no seeds of {kind}", "give some names, or a list of that kind", kind=kind[:40])
        blocked = [one.entity for one in self.entity_decisions() if one.act == "block" and one.kind == kind]
        with self.concordance(run) as concordance:
            return learn(concordance.corpus, known, known=blocked, limit=limit)

    @works
    def accept_names(self, kind: str, names: Iterable[str]) -> list[KindRule]:
        """Add names to the list of what was learnt of a kind (`learnt-KIND.txt`), which the next study uses."""
        from trasmallo.study.entities.learnt_lists import add_names

        given = [names] if isinstance(names, str) else list(names)
        name = add_names(self.folder, checked_text(kind, "kind"), given)
        if not any((one.kind, one.what) == (kind, name) for one in self.own_kinds()):
            return self.add_list(kind, self.folder / name)
        return self.own_kinds()

    def entity_decisions(self) -> list[EntityDecision]:
        """What was decided about entities, over all runs, in the order of the decisions."""
        self._need_all()
        from trasmallo.study.entities.decisions import load

        return load(self.folder)

    @works
    def merge_entities(self, names: Iterable[str], into: str, kind: str) -> list[EntityDecision]:
        """Say that entities of a kind are one with another, which gives them its name; a new name renames."""
        from trasmallo.study.entities.decisions import EntityDecision, decide

        given = [names] if isinstance(names, str) else list(names)
        return decide(self.folder, [EntityDecision("merge", kind, name, into) for name in given])

    @works
    def split_entity(self, name: str, written: Iterable[str], kind: str) -> list[EntityDecision]:
        """Say that what is written like this is not that entity; it is one of its own then."""
        from trasmallo.study.entities.decisions import EntityDecision, decide

        given = [written] if isinstance(written, str) else list(written)
        return decide(self.folder, [EntityDecision("split", kind, name, one) for one in given])

    @works
    def block_entities(self, names: Iterable[str], kind: str) -> list[EntityDecision]:
        """Say that names of a kind are no entities: they leave the tables."""
        from trasmallo.study.entities.decisions import EntityDecision, decide

        given = [names] if isinstance(names, str) else list(names)
        return decide(self.folder, [EntityDecision("block", kind, name) for name in given])

    @works
    def change_kind(self, names: Iterable[str], kind: str, to: str) -> list[EntityDecision]:
        """Say that names of a kind are of another kind."""
        from trasmallo.study.entities.decisions import EntityDecision, decide

        given = [names] if isinstance(names, str) else list(names)
        return decide(self.folder, [EntityDecision("kind", kind, name, to) for name in given])

    @works
    def undo_decision(self) -> EntityDecision | None:
        """Take the last decision about entities back; it, or None when there is none."""
        from trasmallo.study.entities.decisions import undo

        return undo(self.folder)

    def annotations(self) -> list[Annotation]:
        """The documents with names that people marked."""
        self._need_all()
        from trasmallo.study.entities.annotated_documents import load

        return load(self.folder)

    @works
    def annotate(
        self, document: str, spans: Iterable[tuple[int, int, str]], *, complete: bool = False, run: str = ""
    ) -> Annotation:
        """Keep the names of a document: (start, end, kind) in characters of its main text; an earlier mark-up is replaced.

        `complete`: what is not marked is no name. Raises UsageError for marks that overlap, NotFound without the document.
        """
        from trasmallo.study.entities.annotated_documents import Annotation, MarkedSpan, annotate

        with self.documents(run) as room:
            page, text = room.card(document).page, room.text(document)
        if not text:
            raise NotFound("the document {document!r} has no text", "choose another one", document=document[:40])
        marks = tuple(MarkedSpan(*span) for span in spans)
        made = Annotation(document, "", marks, complete, str(page["url"]), str(page["language"]))
        return annotate(self.folder, made, text)

    @works
    def forget_annotation(self, document: str) -> bool:
        """Remove the marks in a document; whether there were any."""
        from trasmallo.study.entities.annotated_documents import forget

        return forget(self.folder, checked_text(document, "document"))

    def suggestions(self, *, kind: str = "", limit: int = 100, run: str = "") -> list[Suggestion]:
        """Names whose finder is least sure, in documents that nobody has marked completely; the most doubtful first."""
        self._need_all()
        from trasmallo.results.annotating import find_suggestions

        with self.tables(run) as tables:
            return find_suggestions(tables, self.annotations(), kind=kind, limit=limit)

    def agreement(self, *, run: str = "") -> AgreementReport:
        """How far what the program finds agrees with the names that people marked, in documents that are complete."""
        self._need_all()
        from trasmallo.results.annotating import find_agreement

        with self.tables(run) as tables:
            return find_agreement(tables, self.annotations())

    def export_annotations(self, path: str | Path, *, run: str = "") -> int:
        """Write the marked documents: with their texts as JSON lines, or (.conll) a word a line, for `entities train`.

        Only JSON lines come back as they went (`import_annotations`); CoNLL has sentences of complete documents. Returns how
        many documents there are.
        """
        self._need_all()
        from trasmallo.results.annotating import write_annotations

        with self.tables(run) as tables:
            return write_annotations(tables, self.annotations(), Path(path))

    def annotations_as(self, form: ExportForm = "jsonl", *, run: str = "") -> bytes:
        """The same as bytes: JSON lines, or CoNLL columns of complete documents."""
        self._need_all()
        from trasmallo.results.annotating import exported

        with self.tables(run) as tables:
            return b"".join(exported(tables, self.annotations(), form))

    @works
    def import_annotations(self, path: str | Path) -> int:
        """Take over documents that `export_annotations` wrote as JSON lines; how many."""
        from trasmallo.results.annotating import read_annotations
        from trasmallo.study.entities.annotated_documents import take_over

        return take_over(self.folder, read_annotations(Path(path)))

    @works
    def train_names(self, path: str | Path, *, method: Method = "crf", run: str = "") -> TrainedModel:
        """Train a model of names on the sentences of complete documents and save it; raises UsageError without any."""
        from trasmallo.results.annotating import train_on

        with self.tables(run) as tables:
            return train_on(tables, self.annotations(), Path(path), method, self.config.language)

    @works
    def start_training(self, method: Method = "hmm") -> None:
        """Train a model on complete documents in a process of its own; it is saved as `names.model` in the project's folder.

        What it says goes to `names.log` there.
        """
        model = self.folder / TRAINED
        line = [sys.executable, "-P", "-m", "trasmallo", "annotations", str(self.folder), "--train", str(model)]
        with disk_errors(model), model.with_suffix(".log").open("wb") as log:
            subprocess.Popen(
                [*line, "--method", method], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    def trained_names(self) -> str:
        """What the last training said, "" before there was one."""
        self._need_all()
        try:
            return (self.folder / TRAINED).with_suffix(".log").read_text("utf-8", "replace")[-1_000:]
        except OSError:
            return ""

    def _need_all(self) -> None:
        """Raise UsageError for who may not read some documents: marks and decisions may be about these."""
        if self.restricted:
            self.whole()

    def _named_from_here(self, path: Path) -> str:
        """The name of a file as `entities.toml` has it: from its folder where it stands below that."""
        inside = path.resolve().is_relative_to(self.folder.resolve())
        return os.path.relpath(path.resolve(), self.folder.resolve()) if inside else str(path.resolve())

    def _add(self, entry: OwnEntry) -> list[KindRule]:
        from trasmallo.study.entities.own_kinds import add, rules

        return rules(add(self._kinds_path(), entry))

    def _kinds_path(self) -> Path:
        if not self.config.study.kinds:
            raise UsageError("`kinds` in [study] is empty", 'set it to "entities.toml"')
        return self.folder / self.config.study.kinds
