"""The workbench of a project: what it knows of one word, line groups that are made of concordances, citations and reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from trasmallo.project.long_questions import LongQuestions
from trasmallo.project.options import checked
from trasmallo.project.working import works
from trasmallo.store import line_groups
from trasmallo.values.arguments import checked_path, checked_text
from trasmallo.values.errors import UsageError

if TYPE_CHECKING:
    from trasmallo.results.citation import Citation, CorpusSize
    from trasmallo.results.concordance.lines import Hit
    from trasmallo.results.concordance.marked_lines import FoundLine, LineGroup
    from trasmallo.results.word_figures import WordFigures


class Workbench(LongQuestions):
    """The verbs of a project for who works with its words and lines day by day."""

    def word(self, word: str, *, unit: str = "", category: str = "", language: str = "", number: int = 10) -> WordFigures:
        """What the latest run knows of a word or lemma: frequency, spread, categories, trend, foremost sites and pages.

        `unit` is "lemma" or "word"; unless told a lemma where the run has it. `category` and `language` are the usual ones.
        """
        from trasmallo.results.word_figures import WordFiguresQuestion, find_word

        asked = {"word": word, "unit": unit, "category": category, "language": language}
        question = checked(WordFiguresQuestion, **asked, number=number)
        with self.tables() as tables:
            return find_word(tables, question)

    def size(self) -> CorpusSize:
        """How many documents that are no copies, and words, there are of what is asked about."""
        from trasmallo.results.citation import size_of

        with self.tables() as tables:
            return size_of(tables)

    def cite(self) -> Citation:
        """What the corpus is, when it was obtained, and how much of it there is: `text("es")` and `bibtex` write it."""
        from trasmallo.project.scopes import scope_text
        from trasmallo.results.citation import cite

        with self.tables() as tables:
            return cite(tables, self.run_named(), self.config.name, scope_text(self.scope))

    def report(
        self,
        path: str | Path = "",
        *,
        queries: Sequence[str] = (),
        words: Sequence[str] = (),
        lines: int = 50,
        seed: int = 1,
        language: str = "en",
    ) -> str:
        """A report as one page of HTML, also written to `path` if one is given: as PDF where that ends in .pdf.

        It holds the corpus, its citation, frequent words, laws and settings; of each query its counts and so many `lines` by
        chance, of each word its figures. `language` is "en" or "es". PDF needs a Chromium, which prints it.
        """
        from trasmallo.project.report import ReportQuestion, as_file, write_report
        from trasmallo.values.atomic_files import write_whole

        asked = checked(ReportQuestion, queries=queries, words=words, lines=lines, seed=seed, language=language)
        place = checked_path(path, "path") if str(path) else None
        if place and not place.parent.is_dir():
            raise UsageError("there is no folder {parent}", "make it, or choose another place", parent=place.parent)
        found = write_report(self, asked)
        if place:
            write_whole(place, as_file(found, place.suffix))
        return found

    def line_groups(self) -> list[LineGroup]:
        """The line groups, each with how many lines it has, and how many of these moved or are lost in the latest run."""
        from trasmallo.results.concordance.marked_lines import count_group

        with self.tables() as tables:
            return [
                count_group(tables, name, line_groups.read_group(self.home, name))
                for name in line_groups.group_names(self.home)
            ]

    def line_group(self, name: str) -> list[FoundLine]:
        """The lines of a group, each with its place in the latest run: here, moved or lost."""
        from trasmallo.results.concordance.marked_lines import find_again

        lines = line_groups.read_group(self.home, checked_text(name, "name"))
        with self.tables() as tables:
            return find_again(tables, lines)

    @works
    def put_into_group(self, name: str, hits: Iterable[Hit], *, query: str = "") -> int:
        """Put lines of a concordance into a group, which is made where there is none; how many of them were not in it."""
        from trasmallo.results.concordance.marked_lines import lines_of

        with self.tables() as tables:
            wanted = ((one.document, one.url, one.start, one.end, one.title) for one in hits)
            lines = lines_of(tables, wanted, query)
        return line_groups.put_into(self.folder, checked_text(name, "name"), lines)

    @works
    def take_out_of_group(self, name: str, hits: Iterable[Hit]) -> int:
        """Take lines out of a group; how many of them were in it."""
        places = ((one.document, one.start, one.end) for one in hits)
        return line_groups.take_out_of(self.folder, checked_text(name, "name"), places)

    @works
    def rename_group(self, name: str, new: str) -> None:
        """Give a line group another name."""
        line_groups.rename_group(self.folder, checked_text(name, "name"), checked_text(new, "new"))

    @works
    def remove_group(self, name: str) -> int:
        """Forget a line group; how many lines it had. The documents stay."""
        return line_groups.remove_group(self.folder, checked_text(name, "name"))
