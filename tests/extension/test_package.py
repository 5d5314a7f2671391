"""The extension as a package: what is in it, what it may do, and that its zip is the same every time."""

from __future__ import annotations

import importlib.util
import json
import re
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

import trasmallo

ROOT = Path(__file__).resolve().parent.parent.parent
EXTENSION = ROOT / "extension"
MANIFEST = json.loads((EXTENSION / "manifest.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def go() -> ModuleType:
    spec = importlib.util.spec_from_file_location("go", ROOT / "go.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def own(pattern: str) -> list[Path]:
    return sorted(path for path in EXTENSION.rglob(pattern) if "vendor" not in path.parts)


def test_it_may_do_little() -> None:
    assert sorted(MANIFEST["permissions"]) == ["activeTab", "scripting", "sidePanel", "storage"]
    assert "host_permissions" not in MANIFEST
    assert "content_scripts" not in MANIFEST
    assert "web_accessible_resources" not in MANIFEST
    assert MANIFEST["optional_host_permissions"] == ["*://*/*"], "asked for when continuous filtering is turned on"
    assert MANIFEST["browser_specific_settings"]["gecko"]["data_collection_permissions"] == {"required": ["none"]}


def test_its_version_is_the_program_s() -> None:
    assert MANIFEST["version"] == trasmallo.__version__


def test_the_zip_has_what_is_named_and_is_the_same_every_time(go: ModuleType, tmp_path: Path) -> None:
    files = go.extension_files()
    for name in ("one.zip", "two.zip"):
        go.pack(files, tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        names = set(archive.namelist())
    assert named() <= names, "every file that another one names"
    assert {"manifest.json", "core/blocks/best.model", "meanings/es.gz", "meanings/en.gz", "vendor/pdfjs/LICENSE"} <= names
    assert {"forms/es.gz", "forms/en.gz", "forms/LICENCE.txt", "forms/LICENCE-es.txt"} <= names
    assert not [name for name in names if name.endswith((".md", ".svg")) or "/." in name]


def named() -> set[str]:
    """Files that pages and scripts of the extension name, from its root."""
    found = set(re.findall(r'"((?:[\w-]+/)*[\w-]+\.(?:js|html|png|css))', json.dumps(MANIFEST)))
    for page in own("*.html"):
        for path in re.findall(r'(?:src|href)="([^"#?]+)"', page.read_text(encoding="utf-8")):
            found.add((page.parent / path).resolve().relative_to(EXTENSION).as_posix())
    in_pages = re.findall(r'"(page/[\w/-]+\.(?:js|css))"', (EXTENSION / "browser.js").read_text(encoding="utf-8"))
    return found | {*in_pages, *ordered(), "core/order.json", "core/blocks/order.json"}


def ordered() -> list[str]:
    """Scripts of the core from the extension's root, in the order of the only lists of them."""
    folders = re.findall(r'"(core/[\w/]*)"', (EXTENSION / "browser.js").read_text(encoding="utf-8"))
    return [folder + name for folder in folders for name in json.loads((EXTENSION / folder / "order.json").read_text("utf-8"))]


def test_the_order_of_the_core_is_listed_once() -> None:
    order = ordered()
    assert order[0] == "core/tables.js"
    assert set(order) == {path.relative_to(EXTENSION).as_posix() for path in (EXTENSION / "core").rglob("*.js")}
    for path in own("*.js"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r'"core/[\w/]+\.js"', text), f"{path} lists scripts of the core"
    for page in own("*.html"):
        loaded = re.findall(r'src="\.\./(core/[^"]+)"', page.read_text(encoding="utf-8"))
        assert loaded == [name for name in order if name in loaded], f"{page} loads the core in another order"


def test_browser_calls_stand_in_one_file() -> None:
    for path in own("*.js"):
        text = path.read_text(encoding="utf-8")
        assert path.name == "browser.js" or not re.search(r"\bchrome\.|globalThis\.browser\b", text), path


def test_files_are_small_and_lines_short() -> None:
    for path in [*own("*.js"), *own("*.css"), *own("*.html")]:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert len(lines) <= 500, path
        if path.suffix == ".js" and "core" not in path.parts:
            assert max(map(len, lines)) <= 128, path


def test_nothing_is_fetched_from_elsewhere() -> None:
    for path in [*own("*.js"), *own("*.css"), *own("*.html")]:
        addresses = set(re.findall(r"https?://[^\s\"'`)<]+", path.read_text(encoding="utf-8")))
        assert addresses <= {"http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg", "http://127.0.0.1:7470"}, path
