"""The keys of `affixes.toml`, which says how a language makes words from others."""

from __future__ import annotations

from functools import cache

import msgspec

from trasmallo.study import languages


class Prefixes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Prefixes apart by blanks; a pattern for the beginning of the tag that they go before, and the letters it has at least."""

    forms: str
    hosts: str
    least: int = 4


class Compounds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What may stand before a hyphen beside known words and prefixes, tags of the last part, prefixes that may be stacked."""

    first: str = ""
    hosts: str = ""
    stacked: int = 1


class Enclitics(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Pronouns behind a verb: at most one of each group, in order. `dropped`: ending, what is left of it, before which."""

    groups: tuple[str, ...] = ()
    hosts: str = ""
    listed_hosts: str = ""
    listed_endings: str = ""
    dropped: tuple[tuple[str, str, str], ...] = ()


class Contractions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is written behind a word in one with it, apart by blanks; `irregular`: contraction, first word, what follows."""

    endings: str = ""
    irregular: tuple[tuple[str, str, str], ...] = ()


class Adverbs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An ending that makes adverbs."""

    ending: str = ""
    hosts: str = ""


class Evaluative(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of diminutives, augmentatives or superlatives; `hosts` when not those of all, `own_lemma` when it is one too.

    `inflected` are those of the shared inflections that it takes, "" for all.
    """

    feature: str
    endings: str
    hosts: str = ""
    inflected: str = ""
    own_lemma: bool = False


class Evaluation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all of them share: letters of the stem, endings behind with their features, changes of spelling, bases' endings."""

    hosts: str = ""
    least: int = 3
    inflections: tuple[tuple[str, str], ...] = ()
    bare: str = ""
    changes: tuple[tuple[str, str], ...] = ()
    bases: tuple[str, ...] = ()


class Plurals(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The plural of new words."""

    ending: str = ""
    hosts: str = ""


class Voseo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Endings of verbs that the lexicon lacks: ending, ending of the infinitive, tag."""

    endings: tuple[tuple[str, str, str], ...] = ()


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Signs inside numbers in digits, and numbers in letters that no list holds."""

    thousands: str = ""
    decimal: str = ""
    pattern: str = ""


class Accents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Letters on which an accent may be forgotten, and the same with it."""

    forgotten: str = ""
    written: str = ""


class Derivations(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Endings that make words: ending, endings of the base apart by blanks, hosts, tag, ending of the lemma."""

    endings: tuple[tuple[str, str, str, str, str], ...] = ()
    least: int = 4


class Spelling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pattern for what no word of the language has in it, in lower case."""

    foreign: str = ""


class Guesses(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """For unknown words: ending, category, features, ending of the lemma."""

    endings: tuple[tuple[str, str, str, str], ...] = (("", "NOUN", "", ""),)


class Affixes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file; a language leaves out what it does not have."""

    prefixes: tuple[Prefixes, ...] = ()
    compounds: Compounds = Compounds()
    enclitics: Enclitics = Enclitics()
    contractions: Contractions = Contractions()
    adverbs: Adverbs = Adverbs()
    evaluative: tuple[Evaluative, ...] = ()
    evaluation: Evaluation = Evaluation()
    plurals: Plurals = Plurals()
    voseo: Voseo = Voseo()
    numbers: Numbers = Numbers()
    accents: Accents = Accents()
    derivations: Derivations = Derivations()
    spelling: Spelling = Spelling()
    guesses: Guesses = Guesses()


@cache
def load(code: str) -> Affixes:
    """The rules of a language folder."""
    return msgspec.toml.decode(languages.load(code).content("affixes.toml"), type=Affixes)
