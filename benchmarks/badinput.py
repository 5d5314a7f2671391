"""What bad input costs: 200 damaged files of each format, and the files that are made to hurt, each within 30 s and 1 GB.

Usage: python benchmarks/badinput.py [COUNT], 0 for the hostile files alone. Every file must end as text or with a reason, and
the program must live on.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from support.damaged_files import ENDINGS, HOSTILE, damaged
from trasmallo.clean.convert import convert

UNFORESEEN = re.compile(r"\w+(?:Error|Exception): |.*died of it")


def judged(content: bytes, ending: str) -> tuple[str, float]:
    """How a file ended, and the seconds it took."""
    start = time.perf_counter()
    converted = convert(content, name=f"a.{ending}")
    took = time.perf_counter() - start
    if converted.drop is None:
        return "read" if not converted.cause else "part", took
    assert converted.cause, "a refusal without a cause"
    return ("unforeseen: " + converted.cause if UNFORESEEN.match(converted.cause) else "refused"), took


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    if count:
        damage_all(count)
    hurt_all()


def damage_all(count: int) -> None:
    print(f"{'format':10} {'read':>5} {'part':>5} {'refused':>8} {'unforeseen':>11} {'worst s':>8}")
    for ending in ENDINGS:
        ends = [judged(content, ending) for content in damaged(ending, count)]
        kinds = Counter(kind.partition(":")[0] for kind, _ in ends)
        worst = max(took for _, took in ends)
        shown = (kinds[kind] for kind in ("read", "part", "refused", "unforeseen"))
        print(f"{ending:10} {next(shown):5} {next(shown):5} {next(shown):8} {next(shown):11} {worst:8.2f}")
        for kind in sorted({kind for kind, _ in ends if kind.startswith("unforeseen")})[:5]:
            print("  ", kind[:140])


def hurt_all() -> None:
    """Each hostile file in a program of its own; what it may cost at most is that of the program and its child together."""
    print(f"\n{'hostile file':32} {'s':>6} {'CPU s':>6} {'MB':>6}  end")
    with tempfile.TemporaryDirectory() as folder:
        for name, (ending, _) in HOSTILE.items():
            path = Path(folder) / f"a.{ending}"
            subprocess.run([sys.executable, __file__, "--make", name, str(path)], check=True)
            start = time.perf_counter()
            program = [sys.executable, "-P", "-m", "trasmallo", "text", str(path)]
            process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            assert process.stdout is not None
            said = process.stdout.read(300).decode(errors="replace")
            process.stdout.read()
            process.stdout.close()
            _, process.returncode, used = os.wait4(process.pid, 0)
            took = time.perf_counter() - start
            said = said.replace(str(path), "").replace("\n", " ")
            cpu = used.ru_utime + used.ru_stime
            print(f"{name:32} {took:6.2f} {cpu:6.2f} {used.ru_maxrss // 1000:6}  {said[:110]}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--make"]:
        Path(sys.argv[3]).write_bytes(HOSTILE[sys.argv[2]][1]())
    else:
        main()
