"""The problems of automations and macros."""

from django.utils.translation import gettext_noop as _

from apps.core.problems import STRING, ProblemType, items_of

AUTOMATION_NOT_TRIED = ProblemType(
    "automation_not_tried",
    409,
    "This version of the automation was not tried",
    "Try it (`POST /v1/automations/{id}/try`) and look at the chats it names; then switch it on. Each change of "
    "`when`, `if`, `then` or `stop` is a new version.",
    for_people=_("Try the automation as it is now, then switch it on."),
)
AUTOMATION_LIMIT = ProblemType(
    "automation_limit",
    409,
    "There are too many automations",
    "A widget has at most 100 automations. Delete one that is not needed.",
    for_people=_("A widget has at most 100 automations. Delete one that is not needed."),
)
MACRO_LIMIT = ProblemType(
    "macro_limit",
    409,
    "There are too many macros",
    "A widget has at most 200 shared macros, and an operator 50 of their own. Delete one that is not needed.",
    for_people=_("There are too many macros. Delete one that is not needed."),
)
ALREADY_UNDONE = ProblemType(
    "already_undone",
    409,
    "The run was undone already",
    "A run is undone once; what it set and others changed since stays. Read the chat.",
    for_people=_("This was taken back already."),
)
MISSING = ProblemType(
    "missing",
    422,
    "The macro's text is not complete",
    "Something that the text names is not known, or a question was not answered; `missing` names it. Nothing was done: "
    "answer it in `inputs`, or send the text as `body`.",
    for_people=_("The text is not complete: something that it names is not known."),
    example_members={"missing": ["input.order"]},
    members={"missing": items_of(STRING)},
)
TOO_MANY_TRIALS = ProblemType(
    "too_many_trials",
    429,
    "Too many trials run at once",
    "At most 4 trials of a widget run at once. Each takes ten seconds at most: try it again then.",
    for_people=_("Other automations are being tried. Try it again in ten seconds."),
)
