from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator

import pytest

from support.sample_documents import GOOD
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
    killer = threading.Timer(0.05, os.kill, (child_pid(sandbox), signal.SIGKILL))
    killer.start()
    died = sandbox.render(*MARKDOWN)
    killer.join()

    assert (died.drop, died.cause) == (Drop.BROKEN, "the converter died of it (signal 9)")


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
