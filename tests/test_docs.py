"""The docs keep up with the code: everything a user can type or meet is documented, and nothing else is."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import get_args

import click
import pytest

from trasmallo import config_text, events, plugins
from trasmallo.cli import COMMANDS, program
from trasmallo.project.project import Project
from trasmallo.results.registry import all_tables
from trasmallo.values import model

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.glob("*.md"), *DOCS.glob("guides/*.md")])
ALL = [ROOT / "README.md", ROOT / "README.es.md", ROOT / "CONTRIBUTING.md", *PAGES]


@cache
def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"loaded_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The generated pages by their names."""
    folder = tmp_path_factory.mktemp("reference")
    load(DOCS / "generate.py").generate(folder)
    return {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def command_named(name: str) -> click.Command | None:
    return program.get_command(click.Context(program), name)


def part(page: str, title: str) -> str:
    """What a page says under a heading of the second level."""
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    assert found, f"nothing about {title}"
    return found[1]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_documented(name: str, reference: dict[str, str]) -> None:
    command = command_named(name)
    assert command is not None
    text = part(reference["commands"], name)
    assert f"$ trasmallo {name} " in text, "the example is missing"
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.help or isinstance(option.type, click.Choice | click.Path), f"{name} {option.name} has no help"
            assert all(re.search(rf"[`, ]{re.escape(word)}[`, ]", text) for word in option.opts), option.opts


def test_every_key_is_documented_with_its_default(reference: dict[str, str]) -> None:
    for section, name, default, meaning in config_text.describe_keys():
        text = part(reference["keys"], f"[{section}]" if section else "At the top")
        row = next((line for line in text.splitlines() if line.startswith(f"| `{name}` |")), "")
        assert meaning[:20] in row, f"{section}.{name}"
        values = default if isinstance(default, tuple) else (default,)
        assert all(str(value).lower() in row.lower() for value in values), f"{section}.{name}"


@pytest.mark.parametrize("event", get_args(events.AnyEvent), ids=lambda event: event.__name__)
def test_every_event_and_field_is_documented(event: type[events.Event], reference: dict[str, str]) -> None:
    text = part(reference["events"], event.__name__)
    assert event.__doc__
    assert all(f"| `{name}` |" in text for name in event.__struct_fields__)


def test_every_event_is_known_to_readers_of_the_file() -> None:
    assert set(get_args(events.AnyEvent)) == set(events.Event.__subclasses__())


def test_every_error_outcome_and_drop_is_documented(reference: dict[str, str]) -> None:
    names = [kind.__name__ for kind in load(DOCS / "generate.py").all_errors()]
    assert len(names) > 5
    missing = [name for name in [*names, *model.Outcome, *model.Drop] if f"`{name}`" not in reference["errors"]]
    assert not missing


def test_every_table_is_documented_with_its_columns(reference: dict[str, str]) -> None:
    for table, entry in all_tables().items():
        text = part(reference["tables"], table)
        assert entry.about.en in text
        assert len(re.findall(r"`\w+`", text)) > 2


def links_in(path: Path) -> Iterator[str]:
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    yield from re.findall(r"\]\(([^)#\s]+)[^)]*\)", text)
    yield from re.findall(r'(?:src|href)="([^"#]+)"', text)


@pytest.mark.parametrize("path", ALL, ids=relative)
def test_no_link_between_files_is_dead(path: Path, reference: dict[str, str]) -> None:
    made = {DOCS / "reference" / f"{name}.md" for name in reference}
    inner = [link for link in links_in(path) if "://" not in link]
    dead = [link for link in inner if not (target := (path.parent / link).resolve()).exists() and target not in made]
    assert not dead


def test_every_page_is_in_some_table_of_contents() -> None:
    for page in PAGES:
        index = page.parent / "index.md"
        if page != DOCS / "index.md":
            name = f"{page.parent.name}/index" if page.name == "index.md" else page.stem
            holder = DOCS / "index.md" if page.name == "index.md" else index
            assert re.search(rf"^{name}$", holder.read_text(encoding="utf-8"), re.MULTILINE), page


def commands_in(path: Path) -> Iterator[list[str]]:
    """Commands in the code blocks of a page: lines that begin with a prompt, or with a program's name."""
    text = path.read_text(encoding="utf-8")
    for block in re.findall(r"^```(?:console|sh|text|)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in re.findall(r"^(?:\$ )?((?:trasmallo|python3 go\.py) .*)$", block, re.MULTILINE):
            yield shlex.split(line, comments=True)


@pytest.mark.parametrize("path", ALL, ids=relative)
def test_every_command_shown_is_one_that_exists(path: Path) -> None:
    verbs = re.findall(r"^python3 go\.py (\w+)", load(ROOT / "go.py").__doc__ or "", re.MULTILINE)
    for words in commands_in(path):
        if words[0] == "python3":
            assert words[2] in verbs, words
        elif not words[1].endswith(":"):
            command = command_named(words[1])
            assert command is not None, words
            command.make_parser(click.Context(command)).parse_args(words[2:])


@pytest.mark.parametrize("name", ["README.md", "README.es.md"])
def test_the_readme_is_for_people(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    shown = list(commands_in(ROOT / name))
    assert ["python3", "go.py", "demo", "--serve"] in shown
    assert any(words[:2] == ["trasmallo", "new"] for words in shown)
    assert "pip install" in text
    assert len(re.findall(r"!\[.+?\]\(docs/images/\S+?\)", text)) == 1, "one picture"
    assert len(re.findall(r"^- \*\*[\d.,]+", text, re.MULTILINE)) == 3, "three figures"
    assert len(text.splitlines()) < 80


@pytest.mark.parametrize("name", ["README.md", "README.es.md"])
def test_the_python_of_the_readme_runs(
    name: str, finished: Project, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len([line for line in code.splitlines() if line]) == 5
    monkeypatch.chdir(finished.folder.parent)
    exec(compile(code, name, "exec"), {})
    title, words, lemmas = capsys.readouterr().out.splitlines()
    assert title
    assert len(words.split(", ")) == 5
    assert lemmas == "['dar']"


def test_the_notebook_runs_and_shows_tables(finished: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = json.loads((DOCS / "notebook.ipynb").read_bytes())["cells"]
    monkeypatch.chdir(finished.folder.parent)
    names: dict[str, object] = {}
    shown: list[object] = []
    for number, cell in enumerate(cells):
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [], "outputs are made by who runs it"
        tree = ast.parse("".join(cell["source"]).replace('open("demo")', f"open({str(finished.folder)!r})"))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"cell {number}", "exec"), names)
        if last is not None:
            shown.append(eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names))
    drawn = [text for value in shown if (text := getattr(value, "_repr_html_", str)())]
    assert sum(text.startswith("<table>") for text in drawn) == 3
    assert any("<b>red</b>" in text for text in drawn)


def test_every_figure_has_the_command_that_prints_it() -> None:
    rows = re.findall(r"^\| (?!job|---)(.+) \|$", (DOCS / "benchmarks.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) > 20
    for row in rows:
        job, ours, _, _, data, printed = row.split(" | ")
        assert job and ours and data, row
        named = re.findall(r"`(?:python )?([\w/]+)", printed)
        assert named or "the same" in printed, row
        assert all((ROOT / f"{name}.py").exists() or (ROOT / "benchmarks" / f"{name}.py").exists() for name in named), row


def test_the_design_names_only_modules_that_exist() -> None:
    names = set(re.findall(r"\btrasmallo(?:\.[a-z_0-9]+)+", (DOCS / "design.md").read_text(encoding="utf-8"))) - {
        "trasmallo.toml"
    }
    assert len(names) > 30
    missing = [name for name in sorted(names) if importlib.util.find_spec(name) is None]
    assert not missing


def test_the_design_names_every_layer() -> None:
    text = (DOCS / "design.md").read_text(encoding="utf-8")
    source = ROOT / "src" / "trasmallo"
    layers = {path.stem for path in source.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert not [name for name in layers if not name.startswith("_") and f"trasmallo.{name}" not in text]


def test_licences_are_what_the_packages_say() -> None:
    text = (DOCS / "licences.md").read_text(encoding="utf-8")
    table = dict(re.findall(r"^\| ([a-z][\w.-]+) \| (.+?) \|$", text, re.MULTILINE))
    assert table.pop("package") == "licence"
    found = load(DOCS / "generate.py").licences()
    assert {name: table.get(name) for name in found} == found
    # A later Python needs fewer packages than the table lists, but all of them are locked.
    assert set(table) <= set(re.findall(r"^([\w.-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE))


def test_what_the_cluster_needs_is_named_with_its_licence() -> None:
    for name in ("psycopg", "ray", "grpc"):
        pytest.importorskip(name, reason=f"{name} is not installed: python3 go.py test --cluster")
    text = (DOCS / "licences.md").read_text(encoding="utf-8")
    extras = text.partition("\n## Extras\n")[2].partition("\n## ")[0]
    found = load(DOCS / "generate.py").licences("psycopg", "psycopg-binary", "ray", "grpcio")
    always = load(DOCS / "generate.py").licences()
    assert not [name for name in found if name not in always and not re.search(rf"(?<![\w-]){name}(?![\w-])", extras)]
    assert not [name for name, licence in found.items() if re.search(r"\bA?GPL|(?<!Lesser )General Public", licence)]
    for name in ("psycopg", "psycopg-binary"):
        assert found[name] in extras


def test_no_package_is_under_the_gpl() -> None:
    licences = load(DOCS / "generate.py").licences()
    assert not [name for name, licence in licences.items() if re.search(r"\bA?GPL|(?<!Lesser )General Public", licence)]


def test_the_picture_is_small_and_tells_nothing_of_the_machine() -> None:
    picture = (DOCS / "images" / "demo.svg").read_text(encoding="utf-8")
    assert len(picture.encode()) < 60_000
    assert "trasmallo" in picture
    assert not re.search(r"/home/|/root|/tmp|/Users/|@font-face|url\(http|href=", picture)


def test_the_pictures_of_the_app_are_small_and_each_is_shown() -> None:
    pictures = sorted((DOCS / "images").glob("app-*.png"))
    shown = {Path(link).name for path in ALL for link in links_in(path)}
    assert {path.name for path in pictures} == {f"app-{name}.png" for name in ("live", *load(DOCS / "app_pictures.py").SHOTS)}
    assert not [path.name for path in pictures if path.name not in shown]
    sizes = {path.name: len(path.read_bytes()) for path in pictures}
    assert max(sizes.values()) <= 60_000, sizes
    assert sum(sizes.values()) <= 400_000, sizes
    assert all(path.read_bytes()[16:20] == (1280).to_bytes(4, "big") for path in pictures)


def extending() -> dict[str, str]:
    """The files that the page about extending shows, by the names in their first lines."""
    text = (DOCS / "extending.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^```(?:python|toml|text)\n# (\S+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL))


@pytest.fixture
def nets(tmp_path: Path) -> Path:
    """The package of the page about extending, as an installation would leave it."""
    files = extending()
    project = tomllib.loads(files.pop("pyproject.toml"))["project"]
    about = tmp_path / "nets-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: nets\nVersion: 1.0\n")
    points = project["entry-points"]
    lines = [line for group in points for line in (f"[{group}]", *(f"{name} = {at}" for name, at in points[group].items()))]
    (about / "entry_points.txt").write_text("\n".join([*lines, ""]))
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    return tmp_path


def test_the_page_about_extending_runs(nets: Path) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(nets), os.environ["PYTHONPATH"]])}
    done = subprocess.run([sys.executable, "try_nets.py"], cwd=nets, env=environment, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("everything is there\n", 0), done.stderr


def test_the_page_about_extending_names_every_group() -> None:
    points = tomllib.loads(extending()["pyproject.toml"])["project"]["entry-points"]
    assert set(points) == set(plugins.GROUPS)
