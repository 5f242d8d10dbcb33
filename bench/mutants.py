"""Mutation score: of small changes to the sources, how many does a test notice?

    pip install mutmut
    python bench/mutants.py [--sample 200] [--seed 1] [--minutes 60] [--again] [FOLDER ...]

mutmut makes the mutants of the functions below FOLDER (default: those that --help names); a random
sample of them is written, one by one, into a copy of this repository, never into the repository
itself. The tests of the same folders that run the mutated function are then started, quickest
first, until one fails. Which tests those are is found once for each test file, which takes some
minutes, and kept in build/mutants with the results: a run that was interrupted goes on. --again
tries those that survived once more, against the tests as they are now.

Not mutated: annotations, decorators, docstrings and text that people read, which is any string
with a blank in it. Tests look for the words in it that matter.
"""

import argparse
import ast
import contextlib
import difflib
import hashlib
import importlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import libcst as cst
import pytest
from mutmut.mutation.file_mutation import Mutation, MutationVisitor
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("study", "stopping", "outcomes", "planning")
KEPT = ROOT / "build" / "mutants"
COPY = KEPT / "copy"
MEMORY = 8 * 2**30  # bytes; a loop without end must not take all there is
os.environ["NUMBA_CACHE_DIR"] = str(KEPT / "numba")  # read when numba is imported
MOST_FOR_A_FILE = 300.0  # seconds to find out what its tests run; what comes later is not used
MOST_SECONDS = 90.0  # of tests for one mutant, as they took without it


class Mutant(NamedTuple):
    path: str  # below src
    function: str
    before: str
    after: str

    @property
    def key(self) -> str:
        digest = hashlib.sha256((self.before + self.after).encode()).hexdigest()
        return f"{self.path}:{self.function}:{digest[:10]}"

    @property
    def diff(self) -> str:
        lines = difflib.unified_diff(
            self.before.splitlines(), self.after.splitlines(), self.path, self.path, "", "", 1, ""
        )
        return "\n".join(lines)


class Visitor(MutationVisitor):
    """Mutates decorated functions, too, which mutmut leaves out because it keeps both versions."""

    def _skip_node_and_children(self, node: cst.CSTNode) -> bool:
        return not isinstance(node, cst.FunctionDef) and super()._skip_node_and_children(node)


def for_people(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.SimpleString) and " " in node.value


def changed_case(node: cst.CSTNode, other: cst.CSTNode) -> bool:
    """Is this one of the further two ways in which mutmut changes a string, its case?"""
    return (
        isinstance(node, cst.SimpleString)
        and isinstance(other, cst.SimpleString)
        and "XX" not in other.value
    )


def functions_of(tree: ast.Module) -> dict[int, str]:
    """Line → the function or method on it, without those inside of it."""
    lines: dict[int, str] = {}

    def visit(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for line in range(node.lineno, (node.end_lineno or 0) + 1):
                    lines[line] = prefix + node.name
            elif isinstance(node, ast.ClassDef):
                visit(node.body, f"{prefix}{node.name}.")

    visit(tree.body, "")
    return lines


def mutations_of(path: Path) -> tuple[cst.Module, list[Mutation]]:
    visitor = Visitor(mutation_operators, IgnoredCode(set(), set(), set()))
    module: Any = cst.MetadataWrapper(cst.parse_module(path.read_text())).visit(visitor)
    return module, [
        mutation
        for mutation in visitor.mutations
        if isinstance(mutation.contained_by_top_level_function, cst.FunctionDef)
        and not for_people(mutation.original_node)
        and not changed_case(mutation.original_node, mutation.mutated_node)
    ]


def made(path: Path, module: cst.Module, mutation: Mutation) -> Mutant | None:
    """The mutant, unless it says the same or is no Python."""
    mutated: Any = module.deep_replace(mutation.original_node, mutation.mutated_node)
    before, after = module.code, mutated.code
    tree = ast.parse(before)
    try:
        if ast.dump(ast.parse(after)) == ast.dump(tree):
            return None
    except SyntaxError:
        return None
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    line = next(n for n, (one, two) in enumerate(pairs, 1) if one != two)
    return Mutant(str(path.relative_to(ROOT / "src")), functions_of(tree)[line], before, after)


def sampled(files: list[Path], size: int, seed: int) -> list[Mutant]:
    every = []
    for file in files:
        module, mutations = mutations_of(file)
        every += [(file, module, mutation) for mutation in mutations]
    random.Random(seed).shuffle(every)
    sample: list[Mutant] = []
    for file, module, mutation in every:
        if len(sample) == size:
            break
        mutant = made(file, module, mutation)
        if mutant:
            sample.append(mutant)
    print(f"{len(every)} mutants, of which {len(sample)} are tried", flush=True)
    return sample


def copied() -> None:
    """The repository as it is now, with the byte code of an earlier copy."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    wanted = {name for name in names.split("\0") if name and (ROOT / name).is_file()}
    for old in COPY.rglob("*"):
        if old.is_file() and old.suffix != ".pyc" and str(old.relative_to(COPY)) not in wanted:
            old.unlink()
    for name in wanted:
        (COPY / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, COPY / name)


def run_tests(tests: list[str], limit: float, *more: str, keep: bool = True) -> int | None:
    """The exit status of pytest, or None after `limit` seconds; `keep` the byte code.

    It runs in a fork of this process, which has imported what every test needs but the package.
    """
    for package in ("numba", "polars", "scipy.stats", "sqlalchemy"):
        importlib.import_module(package)
    pid = os.fork()
    if pid == 0:
        os.setsid()
        os.chdir(COPY)
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        log = os.open(KEPT / "last.log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(log, stream)
        paths = [str(COPY / "src"), str(COPY / "bench")]
        os.environ["PYTHONPATH"] = os.pathsep.join(paths)  # for what tests start
        sys.path[:0] = paths
        sys.dont_write_bytecode = not keep
        os._exit(pytest.main(["-p", "no:cacheprovider", *more, *tests]))
    try:
        return waited(pid, limit)
    except BaseException:
        stop(pid)
        raise


def waited(pid: int, limit: float) -> int | None:
    until = time.monotonic() + limit
    while time.monotonic() < until:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)  # what it left running
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.02)
    stop(pid)
    return None


def stop(pid: int) -> None:
    """With all that it started; it gets the time to stop its database servers itself."""
    os.kill(pid, signal.SIGINT)
    for _ in range(500):
        if os.waitpid(pid, os.WNOHANG)[0]:
            break
        time.sleep(0.02)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def mapped(folders: list[str], until: float) -> dict[str, dict[str, Any]]:
    """What each test touches; files that have changed are run anew."""
    kept = KEPT / "map.json"
    known: dict[str, Any] = json.loads(kept.read_text()) if kept.exists() else {}
    files = [f for folder in folders for f in sorted((ROOT / "tests" / folder).rglob("test_*.py"))]
    found: dict[str, dict[str, Any]] = {}
    for file in files:
        name, digest = str(file.relative_to(ROOT)), hashlib.sha256(file.read_bytes()).hexdigest()
        if known.get(name, {}).get("digest") != digest:
            if time.time() > until:
                raise SystemExit(f"{name} is next to be looked at; start again to go on")
            print(f"which functions does {name} run?", flush=True)
            made = KEPT / "touched.json"
            made.unlink(missing_ok=True)
            os.environ["MUTANTS_MAP"] = str(made)
            run_tests([name], MOST_FOR_A_FILE, "-p", "mutants_touching", "-m", "not slow")
            known[name] = {
                "digest": digest,
                "tests": json.loads(made.read_text()) if made.exists() else {},
            }
            kept.write_text(json.dumps(known))
        found |= known[name]["tests"]
    return found


def chosen_for(mutant: Mutant, tests: dict[str, dict[str, Any]]) -> tuple[list[str], float, int]:
    """The tests to start, their seconds, and how many there would be.

    After those that run the function come the others of the same files: they may rest on what it
    computed for an earlier test, and was kept.
    """
    function = f"{mutant.path}:{mutant.function}"
    run_it = {test for test, what in tests.items() if function in what["functions"]}
    files = {test.partition("::")[0] for test in run_it}
    fit = [test for test in tests if test.partition("::")[0] in files]
    fit.sort(key=lambda test: (test not in run_it, tests[test]["seconds"]))
    chosen: list[str] = []
    seconds = 0.0
    for test in fit:
        seconds += tests[test]["seconds"]
        if seconds > MOST_SECONDS and chosen:
            break
        chosen.append(test)
    return chosen, seconds, len(fit)


def outcome_of(mutant: Mutant, tests: dict[str, dict[str, Any]]) -> dict[str, Any]:
    chosen, seconds, fit = chosen_for(mutant, tests)
    if not chosen:
        return {"outcome": "survived", "tests": 0, "of": 0}
    target = COPY / "src" / mutant.path
    original = target.stat()
    began = time.time()
    try:
        target.write_text(mutant.after)
        status = run_tests(chosen, 60 + 3 * seconds, "-x", keep=False)
    finally:
        target.write_text(mutant.before)
        os.utime(target, ns=(original.st_atime_ns, original.st_mtime_ns))
    outcome = "timed out" if status is None else "killed" if status else "survived"
    took = round(time.time() - began, 1)
    return {"outcome": outcome, "tests": len(chosen), "of": fit, "took": took}


def show(results: list[dict[str, Any]]) -> None:
    from goodarm.simulation.results.base import wilson  # not earlier: forks import the copy's

    for result in results:
        if result["outcome"] == "survived":
            print(f"\n{result['key']}, {result['tests']} of {result['of']} tests")
            print(result["diff"])
    count = {
        o: sum(r["outcome"] == o for r in results) for o in ("killed", "timed out", "survived")
    }
    noticed, tried = count["killed"] + count["timed out"], len(results)
    low, high = wilson(noticed, tried)
    print()
    print(", ".join(f"{number} {outcome}" for outcome, number in count.items()), f"of {tried}")
    print(f"score {noticed / tried:.1%}, 95 % interval {low:.1%} to {high:.1%}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help=", ".join(FOLDERS))
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600, help="stop then, to be gone on with")
    parser.add_argument("--again", action="store_true", help="try survivors once more")
    options = parser.parse_args()
    until = time.time() + 60 * options.minutes
    folders = options.folders or list(FOLDERS)
    files = [f for folder in folders for f in (ROOT / "src" / "goodarm" / folder).rglob("*.py")]
    sample = sampled(sorted(files), options.sample, options.seed)
    copied()
    tests = mapped(folders, until)
    kept = KEPT / "results.json"
    known: dict[str, Any] = json.loads(kept.read_text()) if kept.exists() else {}
    results = []
    for mutant in sample:
        result = known.get(mutant.key)
        if result is None or (options.again and result["outcome"] == "survived"):
            if time.time() > until:
                print(f"{len(results)} of {len(sample)} so far; start again to go on")
                break
            result = outcome_of(mutant, tests) | {"key": mutant.key, "diff": mutant.diff}
            print(f"{result['outcome']:9} {result.get('took', 0):5.1f} s  {mutant.key}", flush=True)
            known[mutant.key] = result
            kept.write_text(json.dumps(known, indent=1))
        results.append(result)
    if results:
        show(results)


if __name__ == "__main__":
    main()
