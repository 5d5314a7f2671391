"""The words of made sentences: forms of the lexicon that agree, and what they are."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from treebanks import UNSURE, Gold, Sentence

from trasmallo.study.morphology import lexicon_files
from trasmallo.study.morphology.analyser import analyser

_PERSONS = {"1s": 30, "2s": 25, "3s": 20, "vos": 6, "usted": 4, "1p": 7, "2p": 3, "3p": 8}
_COMMANDED = {"2s": 55, "vos": 14, "usted": 16, "2p": 9, "ustedes": 3}
_TAGGED = {"vos": "2S", "usted": "3S", "ustedes": "3P"}
_TENSES = {"IP": 50, "IS": 24, "II": 10, "IF": 6, "IC": 4}
_NAMED_TENSES = {"pres": "IP", "past": "IS", "imperf": "II", "fut": "IF", "cond": "IC", "subj": "SP", "impsubj": "SI"}
_AMBIGUOUS = {"trans": 0.5, "intrans": 0.5, "reflexive": 0.3, "giving": 0.2, "imperative": 0.3, "saying": 0.15}
"""Share of verbs of a class that are taken from all forms of the lexicon that may be several things."""
_AMBIGUOUS_NOUNS = 0.4
_AUXILIARY = frozenset(["being", "staying", "having", "can"])
_NEVER_AMBIGUOUS = frozenset(["ser", "estar", "haber", "poder", "deber", "soler", "ir", "creer", "sentir", "sentar", "vestir"])
_ODD = 4
"""How much more welcome forms are that are function words as well (*para*, *como*), which are in every text."""
_OPEN = frozenset(["NOUN", "ADJ", "VERB", "PROPN"])
_ENDINGS_VOSEO = {"ar": ("ás", "á"), "er": ("és", "é"), "ir": ("ís", "í")}
_IRREGULAR_VOSEO = {"ser": ("sos", ""), "ir": ("vas", ""), "haber": ("has", ""), "ver": ("ves", "ve")}
_ACCENTED = dict(zip("aeiou", "áéíóú", strict=True))
_UNACCENTED = str.maketrans("áéíóú", "aeiou")
_REFLEXIVE = {"1s": "me", "2s": "te", "vos": "te", "1p": "nos", "2p": "os"}
_PRONOUNS = {
    "1s": ["yo"], "2s": ["tú"], "vos": ["vos"], "usted": ["usted"], "ustedes": ["ustedes"], "1p": ["nosotros", "nosotras"],
    "2p": ["vosotros"], "3s": ["él", "ella"], "3p": ["ellos", "ellas"],
}  # fmt: skip
_THIRD = "lo la los las"
_DETERMINERS = {
    "MS": "el el el el un un este ese mi mi tu tu su otro algún ningún cada nuestro aquel mucho poco todo=el",
    "FS": "la la la la una una esta esta esa mi mi tu tu su otra alguna ninguna cada nuestra aquella mucha poca toda=la",
    "MP": "los los los los unos estos esos mis tus sus otros algunos muchos dos tres nuestros todos=los",
    "FP": "las las las las unas estas esas mis tus sus otras algunas muchas dos tres nuestras todas=las",
}
_NUMBERS = ("dos", "tres")
_BEFORE_NOUNS = {
    "MS": "mejor peor nuevo viejo pequeño único mal buen gran",
    "FS": "mejor peor nueva vieja pequeña única mala buena gran",
}
_ADVERBS = frozenset(["where", "when", "manner", "manner_adjective", "focus"])


class Context:
    """The person, number and gender that the words of a clause agree with."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.gender = chance.choice("MF")
        self.person = "1s"
        self.set_person("any")

    def set_person(self, name: str) -> None:
        """A person by its name: `any` is one by chance, `imp` one who may be told to do something."""
        usual = {"any": _PERSONS, "imp": _COMMANDED}.get(name)
        self.person = self._chance.choices(list(usual), list(usual.values()))[0] if usual else name

    @property
    def tagged(self) -> str:
        """Person and number as in the tags of verbs."""
        return _TAGGED.get(self.person, self.person.upper())

    @property
    def number(self) -> str:
        """S or P."""
        return self.tagged[1]


class WordChoice:
    """Chooses words for the slots of a grammar."""

    def __init__(self, path: Path, code: str, known: Mapping[str, int], chance: random.Random) -> None:
        lines = [line.split("\t") for line in path.read_text("utf-8").splitlines() if line and not line.startswith("#")]
        self.classes = {name: words.split() for name, words in lines}
        self._chance = chance
        self._analyse = analyser(code).analyse
        self._joined: dict[tuple[str, str, tuple[str, ...]], str] = {}
        self._index(code, known)

    def _index(self, code: str, known: Mapping[str, int]) -> None:
        """The forms of each lemma and tag; and for each tag the forms in use that may be several things."""
        self._forms: dict[tuple[str, str], str] = {}
        everyday = {word for words in self.classes.values() for word in words}
        pools: dict[str, dict[tuple[str, str], float]] = defaultdict(dict)
        source = lexicon_files.find(code)
        assert source is not None
        for rows, _ in source.rows():
            for form, lemma, tag in rows:
                category = {"V": "VERB", "N": "NOUN", "A": "ADJ"}.get(tag[0])
                if category:
                    self._forms.setdefault((lemma, _plain(tag)), form)
                    times = known.get(f"{lemma} {category}", 0) + 5 * (lemma in everyday)
                    if times and lemma not in _NEVER_AMBIGUOUS:
                        pools[_plain(tag)][form, lemma] = times**0.5 * self._ambiguity(form)
        self._pools = {tag: (list(its), list(its.values())) for tag, its in pools.items() if any(its.values())}
        odd = {tag: {each: its[each] for each in its if self._ambiguity(each[0]) == _ODD} for tag, its in pools.items()}
        self._odd = {tag: (list(its), list(its.values())) for tag, its in odd.items() if its}
        self._usual = {
            name: [(known.get(f"{word} VERB", 0) + 5) ** 0.5 for word in words] for name, words in self.classes.items()
        }

    def _ambiguity(self, form: str) -> float:
        """How welcome a form is: not at all when it is one thing only, much when it is a function word as well."""
        readings = {(found.category, found.lemma if found.category == "VERB" else "") for found in self._analyse(form)}
        return 0 if len(readings) < 2 else 1 if all(category in _OPEN for category, _ in readings) else _ODD

    def slot(self, name: str, arguments: list[str], context: Context) -> Sentence:
        """The words of a slot; one without letters where there is none."""
        if name in _ADVERBS:
            return [self._word(name, "ADV")]
        made = getattr(self, f"_{name}", None)
        if made is not None:
            found: Sentence = made(context, *arguments)
            return found
        return [self._word(name, {"vocative": "NOUN", "interjection": UNSURE}.get(name, "PROPN"))]

    def _word(self, name: str, category: str) -> Gold:
        word = self._chance.choice(self.classes[name])
        return Gold(word, "" if category == "ADV" else word.lower(), category, "", 1)

    def _name(self, context: Context) -> Sentence:
        context.set_person("3s")
        return [self._word("name", "PROPN")]

    def _pronoun(self, word: str) -> Sentence:
        return [Gold(word, "", "PRON", "", 1)]

    def _subj(self, context: Context) -> Sentence:
        """A subject before its verb; often none."""
        if context.tagged not in ("3S", "3P") or context.person in _TAGGED:
            return self._pronoun_after(context) if self._chance.random() < 0.45 else []
        what = self._chance.random()
        if what < 0.25:
            return []
        if what < 0.45:
            return self._pronoun_after(context)
        if what < 0.6 and context.number == "S":
            return self._name(context)
        return self._np(context, "person" if what < 0.85 else "thing", "subject")

    def _pronoun_after(self, context: Context) -> Sentence:
        words = [*_PRONOUNS[context.person], *(("nadie", "alguien") if context.person == "3s" else ())]
        return self._pronoun(self._chance.choice(words))

    def _subject_after(self, context: Context) -> Sentence:
        if context.tagged not in ("3S", "3P") or context.person in _TAGGED:
            return self._pronoun_after(context) if self._chance.random() < 0.5 else []
        if context.number == "S" and self._chance.random() < 0.25:
            return self._name(context)
        return self._np(context, self._chance.choice(("person", "person", "thing")), "subject")

    def _refl(self, context: Context) -> Sentence:
        return self._pronoun(_REFLEXIVE.get(context.person, "se"))

    def _refl3(self, _context: Context) -> Sentence:
        return self._pronoun("se")

    def _clitic(self, context: Context) -> Sentence:
        """A pronoun before the verb that is not its subject."""
        others = [word for word in ["me", "te", "nos", "os", "le", "les"] if word != _REFLEXIVE.get(context.person)]
        return self._pronoun(self._chance.choice(others if self._chance.random() < 0.35 else _THIRD.split()))

    def _clitic3(self, _context: Context) -> Sentence:
        return self._pronoun(self._chance.choice(_THIRD.split()))

    def _se(self, context: Context) -> Sentence:
        others = [word for word in ("se", "se", "me", "te", "nos") if word != _REFLEXIVE.get(context.person)]
        return self._pronoun(self._chance.choice(others))

    def _dative(self, context: Context) -> Sentence:
        others = [word for word in ("le", "le", "les", "me", "te", "nos", "os") if word != _REFLEXIVE.get(context.person)]
        return self._pronoun(self._chance.choice(others))

    def _adj(self, context: Context, number: str = "", gender: str = "") -> Sentence:
        lemma = self._chance.choice(self.classes["adjective"])
        return [Gold(self._adjective(lemma, gender or context.gender, number or context.number), lemma, "ADJ", "", 1)]

    def _adj_after(self, context: Context) -> Sentence:
        return self._adj(context, "S")

    def _adjective(self, lemma: str, gender: str, number: str) -> str:
        tags = (f"{kind}{its}{number}" for kind in ("AQ", "AO") for its in (gender, "C"))
        return next((self._forms[lemma, tag] for tag in tags if (lemma, tag) in self._forms), "")

    def _n(self, _context: Context, kind: str, *wanted: str) -> Sentence:
        """A noun without a determiner; `m` and `f`, `s` and `p` ask for a gender and a number."""
        genders = [each.upper() for each in wanted if each in ("m", "f")] or ["M", "F"]
        numbers = [each.upper() for each in wanted if each in ("s", "p")] or ["S", "S", "P"]
        return [self._noun(kind, self._chance.choice(genders), self._chance.choice(numbers))]

    def _noun(self, kind: str, gender: str, number: str) -> Gold:
        if kind == "thing" and self._chance.random() < _AMBIGUOUS_NOUNS:
            form, lemma = self._chance.choices(*self._pools[f"NC{gender}{number}"])[0]
            return Gold(form, "", "NOUN", "", 1)
        for _ in range(20):
            lemma = self._chance.choice(self.classes[kind])
            for tag in (f"NC{gender}{number}", f"NCC{number}", f"NC{gender}N"):
                if (lemma, tag) in self._forms:
                    return Gold(self._forms[lemma, tag], "", "NOUN", "", 1)
        return Gold("", "", "NOUN", "", 1)

    def _np(self, context: Context, kind: str = "thing", role: str = "") -> Sentence:
        """A noun with its determiner, sometimes with an adjective; as a subject it has the number of the clause."""
        gender = self._chance.choice("MF")
        number = {"subject": context.number, "plural": "P"}.get(role) or self._chance.choice("SSSP")
        if role == "subject":
            context.gender = gender
        found = self._determiner(gender + number)
        if number == "S" and self._chance.random() < 0.06:
            word = self._chance.choice(_BEFORE_NOUNS[gender + number].split())
            found.append(Gold(word, "", "ADJ", "", 1))
        found.append(self._noun(kind, gender, number))
        if self._chance.random() < 0.12:
            found += self._adj(context, number, gender)
        return found

    def _determiner(self, agreement: str) -> Sentence:
        words = self._chance.choice(_DETERMINERS[agreement].split()).split("=")
        if len(words) > 1:
            return [Gold(words[0], "", UNSURE, "", 1), Gold(words[1], "", "DET", "", 1)]
        return [Gold(words[0], "", "NUM" if words[0] in _NUMBERS else "DET", "", 1)]

    def _v(self, context: Context, kind: str, tense: str) -> Sentence:
        """A verb of a class in a tense; `+` behind an infinitive, gerund or imperative is a pronoun written together."""
        tense, _, category = tense.partition(":")
        if tense.endswith("3"):
            tense = tense[:-1]
            context.set_person("3s")
        tag = self._tag(context, tense.rstrip("+"))
        category = category or ("AUX" if kind in _AUXILIARY else "VERB")
        form, lemma = self._verb(context, kind, tag)
        if "+" in tense and form:
            form = self._with_pronouns(form, lemma, self._pronouns_behind(context, kind, tense.count("+")))
        return [Gold(form, lemma, category, "", 1)]

    def _tag(self, context: Context, tense: str) -> str:
        if tense in ("inf", "ger", "part"):
            return {"inf": "N0000", "ger": "G0000", "part": "P00SM"}[tense]
        if tense == "imper":
            return f"M0{context.tagged}"
        if tense == "told":
            return self._chance.choice(("IS3S", "IP3S"))
        chosen = _NAMED_TENSES.get(tense) or self._chance.choices(list(_TENSES), list(_TENSES.values()))[0]
        return chosen + context.tagged

    def _verb(self, context: Context, kind: str, tag: str) -> tuple[str, str]:
        if f"VM{tag}" in self._pools and context.person != "vos" and self._chance.random() < _AMBIGUOUS.get(kind, 0):
            form, lemma = self._chance.choices(*self._pools[f"VM{tag}"])[0]
            return form, lemma
        if kind == "odd":
            its = () if context.person == "vos" else self._odd.get(f"VM{tag}")
            return self._chance.choices(*its)[0] if its else ("", "")
        lemma = self._chance.choices(self.classes[kind], self._usual[kind])[0]
        if context.person == "vos" and tag in ("IP2S", "M02S"):
            return self._voseo(lemma, imperative=tag == "M02S"), lemma
        return next((self._forms[lemma, f"V{its}{tag}"] for its in "MSA" if (lemma, f"V{its}{tag}") in self._forms), ""), lemma

    @staticmethod
    def _voseo(lemma: str, *, imperative: bool) -> str:
        if lemma in _IRREGULAR_VOSEO:
            return _IRREGULAR_VOSEO[lemma][imperative]
        return lemma[:-2] + _ENDINGS_VOSEO[lemma[-2:].translate(_UNACCENTED)][imperative]

    def _pronouns_behind(self, context: Context, kind: str, number: int) -> tuple[str, ...]:
        own = _REFLEXIVE.get(context.person, "se")
        if kind == "reflexive":
            return (own,)
        others = [word for word in ("me", "te", "nos", "le", "les") if word != own]
        if number > 1:
            return (self._chance.choice(("me", "nos", "se")), self._chance.choice(_THIRD.split()))
        return (self._chance.choice(others if kind == "giving" else [*others, *_THIRD.split()]),)

    def _with_pronouns(self, form: str, lemma: str, pronouns: tuple[str, ...]) -> str:
        """A verb with pronouns behind it, accented as the analyses want it; "" when they know no such word."""
        key = (form, lemma, pronouns)
        if key not in self._joined:
            self._joined[key] = next((word for word in _joined(form, pronouns) if self._is_read(word, lemma, pronouns)), "")
        return self._joined[key]

    def _is_read(self, word: str, lemma: str, pronouns: tuple[str, ...]) -> bool:
        return any(
            found.lemma == lemma and found.clitics == pronouns and "Typo" not in found.features for found in self._analyse(word)
        )


def _plain(tag: str) -> str:
    """What the slots look at in a tag: of verbs mood, tense, person and number, of others kind, gender and number."""
    if tag[0] == "V":
        return tag[:7] if tag[2] in "NGP" else tag[:6]
    return tag[:2] + tag[3:5] if tag[0] == "A" else tag[:4]


def _joined(form: str, pronouns: tuple[str, ...]) -> list[str]:
    """The ways to write a verb with pronouns: with the accent that it has, none, or one on any of its vowels."""
    plain, behind = form.translate(_UNACCENTED), "".join(pronouns)
    stems = [plain, form, *(plain[:k] + _ACCENTED[v] + plain[k + 1 :] for k, v in enumerate(plain) if v in _ACCENTED)]
    shorter = [stem[:-1] for stem in stems if stem.endswith(("d", "mos")) and behind in ("os", "nos")]
    return [stem + behind for stem in (*shorter, *stems)]
