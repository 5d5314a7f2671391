"""Two threads that first decode the same type at once: a process of its own, for what is tested used to end it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import trasmallo
from trasmallo.values.decodable import UNDECODABLE

SOURCE = Path(trasmallo.__file__).parent
PLAIN = {"Any", "bytes", "dict", "float", "int", "list", "object", "str", "tuple"}
"""Types that msgspec knows without looking at a class."""

MEETING = """
import sys, threading
import msgspec
from trasmallo.values.decodable import decodable
sys.setswitchinterval(1e-6)
PREPARE = {prepare}

def family(number):
    space = {{"msgspec": msgspec}}
    lines = ["class C0(msgspec.Struct):", "    n: 'int' = 0"]
    for depth in range(1, 12):
        lines += [f"class C{{depth}}(msgspec.Struct):", f"    inner: 'C{{depth - 1}} | None' = None"]
        lines += [f"    f{{k}}: 'list[int] | None' = None" for k in range(8)]
    module = type(sys)(f"family{{number}}")
    sys.modules[module.__name__] = module
    module.msgspec = msgspec
    exec("\\n".join(lines), module.__dict__)
    return module.C11

def convert(kind, gate):
    gate.wait()
    msgspec.convert({{"inner": {{"inner": {{}}}}}}, PREPARE(kind))

for number in range(60):
    kind, gate = family(number), threading.Barrier(4)
    threads = [threading.Thread(target=convert, args=(kind, gate)) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
print("alive")
"""


def met(prepare: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", MEETING.format(prepare=prepare)], capture_output=True, text=True, check=False)


def test_threads_may_meet_at_a_type() -> None:
    assert met("decodable").stdout == "alive\n"


def test_without_it_they_may_not() -> None:
    if met("lambda kind: kind").returncode == 0:
        pytest.skip("this msgspec bears it: decodable() is no longer needed")


def kinds(source: str) -> Iterator[str]:
    """The types that a source file lets msgspec decode by."""
    for call in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)):
        name = ast.unparse(call.func)
        named = [word.value for word in call.keywords if word.arg == "type"]
        if re.fullmatch(r"msgspec\.(json|msgpack|toml)\.decode", name):
            yield from map(ast.unparse, named)
        elif re.fullmatch(r"msgspec\.(json|msgpack)\.Decoder", name):
            yield from map(ast.unparse, named or call.args[:1])
        elif name == "msgspec.convert":
            yield from map(ast.unparse, named or call.args[1:2])


def test_every_type_of_our_own_is_prepared() -> None:
    own = {path: path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py") if path.name != "decodable.py"}
    bare = {
        (path.relative_to(SOURCE).as_posix(), kind)
        for path, source in own.items()
        for kind in kinds(source)
        if not kind.startswith("decodable(") and not set(re.findall(r"\w+", kind)) <= PLAIN
    }
    assert not bare, "decode by decodable(Type): see values/decodable.py"


READS = re.compile(r"(json|msgpack)\.decode\(|decoder\.decode\(|\b_decode\(")
WHOLE = re.compile("UNDECODABLE|UnicodeDecodeError|ValueError")


def _guards(tree: ast.AST) -> Iterator[tuple[int, str, str]]:
    """Line, guarded code and errors of whatever catches what msgspec raises."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Try):
            errors = " ".join(ast.unparse(one.type) for one in node.handlers if one.type)
        elif isinstance(node, ast.With):
            errors = " ".join(
                ast.unparse(one.context_expr) for one in node.items if "suppress" in ast.unparse(one.context_expr)
            )
        else:
            continue
        if "msgspec." in errors:
            yield node.lineno, ast.unparse(ast.Module(body=node.body, type_ignores=[])), errors


def test_who_reads_what_may_be_damaged_remembers_that_it_may_be_no_text() -> None:
    for octets in (b"\xc8", b'{"a": "\xc8"}', b"[" * 100_000):
        with pytest.raises(UNDECODABLE):
            msgspec.json.decode(octets)
    with pytest.raises(UNDECODABLE):
        msgspec.msgpack.decode(b"\xa1\xc8")
    with pytest.raises(UNDECODABLE):
        msgspec.json.decode(b"{")
    sources = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SOURCE.rglob("*.py"))}
    found = {
        (path, line): errors for path, tree in sources.items() for line, code, errors in _guards(tree) if READS.search(code)
    }
    assert [place for place, errors in found.items() if not WHOLE.search(errors)] == []
