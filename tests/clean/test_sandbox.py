from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.killing import is_alive
from support.sample_documents import GOOD
from support.waiting import until
from trasmallo.clean.sandbox import Sandbox, SandboxLimits, shared_sandbox
from trasmallo.values.model import Drop

MARKDOWN = ("text/markdown", b"# uno")


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    made = Sandbox()
    yield made
    made.close()


def child_pid(sandbox: Sandbox) -> int:
    return sandbox._children[os.getpid()]._process.pid


def test_the_child_is_used_again(sandbox: Sandbox) -> None:
    assert "<h1>uno</h1>" in sandbox.render(*MARKDOWN).html
    first = child_pid(sandbox)
    assert "<h1>uno</h1>" in sandbox.render(*MARKDOWN).html
    assert child_pid(sandbox) == first


def test_a_document_that_takes_too_long_is_given_up(sandbox: Sandbox) -> None:
    sandbox.render(*MARKDOWN)
    sandbox.limits = SandboxLimits(seconds=0.01)
    # Half a million emphasis marks keep the parser busy far longer.
    slow = sandbox.render("text/markdown", b"*a _b " * 100_000)

    assert (slow.html, slow.drop) == ("", Drop.TOO_SLOW)
    assert slow.cause == "more than 0.01 s to convert"
    sandbox.limits = SandboxLimits()
    assert sandbox.render(*MARKDOWN).drop is None


def test_time_in_which_the_child_waits_for_a_processor_is_given_back(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox.render(*MARKDOWN)
    sandbox.limits = SandboxLimits(seconds=0.5)
    delays = iter([0.0, 0.2, 0.3])
    monkeypatch.setattr("trasmallo.values.working_time.processor_delays", lambda process: {process: next(delays, 0.35)})
    os.kill(child_pid(sandbox), signal.SIGSTOP)
    began = time.monotonic()
    slow = sandbox.render(*MARKDOWN)

    assert (slow.drop, slow.cause) == (Drop.TOO_SLOW, "more than 0.5 s to convert")
    assert time.monotonic() - began >= 0.5 + 0.35


def test_a_document_that_needs_too_much_memory_is_given_up(sandbox: Sandbox) -> None:
    sandbox.limits = SandboxLimits(megabytes=150)
    big = sandbox.render("text/csv", b"a,b\n" * 10_000_000)

    assert (big.html, big.drop) == ("", Drop.TOO_BIG)
    assert big.cause == "more than 150 MB to convert"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_a_child_that_died_between_documents_is_replaced(sandbox: Sandbox, number: int) -> None:
    sandbox.render(*MARKDOWN)
    process = sandbox._children[os.getpid()]._process
    os.kill(process.pid, number)
    process.wait()

    assert "<h1>uno</h1>" in sandbox.render(*MARKDOWN).html


def test_a_child_that_dies_of_a_document_is_told(sandbox: Sandbox) -> None:
    sandbox.render(*MARKDOWN)
    os.kill(child_pid(sandbox), signal.SIGSTOP)
    with _killing(sandbox, signal.SIGSEGV, times=1, after=1):
        died = sandbox.render(*MARKDOWN)

    assert (died.drop, died.cause, sandbox.killed) == (Drop.BROKEN, "the converter died of it (signal 11)", False)


def test_a_child_that_is_killed_says_nothing_of_its_document(sandbox: Sandbox) -> None:
    with _killing(sandbox, signal.SIGKILL, times=2):
        assert "<h1>uno</h1>" in sandbox.render(*MARKDOWN).html
    assert not sandbox.killed


def test_children_that_are_killed_again_and_again_are_told(sandbox: Sandbox) -> None:
    with _killing(sandbox, signal.SIGKILL, times=3):
        died = sandbox.render(*MARKDOWN)

    assert (died.drop, died.cause, sandbox.killed) == (Drop.BROKEN, "the converter was killed", True)
    assert "<h1>uno</h1>" in sandbox.render(*MARKDOWN).html
    assert not sandbox.killed


@contextmanager
def _killing(sandbox: Sandbox, number: int, times: int, after: int = 0) -> Iterator[None]:
    """Whoever is met converting, so many of them, once it was asked for more than `after` documents.

    One that dies before it is asked is replaced without a word, so it has to be asked first.
    """

    def asked() -> int | None:
        child = sandbox._children.get(os.getpid())
        return child._process.pid if child and child.documents > after else None

    def kill() -> None:
        met: set[int] = set()
        while len(met) < times:
            child = until(asked, "a child that converts")
            if child not in met:
                os.kill(child, signal.SIGSTOP)
                os.kill(child, number)
                os.kill(child, signal.SIGCONT)
                met.add(child)

    killer = threading.Thread(target=kill)
    killer.start()
    yield
    killer.join()


def test_a_child_ends_with_its_parent(tmp_path: Path) -> None:
    """Both of them are stopped when the parent is killed, so that they do not end by themselves."""
    program = (
        "import os, signal, threading\n"
        "from trasmallo.clean.sandbox import Sandbox\n"
        "def start(): made.append(Sandbox()); made[-1].render('text/markdown', b'# uno')\n"
        "made = []; start(); thread = threading.Thread(target=start); thread.start(); thread.join()\n"
        "pids = [child._process.pid for one in made for child in one._children.values()]\n"
        "os.kill(pids[0], signal.SIGSTOP)\n"
        "print(*pids, flush=True); signal.pause()\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        children = [int(pid) for pid in parent.stdout.readline().split()]
        assert len(children) == 2
        parent.kill()
    until(lambda: not any(map(is_alive, children)), "the end of the children")


def test_threads_wait_for_each_other(sandbox: Sandbox) -> None:
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda n=n: found.append(sandbox.render("text/markdown", b"# %d" % n).html)) for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(html[html.index("<h1>") + 4] for html in found) == list("01234567")


def _in_another_process(sandbox: Sandbox, answers: multiprocessing.Queue[str]) -> None:
    answers.put(sandbox.render(*MARKDOWN).html)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_a_child_of_its_own(sandbox: Sandbox) -> None:
    sandbox.render(*MARKDOWN)
    context = multiprocessing.get_context("fork")
    answers: multiprocessing.Queue[str] = context.Queue()
    process = context.Process(target=_in_another_process, args=(sandbox, answers))
    process.start()
    html = answers.get(timeout=60)
    process.join()

    assert "<h1>uno</h1>" in html
    assert "<h1>uno</h1>" in sandbox.render(*MARKDOWN).html


def test_a_worn_child_is_replaced() -> None:
    sandbox = Sandbox(documents=2)
    sandbox.render(*MARKDOWN)
    first = child_pid(sandbox)
    sandbox.render(*MARKDOWN)
    assert os.getpid() not in sandbox._children
    sandbox.render(*MARKDOWN)
    assert child_pid(sandbox) != first


def test_all_formats_in_one_child(sandbox: Sandbox) -> None:
    assert "trasmallo" in sandbox.render("application/pdf", GOOD["pdf"]).html
    assert "trasmallo" in sandbox.render("application/rtf", GOOD["rtf"]).html


def test_a_program_that_brings_none_has_one() -> None:
    assert shared_sandbox() is shared_sandbox()
    assert shared_sandbox().limits == SandboxLimits()
