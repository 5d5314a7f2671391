"""Folders of small files, first and second pass, against Recoll (Debian: recollcmd), in turns in one run.

Usage: python benchmarks/files.py [FILES], 2,000 by default. Files are made of the package documentation in /usr/share/doc:
text, HTML, PDF, DOCX, ODT and mail, a few kB each. Both programs index the same folder; ours once with the search alone, as
Recoll does, and once with the whole study. CPU seconds are those of all processes.
"""

from __future__ import annotations

import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from html import escape
from pathlib import Path

from trasmallo.demo.markup import DemoBlock
from trasmallo.demo.pdf import write as write_pdf
from trasmallo.project.project import Project
from trasmallo.project.settings import write_values

DOCS = Path("/usr/share/doc")
KINDS = ("txt", "txt", "html", "html", "eml", "docx", "odt", "pdf")


def passages() -> list[str]:
    """Some kB of prose each, from changelogs, copyrights and READMEs."""
    found = []
    for path in sorted(DOCS.rglob("*")):
        if path.is_symlink() or not path.is_file() or path.suffix not in ("", ".txt", ".md", ".html"):
            continue
        if path.stat().st_size < 300_000:
            text = re.sub(r"<[^>]*>", " ", path.read_text(errors="replace"))
            found += [text[start : start + 3_000] for start in range(0, len(text) - 500, 3_000)]
    return found


def zipped(path: Path, members: dict[str, str]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name, content, zipfile.ZIP_STORED if name == "mimetype" else None)


def write(path: Path, text: str, number: int) -> None:
    """A file of the format that its name ends with."""
    paragraphs = [part for part in re.split(r"\n\s*\n", text) if part.strip()]
    if path.suffix == ".html":
        body = "".join(f"<p>{escape(part)}</p>" for part in paragraphs)
        path.write_text(f"<html><head><title>{number}</title></head><body>{body}</body></html>")
    elif path.suffix == ".eml":
        head = f"From: ana@example.org\nTo: bea@example.org\nSubject: {number}\nMessage-ID: <{number}@example.org>\n"
        path.write_text(f"{head}Date: Mon, 1 Jan 2024 10:00:00 +0000\nContent-Type: text/plain; charset=utf-8\n\n{text}")
    elif path.suffix == ".docx":
        w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
        body = "".join(f"<w:p><w:r><w:t>{escape(part)}</w:t></w:r></w:p>" for part in paragraphs)
        kinds = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
        types = "http://schemas.openxmlformats.org/package/2006/content-types"
        part = f'<Override PartName="/word/document.xml" ContentType="{kinds}"/>'
        zipped(path, {
            "[Content_Types].xml": f'<Types xmlns="{types}">{part}</Types>',
            "word/document.xml": f'<w:document xmlns:w="{w}"><w:body>{body}</w:body></w:document>',
        })  # fmt: skip
    elif path.suffix == ".odt":
        odf = "urn:oasis:names:tc:opendocument:xmlns"
        names = f'xmlns:office="{odf}:office:1.0" xmlns:text="{odf}:text:1.0"'
        text = "".join(f"<text:p>{escape(part)}</text:p>" for part in paragraphs)
        body = f"<office:body><office:text>{text}</office:text></office:body>"
        zipped(path, {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"<office:document-content {names}>{body}</office:document-content>",
            "meta.xml": f"<office:document-meta {names}/>",
        })  # fmt: skip
    elif path.suffix == ".pdf":
        path.write_bytes(
            write_pdf(str(number), "en", [DemoBlock("paragraph", tuple(part.splitlines())) for part in paragraphs])
        )
    else:
        path.write_text(text)


def make(folder: Path, number: int) -> None:
    chance, texts = random.Random(23), passages()
    for index in range(number):
        path = folder / f"{index // 500:03d}" / f"{index:06d}.{KINDS[index % len(KINDS)]}"
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, " ".join(chance.sample(texts, 1)), index)


def cpu(*command: str) -> tuple[float, float]:
    """CPU seconds of a command with all its children, and the memory of the largest of them in MB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, after.ru_maxrss / 1_000


def trasmallo(folder: Path, docs: Path, analyses: list[str] | None) -> Path:
    project = Project.new(folder, [str(docs)], language="en")
    if analyses is not None:
        write_values(folder / "trasmallo.toml", {"study.analyses": analyses})
    return project.folder


def recoll(folder: Path, docs: Path) -> Path:
    folder.mkdir()
    (folder / "recoll.conf").write_text(f"topdirs = {docs}\nindexallfilenames = 0\n")
    return folder


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 2_000
    home = Path(tempfile.mkdtemp(prefix="files-"))
    docs = home / "docs"
    make(docs, number)
    print(f"{number:,} files, load {os.getloadavg()[0]:.0f}")
    print("| program | first pass CPU s | documents a CPU s | second pass CPU s | second pass s | largest process MB |")
    print("| --- | --- | --- | --- | --- | --- |")
    own = str(Path(sys.executable).with_name("trasmallo"))
    rows = [
        ("trasmallo, search", [own, "run", str(trasmallo(home / "search", docs, ["search"])), "--quiet"]),
        ("recoll", ["recollindex", "-c", str(recoll(home / "recoll", docs))]),
        ("trasmallo, whole study", [own, "run", str(trasmallo(home / "whole", docs, None)), "--quiet"]),
    ]
    for name, command in rows:
        if shutil.which(command[0]) is None:
            print(f"| {name} | not installed | | | | |")
            continue
        first, memory = cpu(*command)
        began = time.monotonic()
        second, _ = cpu(*command)
        lasted = time.monotonic() - began
        print(f"| {name} | {first:.1f} | {number / first:.0f} | {second:.2f} | {lasted:.1f} | {memory:.0f} |", flush=True)
    shutil.rmtree(home)


if __name__ == "__main__":
    main()
