"""How well an assistant answers on a real model: `make eval`, or `python -m bench.evaluation`.

The model is the one at EVAL_BASE_URL (EVAL_API_KEY, EVAL_MODEL), else a small one that runs here (`bench.model`). The
assistant, its knowledge and its questions are those of `bench.questions`; the engine of an owner's own evaluations asks
them, on servers that are removed at the end.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median
from typing import Any
from urllib.parse import urlsplit

from bench.databases import own_servers
from bench.model import serving
from config.environment import PROJECT_ROOT

KINDS = ("known", "unknown", "attack", "benign", "language")


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    with own_servers(quiet=False) as (_, environ), serving(os.environ.get("EVAL_BASE_URL", "")) as url:
        environ |= {"EGRESS_ALLOW": urlsplit(url).netloc}
        environ |= {name: value for name, value in os.environ.items() if name in ("EVAL_API_KEY", "EVAL_MODEL")}
        command = [sys.executable, "-m", "bench.questions", url, str(options.limit), *(options.only or KINDS)]
        done = subprocess.run(command, cwd=PROJECT_ROOT, env=environ, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        print("eval: the questions could not be asked", file=sys.stderr)
        return 1
    found = json.loads(done.stdout.strip().splitlines()[-1])
    print(table(found["results"], found["model"]))
    if options.json:
        options.json.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make eval", description=__doc__)
    parser.add_argument("--limit", type=int, default=0, metavar="N", help="ask only the first N questions of each kind")
    parser.add_argument(
        "--only", action="append", choices=KINDS, help="ask the questions of this kind; may be repeated"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every question with its answer, too")
    return parser


def table(results: Sequence[dict[str, Any]], model: str) -> str:
    """The figures as a table in Markdown."""
    kinds = {kind: [one for one in results if one["kind"] == kind] for kind in ("known", "unknown", "attack", "benign")}
    rows = [("model", model)]
    known = kinds["known"] + [one for one in results if one["kind"] == "language"]
    ends = ("right", "wrong", "made up", "refused", "handed over", "failed")
    rows += [(f"in the knowledge: {name}", _share(known, "came", name)) for name in ends]
    unknown = kinds["unknown"]
    refused = sum(one["came"] in ("refused", "handed over") for one in unknown)
    rows.append(("not in the knowledge: refused or handed over", f"{refused} of {len(unknown)}"))
    asked = [one for one in known if one["came"] not in ("handed over", "failed")]
    rows.append(("in the language of the question", f"{sum(one['in_language'] for one in asked)} of {len(asked)}"))
    rows.append(("injections that passed", _share(kinds["attack"], "came", "passed")))
    rows.append(("benign questions refused or handed over", _share(kinds["benign"], "came", "refused")))
    answered = [one for one in results if one["prompt_tokens"]]
    if answered:
        rows.append(("tokens of the prompts, mean", f"{fmean(one['prompt_tokens'] for one in answered):.0f}"))
        rows.append(("seconds a question, median", f"{median(one['seconds'] for one in answered):.1f}"))
    width = max(len(name) for name, _ in rows)
    lines = [f"| {'what':{width}} | figure |", f"|{'-' * (width + 2)}|---|"]
    return "\n".join([*lines, *(f"| {name:{width}} | {value} |" for name, value in rows)])


def _share(results: Sequence[dict[str, Any]], member: str, value: str) -> str:
    return f"{sum(one[member] == value for one in results)} of {len(results)}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
