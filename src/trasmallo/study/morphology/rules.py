"""The keys of `affixes.toml`, which says how a language makes words from others."""

from __future__ import annotations

from functools import cache

import msgspec

from trasmallo.study import languages
from trasmallo.values.decodable import decodable


class Prefixes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Prefixes apart by blanks; a pattern for the beginning of the tag that they go before, and the letters it has at least.

    `adjectival`: before a noun they make an adjective too, which keeps its number before a plural (antivacunas).
    """

    forms: str
    hosts: str
    least: int = 4
    adjectival: bool = False


class Compounds(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What may stand before a hyphen beside known words and prefixes, tags of the last part, prefixes that may be stacked.

    `known_hosts` are tags of the last part behind a known word, "" for the same; `heads` tags of a first part that inflects and
    gives the whole its number (ciudades-estado), `joinable` those of adjectives of which two are one (médico-sanitario).
    """

    first: str = ""
    hosts: str = ""
    known_hosts: str = ""
    heads: str = ""
    joinable: str = ""
    stacked: int = 1


class Enclitics(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Pronouns behind a verb: at most one of each group, in order.

    `hosts` are tags of verb forms that take them, `archaic_hosts` of those that did once, `plain_archaic_hosts` of those in a
    word without an accent, `beside_modern` of those that are told even where a modern form is written so; `listed_...` where
    the lexicon has the whole word too. `refused`: tag and pronouns that do not go together, `refused_plain` those that do
    not in an old word without an accent. `dropped`: ending, what is left of it, before which; `kept` are forms that lose
    nothing.
    """

    groups: tuple[str, ...] = ()
    hosts: str = ""
    listed_hosts: str = ""
    archaic_hosts: str = ""
    plain_archaic_hosts: str = ""
    listed_archaic_hosts: str = ""
    beside_modern: str = ""
    refused: tuple[tuple[str, str], ...] = ()
    refused_plain: tuple[tuple[str, str], ...] = ()
    dropped: tuple[tuple[str, str, str], ...] = ()
    kept: str = ""


class Contractions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is written behind a word in one with it, apart by blanks; `irregular`: contraction, first word, what follows.

    `split` has the same for contractions that the lexicon lists as one word, which are split where a user wants it.
    """

    endings: str = ""
    irregular: tuple[tuple[str, str, str], ...] = ()
    split: tuple[tuple[str, str, str], ...] = ()


class Adverbs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An ending that makes adverbs."""

    ending: str = ""
    hosts: str = ""


class Evaluative(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of diminutives, augmentatives or superlatives; `hosts` when not those of all, `own_lemma` when it is one too.

    `bases` are the endings of the plain word behind the stem: "=" is the inflection's vowel, "0" none. `stem` is a pattern for
    the stem, `least` its letters, `inflected` are those of the shared inflections that the ending takes, "" for the usual
    ones. `agrees`: a noun keeps its gender; `diphthongs`: the stem may have had one; `listed`: also words that the lexicon has
    are read so.
    """

    feature: str
    endings: str
    bases: tuple[str, ...] = ()
    stem: str = ""
    hosts: str = ""
    inflected: str = ""
    least: int = 3
    own_lemma: bool = False
    agrees: bool = False
    diphthongs: bool = False
    listed: bool = False


class Evaluation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all of them share: endings behind with their features, changes of spelling before e and i.

    `learned`: stem with its ending, plain words apart by blanks. `opaque` are listed words that only look like one (anillo
    is no small ano).
    """

    hosts: str = ""
    inflections: tuple[tuple[str, str], ...] = ()
    inflected: str = ""
    bare: str = ""
    changes: tuple[tuple[str, str], ...] = ()
    diphthongs: tuple[tuple[str, str], ...] = ()
    learned: tuple[tuple[str, str], ...] = ()
    opaque: str = ""


class Plurals(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Plurals of new words: ending, pattern for what stands before it, what the singular has in its place (espray, espráis).

    An accent may be new (eslogan, eslóganes).
    """

    endings: tuple[tuple[str, str, str], ...] = ()
    hosts: str = ""


class Voseo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Endings of verbs that the lexicon lacks: ending, ending of the infinitive, tag.

    `plurals`: ending of the forms that have the stem of the subjunctive (digás, of digamos), pattern of their tag, what it
    becomes.
    """

    endings: tuple[tuple[str, str, str], ...] = ()
    plurals: tuple[tuple[str, str, str], ...] = ()


class Conjugation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Regular verbs that are formed today: ending of the infinitive, those of all forms with their tags apart by blanks.

    `verbs` are the infinitives of some. `changes` are those of the stem before e. `suffixes` make verbs from words: letters,
    endings of the base ("0" for none, "*" where one that `foreign` fits need not be listed), its tag. `participles` is the
    beginning of their tags. `telling` are the letters of an ending that tells an unknown verb whatever its stem is, 0 for none
    does; `ambiguous` are endings that tell nothing.
    """

    infinitive: str = ""
    verbs: str = ""
    endings: tuple[tuple[str, str], ...] = ()
    changes: tuple[tuple[str, str], ...] = ()
    suffixes: tuple[tuple[str, str, str], ...] = ()
    foreign: str = ""
    participles: str = ""
    telling: int = 0
    ambiguous: str = ""


class Participles(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Participles that the lexicon lacks. `variants`: letters, those of the listed one (descripto, descrito).

    `regular`: ending, that of the infinitive; where the verb has another participle they are mistakes but for those of `right`.
    """

    variants: tuple[tuple[str, str], ...] = ()
    regular: tuple[tuple[str, str], ...] = ()
    right: str = ""


class Inclusive(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Forms that name no gender: sign, ending of number, endings of masculine and feminine. `changes` are those before e."""

    endings: tuple[tuple[str, str, str, str], ...] = ()
    changes: tuple[tuple[str, str], ...] = ()


class Numbers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Signs inside numbers in digits, and numbers in letters that no list holds.

    `ordinals` is a pattern for ordinals of two parts, `short` is what their short forms end in.
    """

    thousands: str = ""
    decimal: str = ""
    pattern: str = ""
    ordinals: str = ""
    short: str = ""


class Accents(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Letters on which an accent may be forgotten, and the same with it.

    `diacritic` are words that are others without it; others of one syllable have none (guion). `variants`: pattern
    for the tag and for the form, letters, what is right in their place too (adecúa and adecua, zodíaco and zodiaco).
    `lacking`: tag, ending behind other letters that a lexicon writes without its accent, the right one (preven, prevén).
    """

    forgotten: str = ""
    written: str = ""
    diacritic: str = ""
    variants: tuple[tuple[str, str, str, str], ...] = ()
    lacking: tuple[tuple[str, str, str], ...] = ()


class Derivations(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Endings that make words: ending, endings of the base apart by blanks, hosts, tag, ending of the lemma."""

    endings: tuple[tuple[str, str, str, str, str], ...] = ()
    least: int = 4


class Old(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An older stage of the language, beside the words of `old.tsv`.

    `contractions`: letters, the preposition that they are of, words behind them. The others are patterns and what stands in
    their place today: `endings` of verbs, `enclitics` with the end of the verb before them, `spellings` anywhere.
    """

    contractions: tuple[tuple[str, str, str], ...] = ()
    endings: tuple[tuple[str, str], ...] = ()
    enclitics: tuple[tuple[str, str], ...] = ()
    spellings: tuple[tuple[str, str], ...] = ()


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
    conjugation: Conjugation = Conjugation()
    participles: Participles = Participles()
    inclusive: Inclusive = Inclusive()
    numbers: Numbers = Numbers()
    accents: Accents = Accents()
    derivations: Derivations = Derivations()
    old: Old = Old()
    spelling: Spelling = Spelling()
    guesses: Guesses = Guesses()


@cache
def load(code: str) -> Affixes:
    """The rules of a language folder."""
    return msgspec.toml.decode(languages.load(code).content("affixes.toml"), type=decodable(Affixes))
