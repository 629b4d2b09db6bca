#!/usr/bin/env python3
"""Damaged plans, judged twice: by `check` and by a judge of bytes that is written here.

    campaign.py judge PLIMSOLL_CLI OUT FOLDER...   [--plans N] [--seed S] [--jobs J] [--shape NAME=SHAPE]...
    campaign.py run   PLIMSOLL_CLI OUT             [--plans N] [--seed S] [--jobs J] [--shape NAME=SHAPE]...

`judge` plans every graph of the folders, damages the plans and compares the verdicts. OUT/results.jsonl has a line for each,
OUT/disagree the plans on which the verdicts differ; exit 1 if there are any. `run` draws of those that `check` flagged for bytes,
runs them and lists those that a run did not show, with its reason."""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

import control
import damage
import graphs
import judge

BASES = {
    "best": ["inputs=protect"],
    "apart": ["inputs=protect", "inplace=off"],
    "by-step": ["inputs=protect", "placement=first-fit-by-step", "inplace=identity-only"],
    "given": ["inputs=donate"],
}
TERMS = ["backend=captured", "alignment=1"]
OF_BYTES = {"overlap", "clobbered-read", "uninitialised-read", "subgraph-escape", "saved-overwritten", "input-overwritten",
            "undersized", "beyond-capacity", "order"}
SECONDS = 120


def call(program, command, graph, policies, *arguments):
    """The process's end, or None if it took too long."""
    words = [] if command == "convert" else [word for policy in TERMS + policies for word in ("-p", policy)]
    try:
        return subprocess.run([program, command, graph, *words, *arguments], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None


def said(file):
    with open(file, encoding="utf-8", errors="surrogateescape") as text:
        return json.load(text)


class Subject:
    """A graph, its legal plans, and what one check of it costs."""

    def __init__(self, program, file, folder, shapes):
        self.file = str(file)
        converted, plan, report = (os.path.join(folder, name) for name in ("graph.json", "plan.json", "report.json"))
        refused(call(program, "convert", self.file, [], converted), "convert")
        self.graph = graphs.read_graph(converted)
        self.shapes = [word for shape in shapes if shape.split("=")[0] in self.graph.shapeless for word in ("--shape", shape)]
        self.plans, self.trusted = {}, {}
        for base, policies in BASES.items():
            refused(call(program, "plan", self.file, policies, *self.shapes, "--write-plan", plan, "--json", report), "plan")
            values = said(report)["values"]
            self.sizes = {value["name"]: value["logicalBytes"] for value in values if (value.get("logicalBytes") or 0) > 0}
            self.graph.types = {value["name"]: value["dtype"] for value in values}
            self.graph.strides = {value["name"]: value["strides"] for value in values if "strides" in value}
            self.graph.shapes = {value["name"]: value["shape"] for value in values}
            self.plans[base] = said(plan)
            unknown = set(self.plans[base].get("steps") or []) - {node.name for node in graphs.all_nodes(self.graph.body)}
            if unknown:
                raise control.Unsupported(f"a step that the file does not have: {min(unknown)}")
            self.trusted[base] = self.trust(base)
        begin = time.monotonic()
        if "incomplete" in self.check(program, self.plans["best"], "best", folder):
            raise control.Unsupported("sizes are missing")
        self.seconds = time.monotonic() - begin

    def judge(self, plan, base, strict=False):
        given = "inputs=donate" in BASES[base]
        return judge.judge(self.graph, self.sizes, plan, judge.Terms(given, self.trusted.get(base, frozenset()), strict))

    def trust(self, base):
        """The doubts about the legal plan; what is harmful there has no model here."""
        verdict = self.judge(self.plans[base], base)
        if verdict.harms:
            raise control.Unsupported(f"the legal plan is harmful here: {verdict.harms[0]}")
        return frozenset(verdict.doubts)

    def check(self, program, plan, base, folder):
        """The errors of a plan, by rule."""
        given, report = os.path.join(folder, "given.json"), os.path.join(folder, "verdict.json")
        pathlib.Path(given).write_text(json.dumps(plan), errors="surrogateescape")
        pathlib.Path(report).unlink(missing_ok=True)
        inputs = [policy for policy in BASES[base] if policy.startswith("inputs")]
        done = call(program, "check", self.file, inputs, *self.shapes, "--plan", given, "--json", report)
        if done is None or done.returncode not in (0, 1):
            return {"exit": done.returncode if done else "stopped", "said": done.stderr[-300:] if done else ""}
        return dict(collections.Counter(finding["rule"] for finding in said(report)["findings"] if finding["severity"] == "error"))


def refused(done, command):
    if done is None or done.returncode not in (0, 1):
        raise control.Unsupported(f"{command}: {done.stderr.strip()[-200:] if done else 'stopped'}")


def compare(program, subject, seed, folder):
    base = list(BASES)[seed % len(BASES)]
    plan, way = damage.damaged(subject.plans[base], subject.graph, subject.sizes, seed)
    ours = subject.judge(plan, base)
    theirs = subject.check(program, plan, base, folder)
    flagged = OF_BYTES & theirs.keys()
    if "exit" in theirs:
        word = "refused"
    elif ours.kind == "doubtful":
        word = "doubtful"
    elif ours.kind == "harmful":
        word = "agreed" if theirs else "missed"
    elif flagged:
        word = "false alarm" if ours.complete and subject.judge(plan, base, strict=True).kind == "harmless" else "doubtful"
    else:
        word = "agreed"
    return {"graph": subject.file, "base": base, "seed": seed, "damage": way, "judge": ours.kind,
            "why": [str(why) for why in (ours.harms + ours.doubts)[:2]], "check": theirs, "verdict": word}, plan


def work(program, file, count, seed, out, shapes):
    """All of one graph; runs in a process of its own."""
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            subject = Subject(program, file, folder, shapes)
        except (control.Unsupported, KeyError, IndexError, RecursionError, UnicodeError) as why:
            return [{"graph": str(file), "verdict": "not modelled", "why": f"{type(why).__name__}: {why}"}]
        for plan_seed in range(seed, seed + max(8, min(count, int(count * 0.04 / subject.seconds)))):
            line, plan = compare(program, subject, plan_seed, folder)
            lines.append(line)
            if line["verdict"] in ("missed", "false alarm", "refused"):
                name = f"{pathlib.Path(file).parent.name}-{pathlib.Path(file).name}-{plan_seed}.plan.json"
                (out / "disagree" / name).write_text(json.dumps(plan, indent=1))
    return lines


def files_of(folders):
    for folder in map(pathlib.Path, folders):
        yield from sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.endswith((".plan.json", ".csv")))


def judge_all(arguments):
    out = pathlib.Path(arguments.out)
    (out / "disagree").mkdir(parents=True, exist_ok=True)
    totals = collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool, (out / "results.jsonl").open("a") as results:
        jobs = {pool.submit(work, arguments.program, file, arguments.plans, arguments.seed, out, arguments.shape): file
                for file in files_of(arguments.folders)}
        for job in concurrent.futures.as_completed(jobs):
            for line in job.result():
                totals[line["verdict"]] += 1
                results.write(json.dumps(line) + "\n")
            results.flush()
    print(dict(totals))
    return 1 if totals["missed"] or totals["false alarm"] or totals["refused"] else 0


def shown(program, subject, line, folder):
    """Whether a run shows the damage, and what it says if not."""
    plan, _ = damage.damaged(subject.plans[line["base"]], subject.graph, subject.sizes, line["seed"])
    run, why = ran(program, subject, line["base"], plan, folder)
    if run is not None and run.get("mismatches"):
        return "shown", ""
    if run is not None:
        return "not shown", json.dumps(run.get("witness", {}).get("runIsBlind", []))
    legal, _ = ran(program, subject, line["base"], subject.plans[line["base"]], folder)
    return "not run" if legal is not None else "no run of the graph", why


def ran(program, subject, base, plan, folder):
    """What came of a run, or None and why there was none."""
    given, report = os.path.join(folder, "given.json"), os.path.join(folder, "run.json")
    pathlib.Path(given).write_text(json.dumps(plan), errors="surrogateescape")
    pathlib.Path(report).unlink(missing_ok=True)
    inputs = [policy for policy in BASES[base] if policy.startswith("inputs")]
    done = call(program, "run", subject.file, inputs, *subject.shapes, "--plan", given, "--json", report)
    if done is None or not os.path.exists(report):
        return None, done.stderr.strip()[-200:] if done else "stopped"
    return said(report).get("run") or {}, ""


def shown_of(program, file, lines, shapes):
    """Those of one graph, with what came of each."""
    with tempfile.TemporaryDirectory() as folder:
        subject = Subject(program, file, folder, shapes)
        for line in lines:
            line["run"], line["runSaid"] = shown(program, subject, line, folder)
    return lines


def run_some(arguments):
    lines = [json.loads(line) for line in (pathlib.Path(arguments.out) / "results.jsonl").open()]
    flagged = [line for line in lines if OF_BYTES & line.get("check", {}).keys()]
    drawn = collections.defaultdict(list)
    for line in random.Random(arguments.seed).sample(flagged, min(arguments.plans, len(flagged))):
        drawn[line["graph"]].append(line)
    totals = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool, \
            (pathlib.Path(arguments.out) / "runs.jsonl").open("a") as results:
        jobs = [pool.submit(shown_of, arguments.program, file, drawn[file], arguments.shape) for file in drawn]
        for line in (line for job in concurrent.futures.as_completed(jobs) for line in job.result()):
            totals[line["run"]] += 1
            results.write(json.dumps(line) + "\n")
            results.flush()
            if line["run"] != "shown":
                print(line["run"], line["graph"], line["base"], line["seed"], line["check"], line["runSaid"])
    print(dict(totals))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["judge", "run"])
    parser.add_argument("program")
    parser.add_argument("out")
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--plans", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--shape", action="append", default=[], help="of an input for which the file gives none")
    arguments = parser.parse_args()
    return judge_all(arguments) if arguments.command == "judge" else run_some(arguments)


if __name__ == "__main__":
    sys.exit(main())
