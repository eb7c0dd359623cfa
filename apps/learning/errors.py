from django.utils.translation import gettext_noop as _

from apps.core.problems import STRING, ProblemType

TOO_MANY_TEMPLATES = ProblemType(
    "too_many_templates",
    429,
    "Five assistants were made of templates in this hour",
    "A widget may make five assistants of templates in any hour. Nothing else is limited by it. Change one that was "
    "made, or wait for the number of seconds in `Retry-After`.",
)
NO_ASSISTANT = ProblemType(
    "no_assistant",
    409,
    "There is no assistant",
    "The widget has no assistant whose text could be changed, or the wish's own is gone.",
)
ALREADY_LIVE = ProblemType(
    "already_live",
    409,
    "The version is live",
    "The version is the one that the assistant speaks with now, so there is nothing to revert.",
    for_people=_("This version is the one in use already."),
)
PERSONA_CONFLICT = ProblemType(
    "persona_conflict",
    409,
    "The change can't be undone by itself",
    "Later versions have changed what the wish wrote. Nothing was undone. Revert to a version from before it instead.",
    for_people=_("This change can't be undone by itself: later ones rest on it."),
)
WISH_STATE = ProblemType(
    "wish_state",
    409,
    "The wish is in another state",
    "`wish_status` says in which. Only a submitted wish is approved or rejected, only one that is on probation or kept "
    "is reverted.",
    for_people=_("The wish is in another state by now."),
    example_members={"wish_status": "kept"},
    members={"wish_status": STRING},
)
PROBATION_RUNNING = ProblemType(
    "probation_running",
    409,
    "Another change is on probation",
    "The assistant's text has changed lately, and whether that was for the better is not known yet: two changes can't "
    "be told apart. Wait until it ends, or revert it.",
    for_people=_("Another change is on probation."),
)
PREVIEW_OUTDATED = ProblemType(
    "preview_outdated",
    409,
    "The preview is out of date",
    "The patch that would be stored has another `fingerprint`. Look at the preview again.",
    for_people=_("What was shown is out of date: look again."),
)
PATCH_REFUSED = ProblemType(
    "patch_refused",
    422,
    "A guard rail refuses the change",
    "`errors.text` names the guard rail, and where the change breaks it.",
    for_people=_("The change breaks a rule of safety, and was not made."),
    example_members={"errors": {"text": ["new_link: shop.example"]}},
)
LEARNING_GATE_CLOSED = ProblemType(
    "learning_gate_closed",
    409,
    "A gate is closed",
    "`gate` is the first that keeps the assistant from tuning itself, `gate_reason` says why.",
    for_people=_("Learning is switched off here."),
    example_members={"gate": "widget", "gate_reason": "autonomous_tuning_disabled"},
    members={"gate": STRING, "gate_reason": STRING},
)
LEARNING_CYCLE_RUNNING = ProblemType(
    "learning_cycle_running",
    409,
    "A cycle is under way",
    "A cycle of the assistant is queued or running. It takes five minutes at most, and "
    "then as long as the test questions take, if there are any.",
    for_people=_("The assistant is being tuned already."),
)
NOT_EXAMINED = ProblemType(
    "not_examined",
    409,
    "The change was not examined",
    "The assistant has test questions, and they were not asked with what would be stored now. Start a run with this "
    "`wish_id` (`POST /v1/ai/evaluations`), and approve the wish once it has finished.",
    for_people=_("The change was not examined yet: examine it first."),
)
