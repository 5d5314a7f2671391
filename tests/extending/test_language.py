"""A language that somebody else's package brings: a folder, found through its entry point."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FILES = {
    "language.toml": 'english = "Toy"\nspanish = "juguetés"\nstemmers = { chop = "chopping" }\ncompared = ["s", "chop"]\n',
    "tokens.toml": 'joiners = "+"\nelisions = []\nordinals = []\n',
    "stopwords.txt": "# function words\nka lo mi\nno tu ve wa xo ze ra\n",
    "anchors.txt": "piko ka\n",
    "chopping.py": "def stem(word):\n    return word[:3]\n",
    "splitting.py": "NEEDS_FREQUENCIES = False\n\ndef splitter(frequencies):\n    return lambda word: tuple(word.split('+'))\n",
}
SCRIPT = """
import json
from trasmallo import tag, tokenise
from trasmallo.study import languages, stem
from trasmallo.study.compounds import splitter
from trasmallo.study.detection import stretches

toy = languages.find("qt-XX")
line = "ka lo mi no tu ve wa xo ze ra " * 5
spanish = "Los barcos de la flota llegan al puerto con las redes llenas de peces que se venden en la lonja cada día. "
print(json.dumps({
    "names": [toy.description.english, toy.description.spanish],
    "tokens": [token.word for token in tokenise("Sol+mar, ka 5º", "qt")],
    "others": [token.word for token in tokenise("Sol+mar", "es")],
    "tagged": [[one.lemma, one.category] for one in tag("ka 7.", "qt")],
    "stopwords": sorted(languages.stopwords("QT_xx")),
    "idle": "piko ka" in languages.idle_anchors(),
    "stems": {name: stemmer("casas") for name, stemmer in stem.choose(stem.defaults("qt"), "qt").items()},
    "parts": splitter("qt", {})("Sol+mar"),
    "stretches": [one.language for one in stretches(spanish + "\\n" + line, lambda text: "qt", "es")],
}))
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The variables of a process that has the toy language installed."""
    about, folder = tmp_path / "toy-1.0.dist-info", tmp_path / "toy_language"
    for made in (about, folder):
        made.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[trasmallo.languages]\nqt = toy_language\n")
    for name, content in FILES.items():
        (folder / name).write_text(content, "utf-8")
    paths = [str(tmp_path), *filter(None, sys.path)]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths)}


def run(environment: dict[str, str], *arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_does_what_a_language_of_ours_does(environment: dict[str, str]) -> None:
    assert json.loads(run(environment, "-c", SCRIPT)) == {
        "names": ["Toy", "juguetés"],
        "tokens": ["Sol+mar", ",", "ka", "5º"],
        "others": ["Sol", "+", "mar"],
        "tagged": [["ka", "X"], ["7", "NUM"], [".", "PUNCT"]],
        "stopwords": ["ka", "lo", "mi", "no", "ra", "tu", "ve", "wa", "xo", "ze"],
        "idle": True,
        "stems": {"s": "casa", "chop": "cas"},
        "parts": ["sol", "mar"],
        "stretches": ["es", "qt"],
    }


def test_commands_show_it(environment: dict[str, str]) -> None:
    listed = run(environment, "-m", "trasmallo", "languages").splitlines()
    assert "qt\tToy\tjuguetés\tanchors stopwords tokens splitting chop" in listed
    words = run(environment, "-m", "trasmallo", "stoplist", "--standard", "qt").split()
    assert words == ["ka", "lo", "mi", "no", "ra", "tu", "ve", "wa", "xo", "ze"]


def test_a_language_of_ours_gets_what_it_lacks(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "toy-1.0.dist-info" / "entry_points.txt").write_text("[trasmallo.languages]\nca = toy_language\n")
    script = (
        "from trasmallo.study import languages; ca = languages.find('ca'); print(ca.rules.joiners, 'perquè' in ca.stopwords)"
    )
    assert run(environment, "-c", script).split() == ["+", "True"]
