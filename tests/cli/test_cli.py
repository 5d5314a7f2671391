"""The door itself: every command is there, helps, and refuses in one line."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from collections.abc import Callable

import click
import msgspec
import pytest

from support.command_line import Done, call
from trasmallo import cli
from trasmallo.cli import COMMANDS, TASKS, program

Command = Callable[..., Done]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_helps_with_an_example(name: str, trasmallo: Command) -> None:
    done = trasmallo(name, "--help")
    assert (done.code, done.err) == (0, "")
    assert f"Example: trasmallo {name} " in done.out
    assert "--quiet" in done.out
    assert "--json" in done.out


def test_modules_hold_what_the_list_says() -> None:
    for name, module in COMMANDS.items():
        found = importlib.import_module(module if "." in module else f"trasmallo.cli.{module}")
        assert isinstance(getattr(found, f"{name}_command"), click.Command)
    assert program.list_commands(click.Context(program)) == list(COMMANDS)


def test_the_help_groups_every_command_by_task(trasmallo: Command) -> None:
    listed = [name for commands in TASKS.values() for name in commands]
    assert sorted(listed) == sorted(COMMANDS)
    printed = trasmallo("--help").out
    assert "Others:" not in printed
    for task, commands in TASKS.items():
        assert f"\n{task}:\n" in printed
        assert all(f"  {name} " in printed and about in printed for name, about in commands.items()), "each on one line"
    assert max(map(len, printed.splitlines())) <= 80


def test_what_others_say_leads_to_commands_of_ours() -> None:
    assert set(cli.SAID_ELSEWHERE.values()) <= set(COMMANDS)
    assert not set(cli.SAID_ELSEWHERE) & set(COMMANDS)


def test_the_version_and_no_command(trasmallo: Command) -> None:
    assert trasmallo("--version").out.startswith("trasmallo, version ")
    assert trasmallo().code == 2


def test_an_option_without_its_value_leads_to_the_help_of_its_command(trasmallo: Command) -> None:
    done = trasmallo("find", "x", "mar", "--pair", "mar")
    assert done.refusal() == "trasmallo: Option '--pair' requires 2 arguments: see trasmallo find --help"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["polka"], "trasmallo: there is no command 'polka': see all of them with: trasmallo --help"),
        (["lst", "x"], "trasmallo: there is no command 'lst': did you mean `trasmallo list`\\?"),
        (["Stauts"], "trasmallo: there is no command 'Stauts': did you mean `trasmallo status`\\?"),
        (["search", "x"], "trasmallo: there is no command 'search': did you mean `trasmallo find`\\?"),
        (["run"], "trasmallo: Missing argument 'DIR': see trasmallo run --help"),
        (["run", "x", "--lines", "many"], "trasmallo: Invalid value for '--lines': .*: see trasmallo run --help"),
        (
            ["find", "x", "-barco del mar"],
            "trasmallo: No such option '?-b'?: if it is no option, write it last and behind two dashes: "
            r"trasmallo find \.\.\. -- '-barco del mar'; or see trasmallo find --help",
        ),
        (["find", "x", "barco", "-b"], "trasmallo: No such option '?-b'?: see trasmallo find --help"),
        (["run", "x", "--no-robots"], "trasmallo: No such option '?--no-robots.*: see trasmallo run --help"),
        (["crawl", "--into", "x", "--scope", "all"], "trasmallo: Invalid value for '--scope': .*: see trasmallo crawl --help"),
    ],
)
def test_what_was_mistyped_is_one_line(trasmallo: Command, arguments: list[str], line: str) -> None:
    done = trasmallo(*arguments)
    assert done.code == 2
    assert re.fullmatch(line, done.refusal())
    as_json = trasmallo(*arguments, "--json")
    error = msgspec.json.decode(as_json.refusal())["error"]
    assert as_json.code == 2
    assert list(error) == ["kind", "problem", "repair", "code", "arguments"]
    assert f"trasmallo: {error['problem']}: {error['repair']}" == done.refusal()


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (KeyboardInterrupt(), 130, "trasmallo: interrupted: give the same command again to go on"),
        (OSError(5, "Input/output error", "x"), 1, "trasmallo: [Errno 5] Input/output error: 'x': check that place"),
    ],
)
def test_the_rest_of_bad_luck(
    trasmallo: Command, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, line: str
) -> None:
    def fail(_context: click.Context) -> None:
        raise error

    monkeypatch.setattr(cli.program, "invoke", fail)
    done = trasmallo("status", "x")
    assert done.code == code
    assert done.refusal().startswith(line)


def test_help_imports_nothing_heavy() -> None:
    code = "import sys; sys.argv[1:] = ['--help']; from trasmallo.cli import main\ntry: main()\nexcept SystemExit: pass\n"
    code += "print([name for name in ('duckdb', 'rocksdict', 'lxml', 'numpy') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_module_is_the_command() -> None:
    assert call("--version").out.startswith("trasmallo, version ")
