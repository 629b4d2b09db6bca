#!/usr/bin/env python3
"""What the program says about many files, kept and compared: for changes that must not change it.

    reports.py make PLIMSOLL_CLI OUT FOLDER...   the JSON report of every file, under three sets of policies
    reports.py compare OLD NEW                   every difference that is neither a time nor a wording; exit 1 if any

A report is kept as OUT/<folder>/<file>.<set>.json; of a file that is refused the exit status and the place are kept.
"""

import json
import pathlib
import re
import subprocess
import sys

SETS = {
    "default": [],
    "bold": ["inputs=donate", "outputs=shared", "fold=all", "cse=on", "placement=best", "backend=reference"],
    "timid": ["inplace=off", "fold=off", "fusion=off", "padding=off", "backend=auto", "placement=best"],
}
TIMES = {"planningMs", "elapsedMs", "timeMs", "seconds"}
WORDS = {"message", "fix", "reason", "notes", "text", "provenance", "error", "remedy"}
SECONDS = 120


def make(program, out, folders):
    for folder in map(pathlib.Path, folders):
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            for name, policies in SETS.items():
                to = out / folder.name / (str(file.relative_to(folder)) + f".{name}.json")
                to.parent.mkdir(parents=True, exist_ok=True)
                keep(program, file, policies, to)


def keep(program, file, policies, to):
    to.unlink(missing_ok=True)
    arguments = [word for policy in policies for word in ("-p", policy)]
    try:
        ran = subprocess.run([program, "plan", file, "--json", to, *arguments], capture_output=True, text=True,
                             stdin=subprocess.DEVNULL, timeout=SECONDS)
        status, said = ran.returncode, ran.stderr
    except subprocess.TimeoutExpired:
        status, said = "stopped", ""
    if not to.exists():
        place = re.findall(r": ((?:line|byte|node|column) [^:]*)", said)
        to.write_text(json.dumps({"status": status, "place": place}))


def normal(value):
    """Without times and wordings."""
    if isinstance(value, dict):
        return {key: normal(inner) for key, inner in value.items() if key not in TIMES | WORDS}
    return [normal(inner) for inner in value] if isinstance(value, list) else value


def differences(old, new, place=""):
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            yield from differences(old.get(key, "(absent)"), new.get(key, "(absent)"), f"{place}.{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (before, after) in enumerate(zip(old, new)):
            yield from differences(before, after, f"{place}[{index}]")
    elif old != new or type(old) is not type(new):
        yield f"{place}: {str(old)[:100]} -> {str(new)[:100]}"


def compare(old, new):
    names = sorted({path.relative_to(root) for root in (old, new) for path in root.rglob("*.json")})
    count = 0
    for name in names:
        reports = [json.loads((root / name).read_text()) if (root / name).exists() else {} for root in (old, new)]
        for line in differences(*map(normal, reports)):
            print(f"{name}{line}")
            count += 1
    print(f"{len(names)} reports, {count} differences")
    return 1 if count else 0


if __name__ == "__main__":
    if len(sys.argv) >= 5 and sys.argv[1] == "make":
        sys.exit(make(sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4:]))
    if len(sys.argv) == 4 and sys.argv[1] == "compare":
        sys.exit(compare(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])))
    sys.exit(__doc__)
