"""One page sliced: from Python `trasmallo.slice_page`, on the command line `trasmallo slice`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from itertools import islice
from typing import Literal, get_args
from urllib.parse import urljoin, urlsplit

import msgspec

from trasmallo.clean.convert import convert_page
from trasmallo.clean.dom import language_of
from trasmallo.clean.flat import FlatPage, flatten
from trasmallo.clean.frames import LoadPage, no_page, open_frames
from trasmallo.clean.read import TRUNCATED, DetectLanguage, no_language, url_name
from trasmallo.clean.slicing import inflection, meaning
from trasmallo.clean.slicing.criterion import Tree, parse, words_of
from trasmallo.clean.slicing.extent import Meaning
from trasmallo.clean.slicing.lemmas_in_context import ContextReader, ReadLemmas, no_lemmas
from trasmallo.clean.slicing.main_block import find_main
from trasmallo.clean.slicing.matching import (
    MatchedAttribute,
    Matcher,
    Where,
    WordComparison,
    find_attributes,
    find_marks,
)
from trasmallo.clean.slicing.page import PageArrays, from_flat, name_of
from trasmallo.clean.slicing.related_words import OwnMeaning, Related, check_needed, read_related
from trasmallo.clean.slicing.relevance import Reason
from trasmallo.clean.slicing.rules import as_command, as_filters, as_style_sheet
from trasmallo.clean.slicing.states import NodeState
from trasmallo.clean.slicing.steps import Slice, Step, slice_flat
from trasmallo.clean.slicing.tolerance import Tolerance, read_tolerance
from trasmallo.clean.slicing.writing import View, WritingPlan, text_of, write_html, write_text
from trasmallo.values.arguments import check_texts, check_type
from trasmallo.values.errors import UsageError
from trasmallo.values.language_tags import primary
from trasmallo.values.model import Drop

Main = Literal["", "before", "after"]
_LONGEST_TEXT = 500
"""Characters of a node's text that are told. Judgement."""
_MOST_MATCHED = 10
"""Attributes that are told of a node. Judgement: a gallery found by its pictures has hundreds."""


class Filter(msgspec.Struct, frozen=True):
    """One step of a history: a criterion, or the main block (`main`), and how it is applied."""

    criterion: str = ""
    tolerance: Tolerance = Tolerance()
    inverse: bool = False
    reading: WordComparison = WordComparison()
    main: bool = False


class FoundNode(msgspec.Struct, frozen=True):
    """A relevant node: its path, its tag (in XML its name), its text (shortened), and why it is relevant.

    `attributes` are those that have a word of the criterion, in the node and below it.
    """

    path: str
    tag: str
    reason: str
    text: str
    attributes: tuple[MatchedAttribute, ...] = ()


class RelatedWord(msgspec.Struct, frozen=True):
    """A word that is shown for its meaning: how far it is from the criterion, and the words by which the way leads there."""

    word: str
    distance: int
    way: tuple[str, ...] = ()


class PageToSlice(msgspec.Struct, frozen=True, kw_only=True):
    """A page before it is sliced; `language` is "" when nobody said it, and `detect` finds it out.

    `related` is a user's own tree of related words for tolerance by meaning, `read_lemmas` who reads words in context.
    """

    flat: FlatPage
    page: PageArrays
    url: str
    language: str
    detect: DetectLanguage
    drop: Drop | None = None
    cause: str = ""
    repair: str = ""
    related: Related | None = None
    read_lemmas: ReadLemmas = no_lemmas


class SlicedPage:
    """What filters left of a page: `html`, `text`, and the relevant `nodes` of the last one.

    `drop` and `cause` say why there is no page, None and "" when there is; `repair` what a reader can do about it. Of a page
    that was read up to some point, `cause` alone says why.
    """

    def __init__(self, source: PageToSlice, history: tuple[Filter, ...], view: View, *, mark: bool = False) -> None:
        self._source, self.history, self.view, self._mark = source, history, view, mark
        self.drop, self.cause, self.repair = source.drop, source.cause, source.repair
        self._slice = self._run()

    def _run(self) -> Slice:
        lexicon = self._meaning() if any(step.tolerance.kind == "meaning" for step in self.history) else None
        page, steps = self._source.page, list(map(self._step, range(len(self.history))))
        found = slice_flat(page, steps, lexicon)
        criteria = [number for number, step in enumerate(steps) if step.tree is not None]
        if not criteria or criteria[-1] == len(steps) - 1:
            return found
        # Of a criterion before the main block, what that block left of its nodes is told.
        before = slice_flat(page, steps[: criteria[-1] + 1], lexicon)
        left = found.states[before.relevant] != NodeState.HIDDEN
        return msgspec.structs.replace(found, relevant=before.relevant[left], reasons=before.reasons[left])

    def _meaning(self) -> Meaning:
        """What is known of the meaning of words in the page's language, and what the user says of it."""
        lexicon = meaning.load(self.language)
        if self._source.related is not None:
            return OwnMeaning(self._source.related, lexicon, self._tables)
        if lexicon is None:
            known = " or ".join(meaning.languages())
            problem = "there are no meanings for the language {language!r}"
            raise UsageError(problem, "use near:N, or say the language is {known}", language=self.language, known=known)
        return lexicon

    @cached_property
    def _tables(self) -> list[inflection.FormTable]:
        """The table of forms of the page's language; all of them where that is a guess without one."""
        found = inflection.load(self.language)
        if found is not None:
            return [found]
        said = self._source.language or language_of(self._source.flat)
        return [] if said else list(filter(None, map(inflection.load, inflection.languages())))

    def _tree(self, step: Filter) -> Tree:
        """A criterion with the forms of its words; raises UsageError where a word asks for them and nobody knows them."""
        tree = parse(step.criterion, inflected=step.reading.forms)
        if not inflection.asks_for_forms(tree):
            return tree
        if not self._tables:
            known = " or ".join(inflection.languages())
            problem = "there are no forms of words for the language {language!r}"
            raise UsageError(problem, "write word*, or say the language is {known}", language=self.language, known=known)
        return inflection.inflect(tree, self._tables, accents=step.reading.accents)

    def _step(self, number: int) -> Step:
        step = self.history[number]
        if not step.main:
            tree = self._tree(step)
            context = self._context if step.reading.in_context else None
            return Step(tree, tolerance=step.tolerance, inverse=step.inverse, reading=step.reading, context=context)
        # After a filter, what its reader did not see has other numbers; there the criterion has chosen already.
        return Step(find=find_main if number else partial(find_main, hidden=self._source.flat.hidden))

    @cached_property
    def _context(self) -> ContextReader:
        return ContextReader(self._source.read_lemmas, self.language, self._tables)

    @cached_property
    def language(self) -> str:
        """The language asked for, or the page's own, or the most probable one."""
        source = self._source
        said = primary(source.language) or language_of(source.flat)
        return said or source.detect(" ".join("".join(source.page.text).split()))

    @property
    def count(self) -> int:
        """How many nodes the last filter found."""
        return len(self._slice.relevant)

    @property
    def most_tolerance(self) -> int:
        """The tolerance, of the last filter's kind, from which on everything is shown."""
        return self._slice.most

    @cached_property
    def nodes(self) -> list[FoundNode]:
        """The nodes that the last filter found, in the order of the page."""
        page, paths = self._source.page, self._source.flat.paths()
        found = []
        for node, reason in zip(self._slice.relevant.tolist(), self._slice.reasons.tolist(), strict=True):
            text = text_of(page, node)[:_LONGEST_TEXT]
            matched = tuple(islice(self._matched(node), _MOST_MATCHED))
            found.append(FoundNode(paths[node], name_of(page, node), Reason(reason).name.lower(), text, matched))
        return found

    @cached_property
    def _last(self) -> tuple[Matcher, Tree] | None:
        """The last criterion and who compares its words; None where there is only the main block."""
        step = next((step for step in reversed(self.history) if not step.main), None)
        if step is None:
            return None
        context = self._context if step.reading.in_context else None
        return Matcher(self._source.page, step.reading, context), self._tree(step)

    def _matched(self, node: int) -> Iterator[MatchedAttribute]:
        """The attributes for which a node was found; none where they are not looked at."""
        if self._last is None or self._last[0].reading.where in ("text", "elements"):
            return iter(())
        matcher, tree = self._last
        return find_attributes(matcher, words_of(tree), node)

    @cached_property
    def related(self) -> list[RelatedWord]:
        """The words that the last filter shows for their meaning, the nearest first."""
        found = sorted(self._slice.related.items(), key=lambda each: (each[1], each[0]))
        if not found or self._last is None:
            return []
        words = [word.text for word in words_of(self._last[1])]
        lexicon = meaning.load(self.language)
        ways = {word: lexicon.trace(words, word) for word, _ in found} if lexicon and not self._source.related else {}
        return [RelatedWord(word, distance, ways.get(word, ())) for word, distance in found]

    @cached_property
    def text(self) -> str:
        """What is shown as plain text, a line a block."""
        return write_text(self._source.page, self._slice.states, self._slice.parts)

    @cached_property
    def html(self) -> str:
        """What is shown as a document of its own: links absolute, nothing that runs."""
        source, found = self._source, self._slice
        page, flat = source.page, source.flat
        styles = {node: flat.raw_text(node) for node, tag in enumerate(page.tag) if tag == "style"}
        marked = self._mark and self._last is not None and self._last[0].reading.reads_text
        marks = find_marks(self._last[0], words_of(self._last[1])) if marked and self._last else []
        sheet = WritingPlan(
            page=page,
            states=found.states,
            parts=found.parts,
            view=self.view,
            base=base_of(page, source.url),
            styles=styles,
            marks=tuple(marks),
            labels=self._labels() if self._mark else {},
        )
        return write_html(sheet)

    def _labels(self) -> dict[int, str]:
        """What is said beside the nodes that were found by their attributes or their names."""
        relevant, reasons = self._slice.relevant, self._slice.reasons
        matched = ((node, next(self._matched(node), None)) for node in relevant[reasons == Reason.ATTRIBUTES].tolist())
        named = relevant[reasons == Reason.NAME].tolist()
        return {
            **{node: f'{found.name}="{found.value}"' for node, found in matched if found},
            **{node: f"<{name_of(self._source.page, node)}>" for node in named},
        }

    def slice(
        self, criterion: str, tolerance: int | str = 0, inverse: bool = False, *, reading: WordComparison | None = None
    ) -> SlicedPage:
        """Filter again, inside what is left; words are read as before unless `reading` says otherwise."""
        step = Filter(criterion, read_tolerance(tolerance), inverse, reading or self.history[-1].reading)
        return SlicedPage(self._source, (*self.history, step), self.view, mark=self._mark)

    def rule(self, kind: str, document: str = "") -> str:
        """The slice as a rule: `command`, `css` or `ublock`; raises UsageError when it cannot be said that way."""
        check_choice("rule", kind, ("command", "css", "ublock"))
        address = document or self._source.url or "PAGE"
        try:
            return {"command": self._command, "css": self._style_sheet, "ublock": self._filters}[kind](address)
        except ValueError as error:
            repair = "choose another kind of rule, or fewer steps and words"
            raise UsageError("this slice cannot be written as {kind} ({error})", repair, kind=kind, error=error) from None

    def _command(self, address: str) -> str:
        steps = [step for step in self.history if not step.main]
        main = "" if len(steps) == len(self.history) else "before" if self.history[0].main else "after"
        reading = steps[0].reading
        options = [f"--{name}" for name in ("case", "accents", "part", "forms") if getattr(reading, name)]
        options += ["--in-context"] if reading.in_context else []
        options += ["--in", reading.where] if reading.where != "both" else []
        options += ["--view", self.view] if self.view != "collapse" else []
        options += ["--main", main] if main else []
        options += ["--language", self._source.language] if self._source.language else []
        return as_command(address, [(step.criterion, str(step.tolerance), step.inverse) for step in steps], options)

    def _style_sheet(self, address: str) -> str:  # noqa: ARG002 - as every rule
        inverse = self.history[-1].inverse and len(self.history) == 1
        return as_style_sheet(self._source.page, self._slice.states, inverse=inverse, keep_space=self.view == "keep")

    def _filters(self, address: str) -> str:
        if len(self.history) > 1 or self.history[0].main:
            raise ValueError("several steps")
        step = self.history[0]
        if step.tolerance.kind != "levels":
            raise ValueError("tolerance by nearness or meaning")
        if step.reading.in_context:
            raise ValueError("words in context")
        host = urlsplit(address).hostname or "*"
        tree, levels = self._tree(step), step.tolerance.size
        return as_filters(host, step.criterion, tree, step.reading, levels=levels, inverse=step.inverse)

    def undo(self) -> SlicedPage:
        """The page before its last filter; the first one stays."""
        return SlicedPage(self._source, self.history[:-1] or self.history, self.view, mark=self._mark)


def base_of(page: PageArrays, url: str) -> str:
    """What relative links of a page are relative to."""
    for index, tag in enumerate(page.tag[: page.scope]):
        if tag == "base":
            for name, value in page.attrs[index] or []:
                if name == "href":
                    return urljoin(url, value)
    return url


def read_source(
    html: str | bytes,
    url: str = "",
    language: str = "",
    *,
    media: str = "",
    charset: str = "",
    name: str = "",
    detect: DetectLanguage = no_language,
    related: Related | None = None,
    load: LoadPage = no_page,
    read_lemmas: ReadLemmas = no_lemmas,
) -> PageToSlice:
    """A page ready to be sliced; bytes may be of any format that `convert` reads. Who else tells its language is `detect`.

    `load` gives other pages of the site, for its frames; `read_lemmas` tells what words are in their context.
    """
    converted = convert_page(html, media=media, http_charset=charset, name=name or url_name(url))
    flat = flatten(open_frames(converted.html, url, load))
    return PageToSlice(
        flat=flat,
        page=from_flat(flat),
        url=url,
        language=language,
        detect=detect,
        drop=converted.drop,
        cause=converted.cause or (TRUNCATED if flat.truncated else ""),
        repair=converted.repair,
        related=related,
        read_lemmas=read_lemmas,
    )


def slice_page(
    html: str | bytes,
    criterion: str,
    tolerance: int | str = 0,
    inverse: bool = False,
    view: View = "collapse",
    *,
    url: str | None = None,
    where: Where = "both",
    case: bool = False,
    accents: bool = False,
    part: bool = False,
    forms: bool = False,
    in_context: bool = False,
    main: Main = "",
    mark: bool = False,
    language: str = "",
    related: Related | str | None = None,
    media: str = "",
    charset: str = "",
    name: str = "",
    detect: DetectLanguage = no_language,
    load: LoadPage = no_page,
    read_lemmas: ReadLemmas = no_lemmas,
) -> SlicedPage:
    """What a page says about a criterion such as `madrid AND NOT (auxerre OR "liga de campeones")`.

    `tolerance` shows more around it: levels up the tree, `near:N` or `meaning:N`; `inverse` hides it instead. `view` keeps the
    space of what is hidden (`keep`), closes it (`collapse`) or leaves only what was found (`bare`). `where` to look is
    `text`, `attributes`, `both`, or the names of `elements`; `case` and `accents` say whether they matter, `part` whether a
    part of a word is enough, `forms` whether any form of a word will do, as behind each `~` (Spanish and English), and
    `in_context` whether it must be a form of that word in its sentence, as `read_lemmas` tells. `related`
    is a tree of related words for `meaning:N`, as XML or JSON or as `{"gato": {"raza": 2}}`. Frames with a `srcdoc` are read;
    `load` gives the HTML of frames of the same site by their addresses, "" for one that is not at hand.
    `main` takes the main block `before` or `after` the criterion. `mark` marks the words in the HTML. Bytes may be of any
    format that `convert` reads; `media`, `charset` and `name` are hints as for `extract`, and so is `detect`. Raises
    CriterionError for a broken criterion and UsageError for another wrong argument.
    """
    check_type("html", html, (str, bytes), "the page as a text or as bytes")
    check_type("tolerance", tolerance, (int, str), "levels as a number, or near:N or meaning:N")
    check_texts(criterion=criterion, url=url or "", language=language, media=media, charset=charset, name=name)
    check_choice("view", view, get_args(View))
    check_choice("where", where, get_args(Where))
    check_choice("main", main, get_args(Main))
    parse(criterion)
    reading = WordComparison(where, case, accents, part, forms, in_context)
    step = Filter(criterion, read_tolerance(tolerance), inverse, reading)
    check_context([step])
    check_needed(related, [step.tolerance])
    own = read_related(related) if isinstance(related, str) else related
    hints = {"media": media, "charset": charset, "name": name}
    source = read_source(html, url or "", language, **hints, detect=detect, related=own, load=load, read_lemmas=read_lemmas)
    return SlicedPage(source, arrange([step], main), view, mark=mark)


def arrange(steps: Sequence[Filter], main: Main) -> tuple[Filter, ...]:
    """Steps with the main block before or after them."""
    block = [Filter(main=True)] if main else []
    return (*block, *steps) if main == "before" else (*steps, *block)


def check_context(steps: Sequence[Filter]) -> None:
    """Raise UsageError where words are to be taken in context and none is asked for in all its forms."""
    asked = [step for step in steps if step.reading.in_context and not step.main]
    if asked and not any(inflection.asks_for_forms(parse(step.criterion, inflected=step.reading.forms)) for step in asked):
        raise UsageError(
            "no word is asked for in its forms, so there is nothing to read in context", "write word~, or ask for all forms"
        )


def check_choice(name: str, value: str, choices: Sequence[str]) -> None:
    """Raise UsageError for a value that is none of the choices."""
    if value not in choices:
        raise UsageError(
            "unknown {name} {value!r}",
            "choose one of {choices}",
            name=name,
            value=value,
            choices=", ".join(filter(None, choices)),
        )
