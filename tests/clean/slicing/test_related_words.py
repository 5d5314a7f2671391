from __future__ import annotations

import pytest

from support.slicing_vectors import FORMS, LEXICON
from trasmallo import slice_page
from trasmallo.clean.slicing.inflection import FormTable
from trasmallo.clean.slicing.meaning import Lexicon
from trasmallo.clean.slicing.related_words import OwnMeaning, read_related
from trasmallo.values.errors import UsageError

# As the thesis writes it: one of its end tags has another name.
XML = """<criterio valor="gato">
  <palabra nivel="1" valor="persa">
    <palabra nivel="2" valor="raza" />
    <palabra nivel="2" valor="peludo" />
  </palabra >
  <palabra nivel="1" valor="deidad">
    <palabra nivel="2" valor="dios" />
  </nivel>
</criterio>"""
JSON = """{"criterio": "gato", "palabras": [
  {"nivel": 1, "valor": "persa", "palabras": [{"nivel": 2, "valor": "raza"}, {"valor": "peludo"}]},
  {"nivel": 1, "valor": "deidad", "palabras": ["dios"]}]}"""
WORDS = {"gato": {"persa": 1, "raza": 2, "peludo": 2, "deidad": 1, "dios": 2}}
DOGS = (
    "<p>Ciertas razas son por lo común más fáciles de entrenar respecto a otras. Aún el más distraído puede obedecer más "
    "fácilmente el entrenamiento que, por ejemplo, un gato.</p>"
)


@pytest.mark.parametrize("text", [XML, JSON, XML.replace(' nivel="2"', "")])
def test_trees_are_read(text: str) -> None:
    assert read_related(text) == WORDS


def test_english_names_and_several_trees() -> None:
    text = '[{"criterion": "cat", "words": ["tom"]}, {"value": "dog", "words": [{"value": "pup", "level": 3}]}]'
    assert read_related(text) == {"cat": {"tom": 1}, "dog": {"pup": 3}}
    assert read_related('<criterion value="cat"><word value="tom"/></criterion>') == {"cat": {"tom": 1}}


@pytest.mark.parametrize(
    "text", ["", "{", "[1, 2]", "gato raza", '<criterio valor="gato"><palabra nivel="x" valor="raza"/></criterio>', '{"a": 1}']
)
def test_what_is_no_tree_is_told(text: str) -> None:
    with pytest.raises(UsageError, match="tree of related words"):
        read_related(text)


@pytest.mark.parametrize("related", [XML, JSON, WORDS])
def test_the_example_of_the_thesis(related: str | dict[str, dict[str, int]]) -> None:
    near = slice_page(DOGS, "gato", tolerance="meaning:1", related=related, language="es")
    far = slice_page(DOGS, "gato", tolerance="meaning:2", related=related, language="es")
    assert "razas" not in near.text
    assert "razas" in far.text
    assert [(word.word, word.distance) for word in far.related] == [("razas", 2)]


def test_a_tree_that_nobody_asks_for_is_refused() -> None:
    with pytest.raises(UsageError, match=r"needs a tolerance by meaning: say the tolerance is meaning:2"):
        slice_page(DOGS, "gato", related=XML)


@pytest.mark.parametrize(
    "text", ["[" * 100_000, "x" * 200_001, '{"criterio": "a", "palabras": [{"valor": "b", "nivel": "0009999999"}]}']
)
def test_a_hostile_tree_is_told(text: str) -> None:
    with pytest.raises(UsageError, match="tree of related words"):
        read_related(text)


def test_a_tree_of_a_language_without_meanings() -> None:
    found = slice_page("<p>le chat. son pelage.</p>", "chat", "meaning:1", related={"chat": {"pelage": 1}}, language="fr")
    assert "pelage" in found.text


def test_words_outside_the_tree_are_the_lexicon_s() -> None:
    own = OwnMeaning({"raza": {"gatos": 1}}, Lexicon(LEXICON), [FormTable(FORMS)])
    assert own.relate(["raza"]) == {"gatos": 1, "gato": 1}
    assert own.distance("gatos", own.relate(["gatos"])) == 1
    assert own.relate(["perro"])["animal"] == 2
    assert (own.weigh("de"), own.weigh("raza")) == (0, 1)
    assert OwnMeaning({"raza": {"x": 1}}, None, []).weigh("de") == 1
