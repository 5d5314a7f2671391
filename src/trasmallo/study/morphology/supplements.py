"""Readings that the rules give to forms of the lexicon while it is compiled, and forms that other spellings of it are.

In this order, because each builds on the one before: spellings that are right as well (guion), the second person of the
Americas (salí), pronouns behind verbs (hacerte), forgotten accents (seria, of ser), plain words of diminutives (riquísimo),
persons without gender (amigues).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from trasmallo.study.morphology import rules
from trasmallo.study.morphology.conventions import split
from trasmallo.study.morphology.formation import Formation
from trasmallo.study.morphology.rules import Affixes
from trasmallo.study.morphology.stress import ACCENTED_LETTERS, PLAIN, nuclei
from trasmallo.study.morphology.tables import Readings, SetReading
from trasmallo.study.morphology.tags import TYPO, Tags, extended
from trasmallo.values.model import Analysis

_LONGEST_MONOSYLLABLE = 8
"""Letters of a word of one syllable at most (truhanes has two); a quick look."""
_NOMINAL = ("NOUN", "ADJ", "ADV", "DET", "PRON")
_VERBS = ("VERB", "AUX")
# An imperative of the Americas is written like the past tense of another verb (vendé, of vender beside vendar); those in -cer
# that are written like a past in -zar are of verbs that nobody uses (empecé).
_IMPERATIVE, _PAST, _SOFT = "VMM02S", "VMIS1S", "cé"
_STRESSED_ENDS = tuple("áéíóú")
Forms = dict[str, Readings]


def supplement(code: str, tags: Tags, forms: Forms) -> None:
    """Add to the readings of all forms of a language what its rules say of them."""
    affixes = rules.load(code)
    formation = Formation(affixes, tags, lambda form: forms.get(form, ()))
    _mend_accents(affixes, forms)
    _add_spellings(affixes, forms)
    _add_second_participles(affixes, formation, forms)
    _add_voseo(affixes, tags, formation, forms)
    _add_enclitics(formation, forms)
    _add_unaccented(affixes, formation, forms)
    _add_evaluatives(formation, forms)
    _add_inclusive(affixes, formation, forms)


def _mend_accents(affixes: Affixes, forms: Forms) -> None:
    """Forms that the lexicon writes without the accent that they have (prevén)."""
    for tag, ending, right in affixes.accents.lacking:
        for form, readings in [item for item in forms.items() if item[0].endswith(ending) and item[0] != ending]:
            mended = form.removesuffix(ending) + right
            wrong = [one for one in readings if one.tag == tag]
            _extend(forms, mended, [_respelt_verb(form, mended, one) for one in wrong])
            if wrong:
                forms[form] = tuple(one for one in readings if one not in wrong)
            if not forms[form]:
                del forms[form]


def _respelt_verb(form: str, other: str, one: SetReading) -> SetReading:
    cut, add = split(other, form[: len(form) - one.cut] + one.add)
    return one._replace(cut=cut, add=add)


def _add_spellings(affixes: Affixes, forms: Forms) -> None:
    """Spellings without an accent that are as right as those with it: of one syllable (guion), of some verbs (adecua)."""
    diacritic = frozenset(affixes.accents.diacritic.split())
    if not diacritic:
        return
    variants = [(re.compile(tag), re.compile(form), old, new) for tag, form, old, new in affixes.accents.variants]
    _add_participles(affixes, forms)
    for form, readings in [item for item in forms.items() if not item[0].isascii()]:
        if form not in diacritic and _is_accented_monosyllable(form):
            bare = form.translate(PLAIN)
            _extend(forms, bare, [_respelt(form, bare, one) for one in readings])
            _add_plurals(forms, form, bare)
            continue
        for tag, shape, old, new in variants:
            if old in form and shape.fullmatch(form):
                bare = form.replace(old, new)
                _extend(forms, bare, [_respelt(form, bare, one, (old, new)) for one in readings if tag.match(one.tag)])


def _add_participles(affixes: Affixes, forms: Forms) -> None:
    """Participles as they are written elsewhere (inscripto)."""
    for letters, listed in affixes.participles.variants:
        for form, readings in [item for item in forms.items() if listed in item[0]]:
            other = form.replace(listed, letters)
            verbs = [one for one in readings if one.category == "VERB" and one.tag.startswith("VMP")]
            lemmas = [form[: len(form) - one.cut] + one.add for one in verbs]
            respelt = [(split(other, lemma), one) for lemma, one in zip(lemmas, verbs, strict=True)]
            _extend(forms, other, [one._replace(cut=cut, add=add) for (cut, add), one in respelt])


def _add_second_participles(affixes: Affixes, formation: Formation, forms: Forms) -> None:
    """Participles of verbs that have two, where the lexicon has the form as an adjective only (maldecido)."""
    stems = tuple(verb[:-2] for verb in affixes.participles.right.split())
    for form, readings in [item for item in forms.items() if stems and item[0].startswith(stems)]:
        if not any(one.category in _VERBS for one in readings):
            _extend(forms, form, [by_rule(form, one.lemma, one, one.features) for one in formation.listed_participle(form)])


def _is_accented_monosyllable(form: str) -> bool:
    """An h between vowels does not part them (truhán)."""
    if len(form) > _LONGEST_MONOSYLLABLE or ACCENTED_LETTERS.search(form) is None:
        return False
    return len(nuclei(form.replace("uh", "u").replace("ih", "i"))) == 1


def _respelt(form: str, bare: str, one: SetReading, change: tuple[str, str] = ("", "")) -> SetReading:
    """A reading of a form as that of its other spelling; a lemma that is spelt like it is respelt too."""
    lemma = form[: len(form) - one.cut] + one.add
    if one.category not in _VERBS:
        lemma = lemma.replace(*change) if change[0] else lemma.translate(PLAIN) if _is_accented_monosyllable(lemma) else lemma
    cut, add = split(bare, lemma)
    return one._replace(cut=cut, add=add)


def _add_plurals(forms: Forms, form: str, bare: str) -> None:
    """The lemma that plurals have by their singular's other spelling (guiones, of guion)."""
    plural, (cut, add) = bare + "es", split(bare + "es", bare)
    old = split(plural, form)
    _extend(forms, plural, [one._replace(cut=cut, add=add) for one in forms.get(plural, ()) if (one.cut, one.add) == old])


def _extend(forms: Forms, form: str, more: Iterable[SetReading]) -> None:
    known = forms.get(form, ())
    added = tuple(one for one in dict.fromkeys(more) if one not in known)
    if added:
        forms[form] = known + added


def _add_voseo(affixes: Affixes, tags: Tags, formation: Formation, forms: Forms) -> None:
    """The second person where it is written like another form of the same verb (salí, vivís), or like no verb (bebé)."""
    endings = tuple(ending for ending, _, _ in affixes.voseo.endings)
    found = {form: formation.listed_voseo(form) for form in forms if endings and form.endswith(endings)}
    for form, readings in found.items():
        for one in readings:
            forms[form] = _with_voseo(form, forms[form], one, tags)


def _with_voseo(form: str, known: Readings, one: SetReading, tags: Tags) -> Readings:
    lemma = form[: len(form) - one.cut] + one.add
    same = [it for it in known if it.category in _VERBS and form[: len(form) - it.cut] + it.add == lemma]
    if same:
        together = " ".join(dict.fromkeys([*same[0].tag.split(" "), *one.tag.split(" ")]))
        merged = same[0]._replace(tag=together, features=tags.features(together.split(" ")))
        return tuple(merged if it is same[0] else it for it in known)
    if any(it.category in _VERBS for it in known) and not (
        one.tag.startswith(_IMPERATIVE) and _is_past(known) and not form.endswith(_SOFT)
    ):
        return known
    return (*known, one._replace(by="rule"))


def _is_past(readings: Readings) -> bool:
    return any(_PAST in one.tag for one in readings)


def _add_enclitics(formation: Formation, forms: Forms) -> None:
    for form, analyses in list(formation.enclitics_among(forms, forms, listed=True)):
        forms[form] += tuple(by_rule(form, made.lemma, made, made.features) for made in analyses)


def _add_unaccented(affixes: Affixes, formation: Formation, forms: Forms) -> None:
    """Forms that lack an accent, marked as mistakes: an accent forgotten is the commonest one.

    Where another word is written so (seria, hablo) they stand behind its readings, see `Analyser.listed`.
    """
    plain = str.maketrans(affixes.accents.written, affixes.accents.forgotten)
    diacritic = frozenset(affixes.accents.diacritic.split())
    added: dict[str, dict[SetReading, None]] = {}
    for form, readings in forms.items():
        bare = form.translate(plain)
        if bare != form:
            known = forms.get(bare, ())
            other = form in diacritic
            more = [_mistaken(form, bare, one) for one in readings if not known or other or _is_another(form, one, bare, known)]
            added.setdefault(bare, {}).update(dict.fromkeys(more))
    new = dict(formation.enclitics_among([form for form in added if form not in forms], forms, listed=False))
    for form, more_readings in added.items():
        if more_readings:
            right = [by_rule(form, made.lemma, made, made.features) for made in new.get(form, ())]
            forms[form] = (*forms.get(form, ()), *right, *more_readings)


def _is_another(form: str, one: SetReading, bare: str, known: Readings) -> bool:
    """Whether a reading is none that the form without the accent has as well (periodo beside período).

    Nouns that end in a vowel with the stress are others (papá and papa).
    """
    if one.by != "lexicon" or one.clitics:
        return False
    alike = [it for it in known if it.category == one.category and (it.category not in _VERBS or it.features == one.features)]
    if not alike:
        return True
    if one.category == "NOUN" and form.removesuffix("s").endswith(_STRESSED_ENDS):
        return True
    lemma = (form[: len(form) - one.cut] + one.add).translate(PLAIN)
    return all((bare[: len(bare) - it.cut] + it.add).translate(PLAIN) != lemma for it in alike)


def _mistaken(form: str, bare: str, found: SetReading) -> SetReading:
    lemma = form[: len(form) - found.cut] + found.add
    return by_rule(bare, lemma, found, extended(found.features, TYPO))


def _add_evaluatives(formation: Formation, forms: Forms) -> None:
    added: Forms = {}
    for form, readings in forms.items():
        if all(one.by == "rule" and TYPO in one.features for one in readings):
            made = formation.evaluative(form)
            if made and TYPO not in made[0].features:
                added[form] = tuple(by_rule(form, one.lemma, one, one.features) for one in made)
            continue
        nominal = [one for one in readings if one.category in _NOMINAL and one.by == "lexicon"]
        if nominal:
            found = formation.listed_evaluatives(
                form, {(form[: len(form) - one.cut] + one.add, one.category) for one in nominal}
            )
            if found:
                added[form] = tuple(by_rule(form, made.lemma, made, made.features) for made in found)
    for form, more in added.items():
        known = forms[form]
        forms[form] = (*more, *known) if TYPO in known[0].features else (*known, *more)


def _add_inclusive(affixes: Affixes, formation: Formation, forms: Forms) -> None:
    """Plurals of persons that name no gender where only a verb is written so (amigues, of amigar)."""
    endings = tuple(f"e{number}" for sign, number, *_ in affixes.inclusive.endings if sign == "e" and number) or ("\0",)
    for form, readings in [item for item in forms.items() if item[0].endswith(endings)]:
        if all(one.category in _VERBS for one in readings):
            found = [one for one in formation.inclusive(form) if one.category == "NOUN"]
            _extend(forms, form, [by_rule(form, one.lemma, one, one.features) for one in found])


def by_rule(form: str, lemma: str, found: Analysis | SetReading, features: str) -> SetReading:
    """The reading of a form that a rule gives it, with the category, clitics and tag of another."""
    cut, add = split(form, lemma)
    return SetReading(
        cut=cut, add=add, category=found.category, features=features, clitics=found.clitics, by="rule", tag=found.tag
    )
