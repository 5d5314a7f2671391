"""Pages, criteria and options for slicing, and what each gives: Python writes them down, every browser must agree.

    PYTHONPATH=tests python -m support.slicing_vectors      # writes tests/golden/slicing anew

Everything is drawn with one seed. A page is written once; a result is its relevant nodes and reasons, and a digest of the rest.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from support.broken_markup import PIECES
from trasmallo.clean.flat import TEXT, flatten
from trasmallo.clean.slicing import inflection
from trasmallo.clean.slicing.criterion import Tree, Word, parse, words_of
from trasmallo.clean.slicing.inflection import FormTable, inflect
from trasmallo.clean.slicing.matching import Matcher, WordComparison, find_attributes, find_marks
from trasmallo.clean.slicing.meaning import Lexicon
from trasmallo.clean.slicing.page import PageArrays, from_flat, name_of
from trasmallo.clean.slicing.related_words import OwnMeaning, read_related
from trasmallo.clean.slicing.rules import as_command, as_filters, as_style_sheet
from trasmallo.clean.slicing.steps import Slice, Step, slice_flat
from trasmallo.clean.slicing.tolerance import read_tolerance
from trasmallo.clean.slicing.views import plan_bare
from trasmallo.values.errors import CriterionError, UsageError

READING = ("where", "case", "accents", "part", "forms")
GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "slicing"
SEED = 20
PAGES, CASES, CRITERIA = 160, 2_400, 600
_OWN = 0.5
"""Of the cases with a tolerance by meaning, those with a user's tree."""

WORDS = [
    *("madrid", "Madrid", "MADRID", "auxerre", "Auxerré", "agenda", "Agenda", "agéndá", "teléfonos", "telefonos", "pdf", "el"),
    *("de", "la", "y", "Straße", "strasse", "niño", "nin\u0303o", "NIÑO", "日本", "日本語", "covid-19", "C++", "x\u00ady"),
    *("ﬁn", "İstanbul", "ǅ", "😀", "𝒳y", "\u200b", "a.b", "gato", "gatos", "perro", "raza", "fin.", "sí;", "¿qué?", "J."),
    *("http://e.es/gato?u=http%3A%2F%2Fperro", "Mailto:agenda", "data:raza", "x?y=://z", "a:b?c"),
    *("uno", "dos", "tres", "Sr.", "3,14", "م\u064eد\u0652ريد", "हिन्दी", "marcó", "Marcar", "marcas", "niñas", "STRASSEN"),
]
_COMMON = ["div", "p", "b", "a", "ul", "li", "table", "tr", "td", "span", "section", "dl", "dt", "h2", "em", "nav", "my-tag"]
_XML = ["Remitente", "codigoPostal"]
_RARE = ["select", "option", "script", "style", "iframe", "svg", "textarea", "noscript", "template", "canvas"]
_NAMES = ["href", "title", "alt", "class", "id", "style", "onclick", "src", "data-x", "data-element", "data-attributes"]
_BLANKS = [" ", " ", " ", "\n", "\t", "\u00a0", "\u2003", "  ", "", "\x1f", "\u3000"]
# Three senses in a row and one apart: gato - felino - animal - perro; raza.
LEXICON = """{"language":"es","functions":["de","el","la","y"],"endings":["s=","es="]}
0animal 2
0felino 1
0gato 0
0perro 3
0raza 4

1
1
1


"""
# Forms of agenda, gato, perro, teléfono (a paradigm), of marcar, niño and Straße.
FORMS = """{"language":"es"}
0 0 0s
0ar 1 1r 1s 0ó
0o 0a 1s 0o 1s
0 0 0n

0agenda 0
0gato 0
0marc 1
0niñ 2
0perro 0
0straße 3
0teléfono 0
"""
# A user's tree: gato in any form, and words of the lexicon behind it.
TREE = """<criterio valor="Gatos"><palabra valor="agenda"><palabra valor="teléfono"/></palabra><palabra nivel="4" valor="uno"/>
</criterio><criterio valor="perro"><palabra valor='marcar'/></nada></criterio>"""
_RELATED = [
    TREE,
    TREE.replace("palabra", "word").replace("criterio ", "criterion ").replace("valor", "VALUE"),
    "",
    "gato",
    "{",
    "[]",
    "[1]",
    *(
        '<criterio valor="a"><palabra valor="b&amp;&#241;&#xF1;&#0;&nbsp;&#xD800;"/>',
        "\ufeff <criterio valor='a'><palabra valor='b'>",
    ),
    *(
        "<criterio valor=a><palabra valor=b>",
        "<a><criterio valor='x'><palabra nivel=' 3 ' valor='y' /><palabra nivel='03' valor='y'",
    ),
    *('<criterio valor="x"><palabra nivel="x" valor="y"/>', '<criterio valor="x"><palabra nivel="0" valor="y"/>'),
    *(
        '<criterio valor="x"><!-- <palabra valor="n"/> --><![CDATA[<palabra valor="m"/>]]><palabra valor="<y>"/>',
        "<criterio valor=''>",
    ),
    '{"criterio": "gato", "palabras": [{"nivel": 1, "valor": "persa", "palabras": [{"nivel": 2.0, "valor": "raza"}, "feo"]}]}',
    '[{"criterion": "cat", "words": ["tom", "tom", 7, null, []]}, {"value": "dog", "words": [{"value": "pup", "level": "3"}]}]',
    '{"criterio": "a", "palabras": [{"valor": "b", "nivel": 1.5}]}',
    '{"criterio": "a", "palabras": [{"valor": "b", "nivel": true}]}',
    '{"criterio": ["a"], "palabras": ["b"]}',
    '{"criterio": {}, "valor": "a", "palabras": [{"valor": [], "value": "b", "nivel": 0}]}',
    '{"criterio": "a", "palabras": [{"valor": "b", "nivel": 10000000}]}',
    '\u3000\n{"criterio": "a", "words": ["b"]}',
]
INFLECTED = {
    "es": "marcar marcó MARCABAN cancion niña voy fuimos dándoselo público rápidas lápices ir ser casa xyz oírlo sé árbol",
    "en": "run ran Mice children better was analyses cities xyz running café brought data",
}
WRITTEN = [
    "<body><div id=p><a href=Agenda.pdf> Agenda </a> <a href=Telefonos.pdf>Telefonos </a></div>",
    "<body><a href=archivo.pdf>Información de la agenda.</a>",
    "<body><ul type=circle><li>Telefonos<li>Agenda<li>Citas</ul>",
    "<p>Real <b>Ma</b>drid<br>Club de fútbol</p><p>El <i>gato</i> duerme. El perro no; ladra. La raza importa.</p>",
    "<table><tr><td>uno<td>madrid<tr><td>auxerre<td>dos</table>",
    "<body class=madrid><p>nada</p>",
    "<frameset><frame src=madrid.html></frameset>",
    "",
    "<div data-element=Mensaje data-title=Madrid><div data-element=Remitente data-nombre='Ana' data-codigopostal='gato'"
    " data-attributes='Nombre codigoPostal'></div><div data-element=agenda data-x>uno"
    "<div data-element=Remitente class=pdf>dos",
    "<p>Ciertas razas son fáciles. Aún el perro más flojo obedece más que un gato.</p><p>Otro párrafo. Con dos frases.</p>",
]


def write_markup(chance: random.Random, size: int) -> str:
    """Tags and words in no good order."""
    found = []
    words = chance.sample(WORDS, 8)
    for _ in range(size):
        kind = chance.random()
        if kind < 0.3:
            names = chance.sample(_NAMES, chance.choice([0, 0, 1, 2]))
            values = "".join(f' {name}="{write_text(chance, words, 2)}"' for name in names)
            found.append(f"<{_tag(chance)}{values}>")
        elif kind < 0.5:
            found.append(f"</{_tag(chance)}>")
        elif kind < 0.55:
            found.append("<br>")
        else:
            found.append(write_text(chance, words, 5))
    return "".join(found)


def _tag(chance: random.Random) -> str:
    return chance.choice(_RARE if chance.random() < 0.04 else _COMMON)


def write_text(chance: random.Random, at_hand: list[str], most: int) -> str:
    words = [chance.choice(at_hand) for _ in range(chance.randrange(most + 1))]
    return "".join(part for word in words for part in (word, chance.choice(_BLANKS)))


def make_tree(chance: random.Random, size: int) -> PageArrays:
    """A page that no parser would give: any tag inside any other, with odd characters in it."""
    parent, tag, text = [-1, 0], ["html", "body"], ["", ""]
    attrs: list[Any] = [None, None]
    path = [0, 1]
    words = chance.sample(WORDS, 8)
    for index in range(2, size):
        del path[chance.randrange(2, len(path) + 1) :]
        parent.append(path[-1])
        is_text = chance.random() < 0.5
        tag.append("#text" if is_text else _tag(chance))
        odd = chance.choice(["", "", "", "\0", "\ud800", "\x85", "\x1c"])
        text.append(write_text(chance, words, 4) + odd if is_text else "")
        named = not is_text and chance.random() < 0.3
        attrs.append([(chance.choice(_NAMES), write_text(chance, words, 2))] if named else None)
        if not is_text:
            path.append(index)
    return PageArrays(parent, tag, attrs, text)


def make_pages(chance: random.Random, number: int) -> list[PageArrays]:
    """Written pages first, then in turn markup, soups and trees."""
    pages = [from_flat(flatten(html)) for html in WRITTEN]
    while len(pages) < number:
        size = chance.choice([5, 20, 60, 120])
        if len(pages) % 3 == 0:
            pages.append(make_tree(chance, size + 2))
        else:
            html = write_markup(chance, size) if len(pages) % 3 == 1 else "".join(chance.choices(PIECES, k=size))
            pages.append(from_flat(flatten(html)))
    return pages


def words_in(chance: random.Random, page: PageArrays) -> list[str]:
    """The words at hand that a page has, or all of them."""
    written = " ".join([*page.text, *(value for pairs in page.attrs if pairs for _, value in pairs)])
    usable = [word for word in (*WORDS, *_XML) if "," not in word and word not in ("y", "\u200b")]
    return [word for word in usable if word in written] * 6 + chance.sample(usable, 2)


def write_criterion(chance: random.Random, words: list[str], depth: int = 2) -> str:
    """A criterion without mistakes, of some words."""
    kind = chance.random()
    if depth == 0 or kind < 0.35:
        return _write_leaf(chance, words)
    if kind < 0.5:
        return f"{chance.choice(['NOT', 'NO', 'not'])} {write_criterion(chance, words, depth - 1)}"
    if kind < 0.6:
        return f"({write_criterion(chance, words, depth - 1)})"
    joint = chance.choice([" AND ", " OR ", " XOR ", " Y ", " O ", " ", " and ", " or ", " -"])
    return joint.join(write_criterion(chance, words, depth - 1) for _ in range(chance.choice([2, 2, 3])))


def _write_leaf(chance: random.Random, words: list[str]) -> str:
    word = chance.choice(words)
    kind = chance.random()
    if kind < 0.2:
        return word + "~"
    if kind < 0.6:
        return chance.choice(["", "", "*"]) + word[: chance.choice([9, 9, 3])] + chance.choice(["", "", "*"])
    if kind < 0.75:
        opening, close = chance.choice(['""', '""', "''", "‘’", "«»"])
        return f"{opening}{word} {chance.choice(words)}{close}"
    if kind < 0.85:
        return f"{chance.choice(['MIN', 'MAX', 'máx', 'min'])}({word}, {chance.randrange(4)})"
    return f"SUM({word}, {chance.choice(words)}, {chance.randrange(4)})"


def break_criterion(chance: random.Random, source: str) -> str:
    """A criterion with something cut out, put in or twice there."""
    place = chance.randrange(len(source) + 1)
    odd = chance.choice(
        ["(", ")", '"', ",", "AND", " OR ", "*", "«", "”", "MIN(", "", " ", "NOT", "SUM(a,b", "~", "-", "'", "’"]
    )
    return source[:place] + odd + source[place + chance.randrange(4) :]


def make_steps(chance: random.Random, page: PageArrays) -> list[dict[str, Any]]:
    """One to three steps as the extension writes them, without the parsed tree."""
    words = words_in(chance, page)
    names = sorted({name_of(page, node) for node in range(len(page))} - {TEXT})
    return [_make_step(chance, words, names, len(page)) for _ in range(chance.choice([1, 1, 1, 2, 2, 3]))]


def _make_step(chance: random.Random, words: list[str], names: list[str], size: int) -> dict[str, Any]:
    where = chance.choice(["text", "attributes", "elements", "both", "both", "both", "both", "both", "both"])
    step: dict[str, Any] = {"criterion": _sound(chance, names if where == "elements" else words)}
    if chance.random() < 0.07:
        step = {"nodes": [chance.randrange(size) for _ in range(chance.randrange(1, 9))]}
    options = {
        "tolerance": chance.choice([1, 2, 3, 9, "near:30", *_texts(chance)]),
        "inverse": True,
        "case": True,
        "accents": True,
        "part": True,
        "forms": True,
    }
    step |= {"where": where} if where != "both" else {}
    return step | {name: value for name, value in options.items() if chance.random() < (0.6 if name == "tolerance" else 0.25)}


def _texts(chance: random.Random) -> list[str]:
    return [f"{kind}:{chance.randrange(6)}" for kind in ("near", "near", "meaning", "meaning")]


def _sound(chance: random.Random, words: list[str]) -> str:
    """A criterion that is understood; words at hand may be operators' names or nothing but marks."""
    while True:
        source = write_criterion(chance, words)
        if "error" not in read_criterion(source):
            return source


def read_criterion(source: str) -> dict[str, Any]:
    """What a parser answers, as the extension's does; places counted in UTF-16 units."""
    try:
        return {"tree": json.loads(json.dumps(msgspec.to_builtins(parse(source))))}
    except CriterionError as error:
        at = units(source[: error.at])
        length = units(source[error.at : error.at + error.length])
        return {"error": {"at": at, "length": length, "code": error.code, "args": list(error.told)}}


def units(text: str) -> int:
    """The length of a text as JavaScript counts it."""
    return sum(2 if ord(character) > 0xFFFF else 1 for character in text)


def step_of(written: dict[str, Any]) -> Step:
    reading = WordComparison(**{name: written[name] for name in READING if name in written})
    tolerance = read_tolerance(written.get("tolerance", 0))
    inverse = written.get("inverse", False)
    tree = read_inflected(written["criterion"], reading) if "criterion" in written else None
    nodes = tuple(written.get("nodes", ()))
    return Step(tree, nodes, tolerance=tolerance, inverse=inverse, reading=reading)


def read_inflected(source: str, reading: WordComparison) -> Tree:
    return inflect(parse(source, inflected=reading.forms), [FormTable(FORMS)], accents=reading.accents)


def digest(numbers: list[int]) -> int:
    """As FNV-1a of 32 bits, but a number at a time; simple enough to be written in any language."""
    value = 0x811C9DC5
    for number in numbers:
        value = ((value ^ number) * 0x01000193) & 0xFFFFFFFF
    return value


def tell(page: PageArrays, found: Slice) -> list[Any]:
    """A result in short: relevant nodes, reasons, most tolerance, digest of states and parts."""
    parts = [
        number
        for index in sorted(found.parts)
        for start, end in found.parts[index]
        for number in (index, units(page.text[index][:start]), units(page.text[index][:end]))
    ]
    states = found.states.tolist()
    shown = digest([len(states), *states, *parts])
    bare = digest(
        [n for clone in plan_bare(page, found.states) for n in (clone.parent, clone.source, len(clone.tag), clone.deep)]
    )
    return [found.relevant.tolist(), found.reasons.tolist(), found.most, shown, bare]


def ruled(page: PageArrays, written: list[dict[str, Any]], steps: list[Step], found: Slice) -> int:
    """A digest of the rules that a slice gives; "-" where it gives none."""
    criteria = [(step.get("criterion", "x"), str(step.get("tolerance", 0)), "inverse" in step) for step in written]
    last = steps[-1]
    made = [
        lambda: as_command("https://example.org/", criteria, ["--view", "bare"]),
        lambda: as_style_sheet(page, found.states, inverse=last.inverse, keep_space=len(page) % 2 == 0),
        lambda: as_filters("example.org", "x  y", last.tree or Word("x"), last.reading, levels=1, inverse=last.inverse),
    ]
    return digest([unit for rule in made for unit in _utf16(_or_dash(rule))])


def _or_dash(make: Callable[[], str]) -> str:
    try:
        return make()
    except ValueError:
        return "-"


def _utf16(text: str) -> list[int]:
    encoded = text.encode("utf-16-le", "surrogatepass")
    return [low + 256 * high for low, high in zip(encoded[::2], encoded[1::2], strict=True)]


def marked(page: PageArrays, step: Step) -> int:
    """A digest of the matches in the text."""
    marks = find_marks(Matcher(page, step.reading), [] if step.tree is None else words_of(step.tree))
    texts = page.text
    return digest(
        [n for m in marks for n in (m.number, m.node, units(texts[m.node][: m.start]), units(texts[m.node][: m.end]))]
    )


def matched(page: PageArrays, step: Step, found: Slice) -> int:
    """A digest of the attributes of what was found, by the first step's words."""
    matcher, words = Matcher(page, step.reading), [] if step.tree is None else words_of(step.tree)
    rows = [row for node in found.relevant.tolist() for row in find_attributes(matcher, words, node)]
    return digest(_utf16(" ".join(part for row in rows for part in (row.tag, row.name, row.value))))


def flat(page: PageArrays) -> dict[str, Any]:
    return {"parent": page.parent, "tag": page.tag, "attrs": page.attrs, "text": page.text}


def result_of(page: PageArrays, steps: list[dict[str, Any]]) -> list[Any]:
    """All that is kept of what steps give; a first step that is `own` has a user's tree of related words."""
    read = list(map(step_of, steps))
    lexicon = Lexicon(LEXICON)
    own = OwnMeaning(read_related(TREE), lexicon, [FormTable(FORMS)])
    found = slice_flat(page, read, own if steps[0].get("own") else lexicon)
    related = [[word, distance] for word, distance in sorted(found.related.items())]
    return [*tell(page, found), marked(page, read[0]), ruled(page, steps, read, found), matched(page, read[0], found), related]


def make_cases(chance: random.Random, pages: list[PageArrays], number: int) -> Iterator[list[Any]]:
    """Cases with their results: the page's number, steps, result."""
    for count in range(number):
        page = pages[count % len(pages)]
        steps = make_steps(chance, page)
        if any(str(step.get("tolerance", "")).startswith("meaning") for step in steps) and chance.random() < _OWN:
            steps[0]["own"] = True
        yield [count % len(pages), steps, result_of(page, steps)]


def write(folder: Path, seed: int = SEED, pages: int = PAGES, cases: int = CASES, criteria: int = CRITERIA) -> None:
    """Write the golden files of a seed."""
    chance = random.Random(seed)
    made = make_pages(chance, pages)
    folder.mkdir(parents=True, exist_ok=True)
    _write_lines(folder / "pages.jsonl", map(flat, made))
    _write_lines(folder / "cases.jsonl", make_cases(chance, made, cases))
    (folder / "lexicon.txt").write_text(LEXICON, "utf-8")
    (folder / "forms.txt").write_text(FORMS, "utf-8")
    (folder / "tree.txt").write_text(TREE, "utf-8")
    _write_lines(folder / "related.jsonl", ([text, related_in(text)] for text in _RELATED))
    _write_lines(folder / "inflected.jsonl", expand_words())
    sources = [write_criterion(chance, WORDS, 3) for _ in range(criteria // 3)]
    sources += [break_criterion(chance, chance.choice(sources)) for _ in range(criteria - len(sources))]
    _write_lines(folder / "criteria.jsonl", ([source, read_criterion(source)] for source in sources))


def related_in(text: str) -> list[list[Any]] | None:
    """The rows of a tree of related words in order, None for one that cannot be read."""
    try:
        trees = read_related(text)
    except UsageError:
        return None
    return sorted([criterion, word, level] for criterion, words in trees.items() for word, level in words.items())


def expand_words() -> Iterator[list[Any]]:
    """Words of the real tables with how many forms each has, and a digest of them."""
    for language, words in INFLECTED.items():
        table = inflection.load(language)
        assert table is not None
        for word in words.split():
            for accents in (False, True):
                forms = table.expand(word, accents=accents)
                yield [language, word, accents, len(forms), digest(_utf16(" ".join(forms)))]


def _write_lines(path: Path, rows: Any) -> None:
    text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    path.write_text(text, "ascii")


def read_lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[2:]]
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else GOLDEN, *numbers)
