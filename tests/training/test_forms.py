from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from trasmallo.clean.slicing.inflection import FormTable
from trasmallo.study.morphology import analyse, rules

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
