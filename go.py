#!/usr/bin/env python3
"""Set trasmallo up and run it: needs Python 3.11 with pip, nothing else.

python3 go.py demo [--serve]    the sample project, from crawl to tables
python3 go.py test [PYTEST...]  every test; --cluster first installs what a shared crawl needs
python3 go.py check             lint, format, types, layers, docs
python3 go.py bench [NAME]      comparisons with peers, a table each
python3 go.py soak [--minutes]  crawls, questions and kills for a long time, and what they cost
python3 go.py fuzz [NAME]       all that reads foreign input, with damaged input; --minutes M for each target
python3 go.py extension         the browser extension as one zip; --lint asks Firefox's linter (needs node)
python3 go.py release VERSION   the change log from its fragments, the version where it is written; --draft only shows
python3 go.py run ARGS...       the trasmallo command itself
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
LOCKS = {"use": "requirements.lock", "dev": "requirements-dev.lock", "bench": "requirements-bench.lock"}
CLUSTER, CLUSTER_LOCK = "--cluster", "requirements-cluster.lock"
OLDEST = (3, 11)
EXTENSION = {  # folder or file in the zip: the same here
    "": "extension",
    "meanings": "src/trasmallo/clean/slicing/meanings",
    "forms": "src/trasmallo/clean/slicing/forms",
    "core/blocks/best.model": "src/trasmallo/clean/content/best.model",
}
# What scripts call must be there; peers need not be installed, and their own types are not looked at closely.
LENIENT = "arg-type assignment func-returns-value import-not-found import-untyped misc no-any-return operator var-annotated"
SCRIPTS = ["benchmarks", "training", "--no-warn-unused-ignores", *(f"--disable-error-code={code}" for code in LENIENT.split())]
NOT_PACKED = {".md", ".svg"}
VERSIONS = {  # where the version is written, and how
    "src/trasmallo/values/software.py": r'(?<=^__version__ = ")[^"]+',
    "extension/manifest.json": r'(?<=^  "version": ")[^"]+',
}
LINTER = "web-ext@10"
NO_NETWORK = ("NewConnectionError", "Temporary failure", "ConnectTimeout", "ProxyError", "No matching distribution")


def main(arguments):
    """Do what the first argument says; the exit code is the tool's."""
    if sys.version_info < OLDEST:
        stop(f"this is Python {sys.version.split()[0]}", "run it with Python 3.11 or later, such as python3.11 go.py")
    verbs = {verb.__name__: verb for verb in (demo, test, check, bench, soak, fuzz, extension, release, run)}
    if not arguments or arguments[0] not in verbs:
        print(__doc__.strip())
        return 0 if arguments[:1] in ([], ["--help"], ["-h"]) else 2
    return verbs[arguments[0]](arguments[1:])


def demo(arguments):
    """The sample project in `demo/`."""
    set_up("use")
    return call("trasmallo", "demo", "--into", str(HERE / "demo"), *arguments)


def test(arguments):
    """All tests, on every core unless pytest gets arguments of its own."""
    set_up("dev")
    if CLUSTER in arguments:
        arguments = [word for word in arguments if word != CLUSTER]
        set_up_cluster()
    return call("python", "-m", "pytest", *(arguments or ["-n", "2", "--dist", "worksteal", "-q"]))


def check(_arguments):
    """All checkers, each even when an earlier one complains; types are only known of what is installed."""
    set_up("dev")
    set_up_cluster()
    checks = [
        ("ruff", "check", "."),
        ("ruff", "format", "--check", "."),
        ("mypy", "--no-error-summary"),
        ("mypy", "--no-error-summary", *SCRIPTS),
        ("lint-imports", "--no-logo"),
        ("towncrier", "build", "--draft", "--version", "next"),
        ("sphinx-build", "-q", "-W", "-b", "html", "docs", "docs/_build"),
    ]
    failed = [" ".join(command) for command in checks if say("· " + " ".join(command)) or call(*command)]
    say("all checks pass" if not failed else "complaints from: " + "; ".join(failed))
    return 1 if failed else 0


def bench(arguments):
    """One comparison, or all of them."""
    set_up("bench")
    scripts = sorted(path for path in (HERE / "benchmarks").glob("*.py"))
    wanted = [path for path in scripts if not arguments or path.stem == arguments[0]]
    if not wanted:
        stop(f"there is no benchmark {arguments[0]!r}", "choose one of " + ", ".join(path.stem for path in scripts))
    return max(call("python", str(path), *arguments[1:]) for path in wanted)


def soak(arguments):
    """A web that changes, with crawls, questions and kills; `--minutes 60` is the usual length."""
    set_up("dev")
    return call("python", str(HERE / "benchmarks" / "soak.py"), *arguments)


def fuzz(arguments):
    """Damaged input for whatever reads foreign input."""
    set_up("dev")
    return call("python", str(HERE / "tests" / "fuzz" / "run.py"), *arguments)


def extension(arguments):
    """One zip for both browsers, the same octets from the same files; needs nothing but Python."""
    files = extension_files()
    version = json.loads(files["manifest.json"].read_text(encoding="utf-8"))["version"]
    target = HERE / "dist" / f"trasmallo-extension-{version}.zip"
    target.parent.mkdir(exist_ok=True)
    pack(files, target)
    print(target.relative_to(HERE))
    return lint(target) if "--lint" in arguments else 0


def extension_files():
    """Every file of the extension by its name in the zip."""
    found = {}
    for name, here in EXTENSION.items():
        top = HERE / here
        for path in [top] if top.is_file() else top.rglob("*"):
            if path.is_file() and path.suffix not in NOT_PACKED and not path.name.startswith("."):
                found["/".join([name, *path.relative_to(top).parts]).lstrip("/")] = path
    return dict(sorted(found.items()))


def pack(files, target):
    """A zip without times or owners: it changes only when a file does."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, path in files.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), path.read_bytes(), zipfile.ZIP_DEFLATED)


def lint(target):
    """What the linter of Firefox's store says about a zip; it is fetched by npx."""
    if not shutil.which("npx"):
        stop("npx is missing", "install node, on Debian with: apt-get install npm")
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(target) as archive:
            archive.extractall(folder)
        return subprocess.run(["npx", "--yes", LINTER, "lint", "--source-dir", folder], cwd=folder).returncode


def release(arguments):
    """The files of a version: its change log from the fragments, and its number. Nothing is committed, tagged or sent."""
    draft, versions = "--draft" in arguments, [word for word in arguments if word != "--draft"]
    if len(versions) != 1 or not re.fullmatch(r"\d+(\.\d+){2}", versions[0]):
        stop("which version", "name it in three numbers, such as python3 go.py release 0.2.0")
    (version,) = versions
    check_new(version)
    set_up("dev")
    if draft:
        return call("towncrier", "build", "--draft", "--version", version)
    check_clean()
    if code := call("towncrier", "build", "--yes", "--version", version):
        return code
    for name, pattern in VERSIONS.items():
        path = HERE / name
        path.write_text(re.sub(pattern, version, path.read_text("utf-8"), flags=re.MULTILINE), "utf-8")
    say(f"this tree is {version}: look at it, then git commit -am 'Version {version}' && git tag v{version}")
    return 0


def check_new(version):
    """A version comes after the one that is written, and has no change log yet."""
    (name, pattern), *_ = VERSIONS.items()
    now = re.search(pattern, (HERE / name).read_text("utf-8"), re.MULTILINE)[0]
    if [int(number) for number in version.split(".")] <= [int(number) for number in now.split(".")]:
        stop(f"this tree is {now} already", "name a later version")
    if f"## {version} " in (HERE / "CHANGELOG.md").read_text("utf-8"):
        stop(f"CHANGELOG.md tells of {version} already", "name a later version")


def check_clean():
    """Whatever a release changes can be seen, and undone with git."""
    done = subprocess.run(["git", "status", "--porcelain"], cwd=HERE, capture_output=True, text=True)
    if done.returncode or done.stdout.strip():
        what = done.stdout.splitlines()[:1] or [last_line(done.stderr)]
        stop(f"the tree is not clean ({what[0].strip()})", "commit or stash what has changed, then run the same command again")


def run(arguments):
    """The command `trasmallo` with these arguments."""
    set_up("use")
    return call("trasmallo", *arguments)


def set_up(level):
    """Make `.venv` and install what the lock says, unless that was done already."""
    stamp = VENV / f"installed-{level}"
    wanted = fingerprint(level)
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    make_environment()
    say(f"Installing what {LOCKS[level]} lists (once; about half a minute)")
    pip("install", "--require-hashes", "-r", str(HERE / LOCKS[level]))
    say("Installing trasmallo itself")
    pip("install", "--no-deps", "--no-build-isolation", "-e", str(HERE))
    for old in VENV.glob("installed-*"):
        old.unlink()
    for done in levels_within(level):
        (VENV / f"installed-{done}").write_text(fingerprint(done))


def set_up_cluster():
    """Install what crawls and studies on several machines need, unless that was done already."""
    stamp, wanted = VENV / "installed-cluster", hashlib.sha256((HERE / CLUSTER_LOCK).read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    say(f"Installing what {CLUSTER_LOCK} lists")
    pip("install", "--require-hashes", "-r", str(HERE / CLUSTER_LOCK))
    stamp.write_text(wanted)


def levels_within(level):
    """Each lock holds the ones before it, so installing it installs them."""
    names = list(LOCKS)
    return names[: names.index(level) + 1]


def fingerprint(level):
    """Changes when Python, the place, the lock or the way of building does."""
    seen = hashlib.sha256(f"{sys.version} {HERE}".encode())
    for name in (LOCKS[level], "pyproject.toml"):
        seen.update((HERE / name).read_bytes())
    return seen.hexdigest()


def make_environment():
    """An own environment: the system's Python may be managed by its distribution. One that was moved here does not run."""
    if (BIN / "python").exists() and (BIN / "pip").exists() and str(BIN) in (BIN / "pip").read_text(errors="replace"):
        return
    say("Making .venv")
    try:
        done = subprocess.run([sys.executable, "-m", "venv", "--clear", str(VENV)], capture_output=True, text=True)
    except OSError as error:
        stop(f"cannot start {sys.executable} ({error.strerror})", "install Python 3.11 or later")
    if done.returncode:
        explain_venv(done.stdout + done.stderr)


def explain_venv(output):
    """Why there is no environment, in one line."""
    if "ensurepip" in output or "No module named venv" in output:
        stop("this Python has no venv module", "install it, on Debian with: apt-get install python3-venv")
    stop(f"cannot make {VENV} ({last_line(output)})", "check that the folder can be written")


def pip(*arguments):
    """Run pip in the environment; its last words are shown only when it fails."""
    command = [str(BIN / "python"), "-m", "pip", "--disable-pip-version-check", "-q", *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        explain_pip(done.stdout)


def explain_pip(output):
    """Why nothing was installed, in one line; pip's own words only where we know no better."""
    if any(sign in output for sign in NO_NETWORK):
        stop("pip cannot reach its package index", "check the network or pip's settings, then run the same command again")
    if "No space left" in output:
        stop("the disk is full", "free about 600 MB and run the same command again")
    sys.stderr.write(output)
    stop("pip failed", "read its message above, then run the same command again")


def call(tool, *arguments):
    """Run a tool of the environment in the project's folder; Ctrl-C is for it to handle."""
    command = [str(BIN / tool), *arguments]
    if not Path(command[0]).exists():
        stop(f"{command[0]} is missing", f"remove {VENV} and run the same command again")
    # Where this variable is set every process that a tool starts would compile the package again: half a second each.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with subprocess.Popen(command, cwd=HERE, env=environment) as process:
        while True:
            try:
                return process.wait()
            except KeyboardInterrupt:
                continue


def say(line):
    """What goes on, on standard error: standard output belongs to the tool."""
    print(line, file=sys.stderr, flush=True)


def last_line(text):
    """The most telling line of a tool's output."""
    return (text.strip().splitlines() or ["no message"])[-1]


def stop(problem, repair):
    """One clear line, and the end."""
    say(f"go.py: {problem}: {repair}")
    sys.exit(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
