"""Every lemma and category of a word, and the one that it has in its context.

    analyse("dándoselo")                # all readings, with prefix and clitics
    tag("Vámonos a casa.")              # one reading a word
    tag_many(texts)                     # the same of many texts, one after the other
    prepare("es", report)               # compile the lexicon now, with a progress bar

A language is made once a process and remembers the words it has met (`analysis_cache`), across documents.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain

from trasmallo.study import languages
from trasmallo.study.factorising import Factorised
from trasmallo.study.morphology import analyser, tagger_model, warm_cache
from trasmallo.study.morphology.analysis_cache import AnalysisCache
from trasmallo.study.morphology.compilation import Report
from trasmallo.study.morphology.generic import Generic, lemmas_of
from trasmallo.study.morphology.reading_options import ReadingOptions, with_options
from trasmallo.study.morphology.tagger import Plain, Tagger
from trasmallo.study.morphology.tags import Tags
from trasmallo.study.morphology.text_batches import batches, checked_words, placed, tag_batch
from trasmallo.study.sentences import Cut, cut
from trasmallo.study.single_sentences import sentence_cutter
from trasmallo.values.arguments import check_type, checked_text
from trasmallo.values.errors import UsageError
from trasmallo.values.model import Analysis, Tagged

__all__ = [
    "analyse",
    "conventions",
    "guessed_words",
    "has_lexicon",
    "prepare",
    "tag",
    "tag_cut",
    "tag_many",
    "tag_text",
    "tag_types",
    "words_of",
]


def analyse(word: str, language: str = "es", *, split_contractions: bool = False, old_spanish: bool = False) -> list[Analysis]:
    """Every reading of a word, however it is written (case, Unicode form, soft hyphens); [] for an empty word.

    With `split_contractions` Spanish del is de with el as a clitic; with `old_spanish` words as they were written once are
    read too (agora, desta, dixo), with `Style=Arch`.
    In a language without a lexicon all are guesses, and a UserWarning says so. Raises UsageError for what is no text, and for a
    language of which nothing is known.
    """
    languages.check_known(checked_text(language, "language"))
    if guessed := guessed_words(language):
        warnings.warn(guessed, stacklevel=2)
    options = ReadingOptions(split_contractions=split_contractions, old_spanish=old_spanish)
    return with_options(words_of(language).analyse, language, options)(checked_text(word, "word")).copy()


def tag(text: str | Sequence[str], language: str = "es", convention: str = "") -> list[Tagged]:
    """The words of a text, or of one sentence given as a list, each with the lemma, category and features it has there.

    `convention` is the treebank whose habits to follow where they differ: for Spanish ancora (the default) or gsd. Raises
    UsageError for one that the language does not have, for a language of whose words nothing is known, and for what is no text.
    """
    _check_tagged(language)
    return tag_text(text, language, convention)


def tag_many(texts: Iterable[str | Sequence[str]], language: str = "es", convention: str = "") -> Iterator[list[Tagged]]:
    """The words of many texts in order, each as `tag` gives them and several times as fast.

    Texts are taken some thousand words at a time and no more are held. Raises UsageError as `tag` does: for the language and
    the convention at once, for what is no text when it is its turn.
    """
    _check_tagged(language)
    if not isinstance(texts, Iterable) or isinstance(texts, str | bytes | bytearray):
        check_type("texts", texts, (), "several texts, as a list")
    tagger = _tagger(language, checked_text(convention, "convention"))
    return chain.from_iterable(tag_batch(batch, tagger) for batch in batches(texts, language))


def _check_tagged(language: object) -> None:
    """Raise UsageError for a language of whose words nothing is known; `und` is none on purpose."""
    if languages.choose(checked_text(language, "language")) == languages.GENERIC != language:
        known = ", ".join(each.code for each in languages.known() if languages.choose(each.code) == each.code)
        raise UsageError(
            "{language!r} is no language whose words can be tagged", "choose {known}", language=language, known=known
        )


def tag_text(text: str | Sequence[str], language: str, convention: str = "") -> list[Tagged]:
    """The same in any language; where nothing is known of its words, categories are guessed by their looks."""
    tagger = _tagger(language, checked_text(convention, "convention"))
    if not isinstance(text, str):
        return tagger.tag(checked_words(text))
    single = sentence_cutter(languages.choose(language)).cut(text)
    if single is not None:
        tagged = chain.from_iterable(tagger.tag(single.words[first:last]) for first, last in single.sentences)
        return placed(tagged, single.starts, single.ends)
    found = cut(text, language)
    return placed(tag_cut(found, language, convention), found.tokens.starts, found.tokens.ends)


def tag_cut(text: Cut, language: str = "es", convention: str = "") -> list[Tagged]:
    """The same of a text that has been cut; its places are those of the tokens."""
    return tag_types(text, language, convention).spread()


def tag_types(text: Cut, language: str = "es", convention: str = "") -> Factorised[Tagged]:
    """The same with each different reading once, which is how most of a text is worked on."""
    return _tagger(language, convention).tag_sentences(text.tokens.forms, text.sentences)


def has_lexicon(language: str) -> bool:
    """Whether the words of a language are listed, so that those that are not mean something."""
    return languages.load(language).has("lexicon.toml")


def guessed_words(language: str) -> str:
    """What to say of the words of a language without a lexicon; "" where it has one, or is undetermined on purpose."""
    if has_lexicon(language) or language == languages.GENERIC:
        return ""
    found = languages.find(language)
    name = f"{found.description.english} ({language})" if found else language
    return f"no words of {name} are listed: lemmas and categories are guesses"


def conventions(language: str = "es") -> tuple[str, ...]:
    """The conventions that `tag` knows for a language, the default one first."""
    model = tagger_model.load(languages.choose(language))
    return tuple(model.conventions) if model else ()


def prepare(language: str = "es", report: Report | None = None) -> None:
    """Make a language ready; compiles its lexicon the first time for a user, about ten seconds for Spanish.

    `report` is called now and then with what is done and all there is to do, and never when nothing has to be compiled.
    """
    analyser.prepare(languages.choose(language), report)


@lru_cache(maxsize=1024)
def words_of(language: str) -> AnalysisCache:
    """The analyses of a language with their memory, which `analyse` and `tag` share."""
    return _memory(languages.choose(language) if has_lexicon(language) else language)


@cache
def _memory(language: str) -> AnalysisCache:
    plain = analyser.analyser(languages.choose(language))
    return AnalysisCache(plain if has_lexicon(language) else Generic(plain, lemmas_of(language)))


def _tagger(language: str, convention: str) -> Tagger | Plain:
    known = conventions(language)
    if convention and convention not in known:
        names = " or ".join(known) or "none"
        raise UsageError(
            "no convention {convention!r} for the language {language!r}",
            "choose {names}",
            convention=convention,
            language=language,
            names=names,
        )
    if not known:
        return _plain(language)
    return _trained(languages.choose(language), convention or known[0])


@lru_cache(maxsize=64)
def _plain(language: str) -> Plain:
    return Plain(words_of(language))


@cache
def _trained(code: str, convention: str) -> Tagger:
    model = tagger_model.load(code)
    assert model is not None
    path = warm_cache.path_of(code, convention)
    known = warm_cache.load(path)
    tagger = Tagger(model, convention, words_of(code), Tags(code), known)
    if known is None:
        warm_cache.save(path, tagger.meet(model.frequent, model.openers))
    return tagger
