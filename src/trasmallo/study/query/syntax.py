"""What a corpus query is made of, and how it is written.

Everything is frozen and knows how to write itself in full (`str`), in a form that is read as the same query again.
"""

from __future__ import annotations

import msgspec

OF_TOKENS = {"word": "word", "lemma": "lemma", "pos": "category", "tag": "tag", "feats": "tag"}
"""What a token has of itself, and the column it stands in. `feats` are the single features in a tag."""

OF_ENTITIES = {"ent": "ent", "entity": "entity"}
"""What it has of the entity that it belongs to: its kind and its name, "" outside of all; see `entity_columns`."""

ATTRIBUTES = {**OF_TOKENS, **OF_ENTITIES}
"""What can be asked of a token, and the column it stands in."""

STRUCTURES = ("s", "doc")


class QueryLimits(msgspec.Struct, frozen=True):
    """What a query may ask for: characters, brackets inside brackets, tokens after writing out repeats, repeats of anything."""

    characters: int = 100_000
    depth: int = 50
    tokens: int = 2_000
    repeats: int = 100


LIMITS = QueryLimits()


class Compare(msgspec.Struct, frozen=True):
    """An attribute whose whole value is (or is not) matched by an expression, or by a plain text when `literal`."""

    attribute: str
    pattern: str
    negated: bool = False
    literal: bool = False
    any_case: bool = False
    any_accent: bool = False

    def __str__(self) -> str:
        sign = "!" * self.negated + "=" + "=" * self.literal
        flags = "c" * self.any_case + "d" * self.any_accent
        return f"{self.attribute}{sign}{quoted(self.pattern, literal=self.literal)}" + (f"%{flags}" if flags else "")


class Both(msgspec.Struct, frozen=True):
    """All of some conditions; of none, any token."""

    parts: tuple[Condition, ...] = ()

    def __str__(self) -> str:
        return " & ".join(f"({part})" if isinstance(part, Either | Both) else str(part) for part in self.parts)


class Either(msgspec.Struct, frozen=True):
    """At least one of some conditions."""

    parts: tuple[Condition, ...]

    def __str__(self) -> str:
        return " | ".join(f"({part})" if isinstance(part, Either) else str(part) for part in self.parts)


class Not(msgspec.Struct, frozen=True):
    """The opposite of a condition."""

    part: Condition

    def __str__(self) -> str:
        return f"!({self.part})"


Condition = Compare | Both | Either | Not


class One(msgspec.Struct, frozen=True):
    """One token that fulfils a condition; `label` is the name by which it is compared with others, "" without one."""

    condition: Condition
    label: str = ""

    def __str__(self) -> str:
        return f"{self.label}:" * bool(self.label) + f"[{self.condition}]"


class Edge(msgspec.Struct, frozen=True):
    """The place where a sentence or document begins or ends."""

    structure: str
    end: bool = False

    def __str__(self) -> str:
        return f"<{'/' * self.end}{self.structure}>"


class PatternSequence(msgspec.Struct, frozen=True):
    """Things one after the other."""

    parts: tuple[Pattern, ...]

    def __str__(self) -> str:
        return " ".join(f"({part})" if isinstance(part, Choice | PatternSequence) else str(part) for part in self.parts)


class Choice(msgspec.Struct, frozen=True):
    """One of several things."""

    parts: tuple[Pattern, ...]

    def __str__(self) -> str:
        return " | ".join(f"({part})" if isinstance(part, Choice) else str(part) for part in self.parts)


class Repeat(msgspec.Struct, frozen=True):
    """The same thing several times; what is written without an upper bound has the limit's."""

    part: Pattern
    least: int
    most: int

    def __str__(self) -> str:
        inner = str(self.part) if isinstance(self.part, One) else f"({self.part})"
        return f"{inner}{{{self.least},{self.most}}}"


Pattern = One | Edge | PatternSequence | Choice | Repeat


class Agreement(msgspec.Struct, frozen=True):
    """Two labelled tokens that have (or have not) the same value of an attribute."""

    first: str
    second: str
    attributes: tuple[str, str]
    negated: bool = False

    def __str__(self) -> str:
        return f"{self.first}.{self.attributes[0]} {'!' * self.negated}= {self.second}.{self.attributes[1]}"


class Area(msgspec.Struct, frozen=True):
    """Sentences, or the documents that fulfil some conditions on their columns (column, operator, value)."""

    structure: str
    conditions: tuple[tuple[str, str, str], ...] = ()

    def __str__(self) -> str:
        inner = "".join(f" {name}{sign}{quoted(value, literal=True)}" for name, sign, value in self.conditions)
        return f"<{self.structure}{inner}/>"


class Restriction(msgspec.Struct, frozen=True):
    """Hits must lie inside of (or contain, or not) some area or hit of another query."""

    kind: str
    target: Area | Query
    negated: bool = False

    def __str__(self) -> str:
        target = str(self.target) if isinstance(self.target, Area) else f"({self.target})"
        return f"{'!' * self.negated}{self.kind} {target}"


class Query(msgspec.Struct, frozen=True):
    """What is looked for: a sequence, comparisons of its labelled tokens, and restrictions of place."""

    pattern: Pattern
    agreements: tuple[Agreement, ...] = ()
    restrictions: tuple[Restriction, ...] = ()

    def __str__(self) -> str:
        agreements = "".join(f" & {one}" for one in self.agreements)
        return f"{self.pattern}{agreements}" + "".join(f" {one}" for one in self.restrictions)


def asks_entities(query: Query) -> bool:
    """Whether a query, or one inside it, asks for entities."""
    waiting: list[object] = [query]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Compare) and part.attribute in OF_ENTITIES:
            return True
        if isinstance(part, Agreement) and not OF_ENTITIES.keys().isdisjoint(part.attributes):
            return True
        if isinstance(part, tuple):
            waiting += part
        elif isinstance(part, msgspec.Struct):
            waiting += (getattr(part, name) for name in part.__struct_fields__)
    return False


def quoted(text: str, *, literal: bool) -> str:
    """A value in quotation marks; in an expression a backslash has its own meaning and stays."""
    if literal:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return '"' + _guarded(text) + '"'


def _guarded(expression: str) -> str:
    """An expression with a backslash before quotation marks that have none."""
    pieces, escaped = [], False
    for letter in expression:
        pieces.append('\\"' if letter == '"' and not escaped else letter)
        escaped = letter == "\\" and not escaped
    return "".join(pieces)
