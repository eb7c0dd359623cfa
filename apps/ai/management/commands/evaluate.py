import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.ai.actions.evaluations import AlreadyRunning, NoCases, run_now, start_evaluation
from apps.ai.models import Assistant, EvaluationResult, EvaluationRun
from apps.ai.rules.evaluations import EvaluationState, Verdict
from apps.core.problems import Problem

FIELDS = (
    *("case_id", "question", "expects", "outcome", "verdict", "change", "faults", "answer", "reason", "language"),
    *("rag_status", "operations", "prompt_tokens", "completion_tokens", "seconds"),
)


class Command(BaseCommand):
    help = (
        "Asks an assistant its owner's test questions, with real calls, and says which answers are right and what has "
        "changed since the run before. Exit status 1 unless all are right."
    )

    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--assistant", type=int, required=True, metavar="ID")
        parser.add_argument("--json", action="store_true", help="Print the run and its results as JSON.")

    def handle(self, *args: Any, **options: Any) -> None:
        assistants = Assistant.objects.unscoped("a command of the installation")
        assistant = assistants.filter(pk=options["assistant"]).select_related("widget").first()
        if assistant is None:
            raise CommandError(f"there is no assistant {options['assistant']}")
        try:
            run = start_evaluation(assistant=assistant, held=True)
        except NoCases:
            raise CommandError("there are no test questions for this assistant") from None
        except AlreadyRunning:
            raise CommandError("an evaluation of this assistant is under way") from None
        except Problem as refused:
            raise CommandError(refused.type.title) from None
        run = run_now(run, told=(lambda result: None) if options["json"] else self._tell)
        results = list(EvaluationResult.objects.for_widget(run.widget_id).filter(run=run).order_by("pk"))
        right = sum(result.verdict == Verdict.RIGHT for result in results)
        if options["json"]:
            self.stdout.write(json.dumps(_document(run, results, right), ensure_ascii=False, indent=1))
        else:
            self.stdout.write(f"{run.state} {run.reason}".rstrip() + f": {right} of {run.cases} are right")
        if run.state != EvaluationState.FINISHED or right < len(results):
            raise SystemExit(1)

    def _tell(self, result: EvaluationResult) -> None:
        faults = "; ".join(f"{kind}: {text}" for kind, text in result.faults) or result.reason
        line = f"{result.verdict:6} {result.change:8} {result.question.splitlines()[0][:70]}"
        self.stdout.write(f"{line}  [{faults}]" if faults and result.verdict != Verdict.RIGHT else line)


def _document(run: EvaluationRun, results: list[EvaluationResult], right: int) -> dict[str, Any]:
    return {
        "run_id": run.pk,
        "previous_run_id": run.previous_id,
        "assistant_id": run.assistant_id,
        "state": run.state,
        "reason": run.reason or None,
        "model": run.model,
        "persona_version": run.persona_version,
        "cases": run.cases,
        "right": right,
        "results": [{name: getattr(result, name) for name in FIELDS} for result in results],
    }
