from django.utils.translation import gettext_noop as _

from apps.core.errors import USED_KEY_MEMBERS
from apps.core.problems import ID, STRING, ProblemType, items_of, members_of

ASSISTANT_IN_USE = ProblemType(
    "assistant_in_use",
    409,
    "An AI operator runs the assistant",
    "The assistant can't be deleted while an AI operator that is not retired runs it; `operators` names them. Have "
    "them run another assistant, or retire them first.",
    for_people=_("An AI operator runs this assistant: give that one another assistant first."),
    example_members={"operators": [{"id": 7, "name": "Flora"}]},
    members={"operators": items_of(members_of(id=ID, name=STRING))},
)
TOO_MANY_MODEL_LISTS = ProblemType(
    "too_many_model_lists",
    429,
    "Vendors were asked for their models often enough in this hour",
    "A widget may have vendors asked for their models 20 times in any hour. Nothing else is limited by it. Keep the "
    "list that you have, or wait for the number of seconds in `Retry-After`.",
    for_people=_("The vendor was asked for its models often enough. Try again in an hour."),
)
CREDENTIAL_INACTIVE = ProblemType(
    "credential_inactive",
    422,
    "The credential is not active",
    "A vendor is asked with active credentials alone. Set `is_active` to true first.",
    for_people=_("The key is switched off: switch it on first."),
)
PROVIDER_FAILURE = ProblemType(
    "provider_failure",
    502,
    "The AI provider failed",
    "No credential that was to be used gave an answer. `provider_reason` says why: `timeout`, `unreachable`, "
    "`rejected_key`, `rate_limited`, `model_not_found`, `bad_answer` or `server_error`.",
    for_people=_("The AI vendor did not answer. Try again, or look at the key."),
    example_members={"provider_reason": "rejected_key"},
    members={"provider_reason": STRING},
)
ASSISTANT_NOT_FOUND = ProblemType(
    "assistant_not_found",
    404,
    "There is no such assistant",
    "The widget has no assistant with this id. An id of another widget is answered alike.",
)
OPERATOR_NOT_FOUND = ProblemType(
    "operator_not_found",
    404,
    "There is no such operator",
    "The widget has no AI operator with this id that runs this assistant, or it is retired.",
)
AMBIGUOUS_OPERATOR = ProblemType(
    "ambiguous_operator",
    409,
    "Several operators run the assistant",
    "More than one AI operator runs the assistant. Say which one with `operator_id`.",
)
UNSUPPORTED_TRANSPORT = ProblemType(
    "unsupported_transport",
    409,
    "The operator can't be tested",
    "The operator is an external (webhook) one: its answers are made elsewhere, so nothing can be tested here.",
)
CREDENTIAL_UNAVAILABLE = ProblemType(
    "credential_unavailable",
    409,
    "No credential can be used",
    (
        "No active credential with a model was found: neither the operator's, the assistant's nor the widget's. Store"
        " one first; one of `openai_compatible` needs a `model`, or its assistant does."
    ),
    for_people=_("There is no key that works. Add one under AI, Keys."),
)
IDEMPOTENCY_REUSED = ProblemType(
    "idempotency_reused",
    409,
    "The idempotency key was used before",
    "The key names a test of the last 24 hours. Its answer is not kept, and a test is never repeated by itself: a new "
    "key is a new, paid test. `previous`, `same_request` and `first_used_at` are those of `idempotency_key_reused`.",
    example_members={"first_used_at": "2026-07-09T12:30:00.123456Z"},
    members=USED_KEY_MEMBERS,
)
TEST_RATE_LIMITED = ProblemType(
    "test_rate_limited",
    429,
    "Too many tests",
    "A widget has one test under way at a time, and at most 10 started in 60 seconds. Try again after `Retry-After` "
    "seconds.",
    for_people=_("Too many tests. Try again in a minute."),
)
ADMISSION_UNAVAILABLE = ProblemType(
    "admission_unavailable",
    503,
    "The test could not be admitted",
    "Whether a test may start could not be written down, so none was started and nothing was paid. Try again.",
)
TEST_UNAVAILABLE = ProblemType(
    "test_unavailable",
    503,
    "No test can run now",
    "As many calls wait for providers now as may. Nothing was paid. Try again in a moment.",
    for_people=_("No test can run now. Try again in a minute."),
)
TEST_BUDGET_EXHAUSTED = ProblemType(
    "test_budget_exhausted",
    504,
    "The test took too long",
    "A test makes at most 10 provider operations within 45 seconds, and there was no answer by then. The "
    "requests that were made have been paid, and the key stays used.",
    for_people=_("The test took too long."),
)
OPERATOR_NOT_REVOKED = ProblemType(
    "operator_not_revoked",
    409,
    "The external operator is not revoked",
    "Only a revoked external operator is deleted. Revoke it first, by its lifecycle.",
    for_people=_("Revoke it first."),
)
INVALID_TRANSITION = ProblemType(
    "invalid_transition",
    409,
    "The external operator can't do that now",
    "The lifecycle has no such move from the state that the operator is in; `state` and `action` name them.",
    for_people=_("This can't be done in the state that it is in now."),
    example_members={"state": "revoked", "action": "activate"},
    members={"state": STRING, "action": STRING},
)
ROTATION_UNDER_WAY = ProblemType(
    "rotation_under_way",
    409,
    "A rotation is under way",
    "While the old and the new secret both count, neither the address nor the secret changes. Wait for the rotation's "
    "end, or force it.",
    for_people=_("A change of the secret is under way already."),
)
NOT_ROTATING = ProblemType(
    "not_rotating",
    409,
    "No rotation is under way",
    "There is nothing to end: the operator has one secret.",
    for_people=_("No change of the secret is under way."),
)
TEST_IN_FLIGHT = ProblemType(
    "test_in_flight",
    409,
    "A test is under way",
    "An external operator has one test at a time. Read that one until it has finished.",
    for_people=_("A test is under way already."),
)
DELIVERY_UNAVAILABLE = ProblemType(
    "delivery_unavailable",
    503,
    "Nothing can be delivered",
    "The part of the service that delivers is not installed, so no test can be made.",
    for_people=_("Nothing can be delivered now."),
)
REPLY_BINDING_MALFORMED = ProblemType(
    "reply_binding_malformed",
    409,
    "The reply's frame is malformed",
    "The signed frame is two headers, `X-Service-Operator` and `X-Service-Signature`, both or neither; both where the "
    "operator requires signed replies.",
)
REPLY_BINDING_MISMATCH = ProblemType(
    "reply_binding_mismatch",
    409,
    "The reply is not this turn's",
    "The room, the operator that the token or the frame names, or the signature is not that of the turn. Nothing was "
    "consumed.",
)
REPLY_ALREADY_CONSUMED = ProblemType(
    "reply_already_consumed",
    409,
    "The turn was answered already",
    "A turn takes one reply. `previous` is what that one was answered.",
    example_members={
        "previous": {
            "causation_id": "5f0c8a1e-7a55-4a0c-9d0b-9f3f1a1c2b3d",
            "room_id": 7,
            "outcome": "message",
            "handoff_reason": None,
            "message_id": 42,
            "visible": True,
        }
    },
    members={
        "previous": members_of(
            causation_id=STRING,
            room_id=ID,
            outcome=STRING,
            handoff_reason={"type": ["string", "null"]},
            message_id={"type": ["integer", "null"], "format": "int64"},
            visible={"type": "boolean"},
        )
    },
)
TURN_CLOSED = ProblemType(
    "turn_closed",
    409,
    "The turn is over",
    "The turn ended without a reply. `reason` is `expired`, `delivery_failed`, `human_took_over`, `chat_closed`, "
    "`operator_stopped`, `abandoned` or `ai_disabled`.",
    example_members={"reason": "expired"},
    members={"reason": STRING},
)
TOO_MANY_CASES = ProblemType(
    "too_many_cases",
    409,
    "There are too many test questions",
    "A widget has at most 200 test questions. Delete one that is not needed.",
    for_people=_("A widget has at most 200 test questions. Delete one that is not needed."),
)
NO_CASES = ProblemType(
    "no_cases",
    409,
    "There are no test questions",
    "No active test question is for this assistant. Make one first, or switch one on.",
    for_people=_("There are no test questions for this assistant."),
)
EVALUATION_RUNNING = ProblemType(
    "evaluation_running",
    409,
    "An evaluation is under way",
    "An assistant is examined once at a time. Wait until the run that is under way has ended.",
    for_people=_("An evaluation is under way."),
)
NOTHING_TO_APPLY = ProblemType(
    "nothing_to_apply",
    409,
    "The run has no draft to apply",
    "Only a finished run of a draft is put live, once; the draft of a wish is, by approving the wish.",
    for_people=_("There is nothing here that could be put live."),
)
LOSES_CASES = ProblemType(
    "loses_cases",
    409,
    "The change loses test questions",
    "`lost` of the `of` questions were right before the change and are wrong with it. Read the run's results; to make "
    "the change all the same, send `accept_lost` with that number.",
    for_people=_("The change loses test questions: a person decides."),
    example_members={"lost": 2, "of": 40},
    members={"lost": {"type": "integer"}, "of": {"type": "integer"}},
)
PERSONA_CHANGED = ProblemType(
    "persona_changed",
    409,
    "Another version is live",
    "The assistant's text has changed since: the live version is not the one that was expected, or examined. Read it "
    "again.",
    for_people=_("The persona has changed meanwhile: look again."),
)
