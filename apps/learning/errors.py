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
)
PERSONA_CHANGED = ProblemType(
    "persona_changed",
    409,
    "Another version is live",
    "The live version is not `expected_live_version`: the text has changed since.",
)
PERSONA_CONFLICT = ProblemType(
    "persona_conflict",
    409,
    "The change can't be undone by itself",
    "Later versions have changed what the wish wrote. Nothing was undone. Revert to a version from before it instead.",
)
WISH_STATE = ProblemType(
    "wish_state",
    409,
    "The wish is in another state",
    "`wish_status` says in which. Only a submitted wish is approved or rejected, only one that is on probation or kept "
    "is reverted.",
    example_members={"wish_status": "kept"},
    members={"wish_status": STRING},
)
PROBATION_RUNNING = ProblemType(
    "probation_running",
    409,
    "Another change is on probation",
    "The assistant's text has changed lately, and whether that was for the better is not known yet: two changes can't "
    "be told apart. Wait until it ends, or revert it.",
)
PREVIEW_OUTDATED = ProblemType(
    "preview_outdated",
    409,
    "The preview is out of date",
    "The patch that would be stored has another `fingerprint`. Look at the preview again.",
)
PATCH_REFUSED = ProblemType(
    "patch_refused",
    422,
    "A guard rail refuses the change",
    "`errors.text` names the guard rail, and where the change breaks it.",
    example_members={"errors": {"text": ["new_link: shop.example"]}},
)
LEARNING_GATE_CLOSED = ProblemType(
    "learning_gate_closed",
    409,
    "A gate is closed",
    "`gate` is the first that keeps the assistant from tuning itself, `gate_reason` says why.",
    example_members={"gate": "widget", "gate_reason": "autonomous_tuning_disabled"},
    members={"gate": STRING, "gate_reason": STRING},
)
LEARNING_CYCLE_RUNNING = ProblemType(
    "learning_cycle_running",
    409,
    "A cycle is under way",
    "A cycle of the assistant is queued or running. It takes five minutes at most.",
)
