from __future__ import annotations

import hashlib
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from trasmallo.clean.slicing import inflection
from trasmallo.clean.slicing.inflection import FormTable
from trasmallo.study.morphology import analyse, rules
from trasmallo.study.morphology.lexicon_files import find

MADE = {
    "en": (
        "e7b4fe0f9da004b769cf438c0e335e5a31cae728853ff985e2b0b662418ab408",
        "dfce1cb29c69592f35b8f22222652c53080ef271a678bcdd582953fd8cfe8cdd",
    ),
    "es": (
        "540d0ee59f482f49a99ad8e4b939c21c612f499a7650adeb522f6ffd756666e5",
        "e5fc1ba1a1bc7c85d5b12ca0b9da9322188a3ada4f564a5ce051e7cee3d2a4b0",
    ),
}
"""Of the lexicon and of the table that `training/forms.py` makes of it, which takes a minute and a half: byte for byte."""
TRAINING = Path(__file__).resolve().parents[2] / "training"
ROWS = [
    ("marcar", "marcar", "VMN0000"),
    ("marcó", "marcar", "VMIS3S0"),
    ("marca", "marcar", "VMM02S0"),
    ("ver", "ver", "VMN0000"),
    ("ve", "ver", "VMM02S0"),
    ("vela", "vela", "NCFS000"),
    ("velas", "vela", "NCFP000"),
    ("e-mail", "e-mail", "NCMS000"),
]


@pytest.fixture
def forms() -> Iterator[ModuleType]:
    sys.path.insert(0, str(TRAINING))
    yield importlib.import_module("forms")
    sys.path.remove(str(TRAINING))


@pytest.mark.parametrize("language", sorted(MADE))
def test_the_tables_are_those_of_their_lexicons(language: str) -> None:
    lexicon, table = MADE[language]
    found, written = find(language), Path(inflection.__file__).with_name("forms") / f"{language}.gz"
    assert hashlib.sha256(written.read_bytes()).hexdigest() == table, "make the tables anew, and pin both"
    if found is None or found.digest != lexicon:
        pytest.skip("another version of the lexicon is installed than the one the table was made of")


def test_a_table_has_the_forms_of_its_lexicon(forms: ModuleType) -> None:
    groups = forms.gather(ROWS)
    forms.add_pronouns("es", ROWS, groups)
    table = FormTable("".join(f"{line}\n" for line in forms.write_lines("es", groups)))
    assert {"marcó", "marca", "marcarlo", "márcalo", "marcárselo"} <= set(table.expand("marcar"))
    assert "verla" in table.expand("ver")
    assert "vela" not in table.expand("ver"), "it is another word"
    assert table.expand("vela") == ("vela", "velas")


@pytest.mark.parametrize(
    ("verb", "pronouns", "word"),
    [
        ("dando", "se lo", "dándoselo"),
        ("vamos", "nos", "vámonos"),
        ("sentad", "os", "sentaos"),
        ("oír", "lo", "oírlo"),
        ("envíe", "me", "envíeme"),
        ("dé", "me", "deme"),
        ("siguiendo", "le", "siguiéndole"),
        ("averiguando", "lo", "averiguándolo"),
        ("construye", "lo", "constrúyelo"),
    ],
)
def test_pronouns_leave_the_stress_where_it_was(forms: ModuleType, verb: str, pronouns: str, word: str) -> None:
    assert forms.join(verb, tuple(pronouns.split()), rules.load("es").enclitics.dropped) == word
    assert pronouns.split()[-1] in {clitic for found in analyse(word) for clitic in found.clitics}
