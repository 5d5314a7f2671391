"""go.py: what it does without network, without venv, with an old Python; nothing is downloaded here."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A fresh checkout, as far as go.py looks."""
    for name in ("go.py", "pyproject.toml", *ROOT.glob("requirements*.lock")):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


@pytest.fixture
def go(checkout: Path) -> ModuleType:
    """The module of a checkout."""
    spec = importlib.util.spec_from_file_location("go_under_test", checkout / "go.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(checkout: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(checkout / "go.py"), *arguments],
        capture_output=True,
        text=True,
        env={"PATH": os.environ["PATH"], "HOME": str(checkout)} | environment,
    )


def pretend(checkout: Path, go: ModuleType, script: str) -> None:
    """An environment whose Python is this shell script."""
    go.BIN.mkdir(parents=True, exist_ok=True)
    (go.BIN / "pip").write_text(f"#!{go.BIN}/python\n")
    (go.BIN / "python").write_text(f"#!/bin/sh\n{script}\n")
    (go.BIN / "python").chmod(0o755)


def test_help_and_unknown_verbs(checkout: Path) -> None:
    assert run(checkout).returncode == 0
    assert "python3 go.py demo" in run(checkout, "--help").stdout
    assert run(checkout, "dance").returncode == 2
    assert not (checkout / ".venv").exists()


def test_an_old_python_is_told_in_one_line(
    go: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    with pytest.raises(SystemExit) as end:
        go.main(["demo"])
    (line,) = capsys.readouterr().err.splitlines()
    assert end.value.code == 1
    assert line.startswith("go.py: this is Python 3.")
    assert line.endswith("run it with Python 3.11 or later, such as python3.11 go.py")


def test_without_the_venv_module(checkout: Path) -> None:
    (checkout / "venv.py").write_text("raise ImportError('No module named venv')")
    done = run(checkout, "demo", PYTHONPATH=str(checkout))
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "Making .venv",
        "go.py: this Python has no venv module: install it, on Debian with: apt-get install python3-venv",
    ]


def test_without_permission_or_space_for_it(checkout: Path) -> None:
    (checkout / ".venv").write_text("in the way")
    done = run(checkout, "demo")
    assert done.returncode == 1
    assert re.fullmatch(r"go.py: cannot make .*: check that the folder can be written", done.stderr.splitlines()[-1])
    assert "Traceback" not in done.stderr


def test_without_network_there_is_one_line(checkout: Path, go: ModuleType) -> None:
    """The real pip, which may not ask any index."""
    pretend(checkout, go, f'exec "{sys.executable}" "$@"')
    (checkout / "requirements.lock").write_text("nonexistent==1 --hash=sha256:" + "0" * 64 + "\n")
    done = run(checkout, "demo", PIP_NO_INDEX="1")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.splitlines()[1:] == [
        "go.py: pip cannot reach its package index: check the network or pip's settings, then run the same command again"
    ]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("OSError: [Errno 28] No space left on device", "the disk is full: free about 600 MB and run the same command again"),
        ("something odd", "pip failed: read its message above, then run the same command again"),
    ],
)
def test_what_else_pip_may_meet(checkout: Path, go: ModuleType, said: str, told: str) -> None:
    pretend(checkout, go, f'echo "{said}"; exit 1')
    done = run(checkout, "demo")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"go.py: {told}"


def test_what_is_set_up_is_not_set_up_again(checkout: Path, go: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(checkout, go, f'echo "$@" >> "{checkout}/calls"')
    go.set_up("dev")
    first = (checkout / "calls").read_text().splitlines()
    assert [line.split()[4] for line in first] == ["install", "install"]
    assert "requirements-dev.lock" in first[0]
    assert "--require-hashes" in first[0]
    for level in ("dev", "use"):
        go.set_up(level)
    assert (checkout / "calls").read_text().splitlines() == first, "the smaller level is within the larger one"
    go.set_up("bench")
    with (checkout / "pyproject.toml").open("a") as file:
        file.write("\n")
    go.set_up("use")
    assert len((checkout / "calls").read_text().splitlines()) == 6


def test_an_environment_that_was_moved_is_made_again(checkout: Path, go: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(checkout, go, "exit 0")
    (checkout / "venv.py").write_text(
        "import pathlib, sys\npathlib.Path(sys.argv[-1], 'made').write_text(' '.join(sys.argv[1:]))"
    )
    monkeypatch.setenv("PYTHONPATH", str(checkout))
    go.make_environment()
    assert not (go.VENV / "made").exists()
    (go.BIN / "pip").write_text("#!/elsewhere/.venv/bin/python\n")
    go.make_environment()
    assert (go.VENV / "made").read_text() == f"--clear {go.VENV}"


def test_the_fingerprint_tells_levels_and_places_apart(go: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    before = go.fingerprint("use")
    assert before == go.fingerprint("use")
    assert before != go.fingerprint("dev")
    monkeypatch.setattr(go, "HERE", go.HERE / "." / ".." / go.HERE.name)
    assert before != go.fingerprint("use")


def test_tools_compile_the_package_once(checkout: Path, go: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    pretend(checkout, go, 'test -z "$PYTHONDONTWRITEBYTECODE"')
    assert go.call("python") == 0


def test_the_tools_exit_code_is_ours(checkout: Path, go: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    pretend(checkout, go, "exit 7")
    assert go.call("python") == 7
    with pytest.raises(SystemExit):
        go.call("nothing")
    assert (
        capsys.readouterr().err == f"go.py: {go.BIN / 'nothing'} is missing: remove {go.VENV} and run the same command again\n"
    )


def test_an_unknown_benchmark_names_the_known(checkout: Path, go: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    pretend(checkout, go, "exit 0")
    (checkout / "benchmarks").mkdir()
    (checkout / "benchmarks" / "kill.py").touch()
    with pytest.raises(SystemExit):
        go.bench(["kil"])
    assert capsys.readouterr().err.splitlines()[-1] == "go.py: there is no benchmark 'kil': choose one of kill"


def test_each_lock_holds_the_one_before(go: ModuleType) -> None:
    def pins(level: str) -> set[str]:
        return set(re.findall(r"^[\w.\[\]-]+==\S+", (ROOT / go.LOCKS[level]).read_text(), re.MULTILINE))

    assert go.levels_within("dev") == ["use", "dev"]
    assert pins("use")
    assert pins("use") <= pins("dev") <= pins("bench")


@pytest.fixture
def tree(checkout: Path, go: ModuleType) -> Path:
    """A checkout with two fragments under git, whose environment is this one's."""
    for name in [*go.VERSIONS, "CHANGELOG.md"]:
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, checkout / name)
    # The places are real, what is written there is not: this test outlives the next release.
    for name, pattern in go.VERSIONS.items():
        text = (checkout / name).read_text()
        (checkout / name).write_text(re.sub(pattern, "0.1.0", text, flags=re.MULTILINE))
    mark = "<!-- towncrier release notes start -->\n"
    log = checkout / "CHANGELOG.md"
    log.write_text(log.read_text().partition(mark)[0] + mark)
    (checkout / "changes").mkdir()
    (checkout / "changes" / "+net.feature.md").write_text("Nets have three layers.\n")
    (checkout / "changes" / "+hole.bugfix.md").write_text("A hole is mended.\n")
    (checkout / ".gitignore").write_text(".venv\n__pycache__\n")
    go.BIN.mkdir(parents=True)
    (go.BIN / "towncrier").write_text(f"#!{sys.executable}\nfrom towncrier._shell import cli\ncli()\n")
    (go.BIN / "towncrier").chmod(0o755)
    (go.VENV / "installed-dev").write_text(go.fingerprint("dev"))
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org"]
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "x"]):
        subprocess.run([*git, *command], cwd=checkout, check=True)
    return checkout


def test_a_draft_of_a_release_changes_nothing(tree: Path) -> None:
    (tree / "unfinished").touch()
    done = run(tree, "release", "0.2.0", "--draft")
    assert done.returncode == 0, done.stderr
    assert "Nets have three layers." in done.stdout
    assert (tree / "changes" / "+net.feature.md").exists()
    assert '__version__ = "0.1.0"' in (tree / "src" / "trasmallo" / "values" / "software.py").read_text()


def test_a_release_gathers_the_fragments_and_sets_the_version(tree: Path) -> None:
    done = run(tree, "release", "0.2.0")
    assert done.returncode == 0, done.stderr
    log = (tree / "CHANGELOG.md").read_text()
    assert log.index("## 0.2.0 (") < log.index("Nets have three layers.") < log.index("A hole is mended.")
    assert list((tree / "changes").glob("+*")) == []
    assert '__version__ = "0.2.0"' in (tree / "src" / "trasmallo" / "values" / "software.py").read_text()
    assert '"version": "0.2.0"' in (tree / "extension" / "manifest.json").read_text()
    assert "git tag v0.2.0" in done.stderr
    again = run(tree, "release", "0.2.0")
    assert (again.returncode, again.stderr) == (1, "go.py: this tree is 0.2.0 already: name a later version\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "which version: name it in three numbers"),
        (["soon"], "which version"),
        (["0.1.0"], "this tree is 0.1.0 already: name a later version"),
        (["0.0.9"], "this tree is 0.1.0 already"),
        (["0.2.0"], "the tree is not clean (?? unfinished): commit or stash"),
    ],
)
def test_what_is_no_release_is_refused_and_changes_nothing(tree: Path, words: list[str], said: str) -> None:
    (tree / "unfinished").touch()
    done = run(tree, "release", *words)
    assert done.returncode == 1
    assert f"go.py: {said}" in done.stderr
    assert len(list((tree / "changes").glob("+*"))) == 2
