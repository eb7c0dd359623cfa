"""Each operation that has a limit of its own says so, in words that are made of the limit itself."""

import re
from typing import Any

from apps.core.endpoints.routing import routed_operations
from apps.core.problems import problem_types
from tests.architecture.source import source_files

# What no call of the API is refused by, each with its reason. A new budget is a limit of an operation, or stands here.
OF_NO_OPERATION = {
    "accounts.invitations": "the cabinet's form",
    "accounts.password_mails": "the cabinet's form",
    "ai_replies_of_address": "visitors wait for their turn",
    "ai_replies_of_widget": "visitors wait for their turn",
    "article_feedback": "a page's form, not a call of the API",
    "assists_started": "the operation says so, and counts what is under way besides",
    "email_code_tries": "a code too many is answered like a wrong one",
    "email_codes_of_address": "no letter is sent",
    "email_codes_of_chat": "no letter is sent",
    "email_codes_of_mailbox": "no letter is sent",
    "email_codes_of_widget": "no letter is sent",
    "email_codes_wrong_a_day": "a code too many is answered like a wrong one",
    "email_codes_wrong_an_hour": "a code too many is answered like a wrong one",
    "letters.address": "letters wait",
    "letters.notice": "no e-mail is sent: the operator had one a moment ago",
    "letters.sessions": "a link that is opened too often: the operation of sessions has a limit of its own besides",
    "letters.widget": "letters wait",
    "mailbox_code_tries": "the cabinet's form",
    "mailbox_codes_of_widget": "the cabinet's form",
    "mailbox_codes_to_address": "the cabinet's form",
}
# 429 of calls that have no budget of so many in a time.
NO_BUDGETS = {
    "rate_limited": "the caller's requests a minute",
    "budget_exhausted": "the widget's tokens of the day, which its owner sets",
    "too_many_trials": "trials at a time of a widget, and the operation says so",
    "too_many_assists": "calls at a time, and starts a minute of an operator: the operation says both",
    "ai_budget_exhausted": "the widget's tokens of the day, which its owner sets",
    "room_reply_limit": "the desk's owner sets it, and the operation says so",
    "support_rate_limited": "the desk's owner sets it, and the operation says so",
    "provider_busy": "calls at a time",
    "provider_calls_busy": "calls at a time",
    "outbound_busy": "calls at a time",
    "typing_too_often": "one state of typing in five seconds of a chat",
}


def test_every_budget_is_a_limit_of_an_operation_or_refuses_none() -> None:
    limits = {quota.scope for routed in routed_operations() for quota in routed.operation.limits}
    sources = [path.read_text() for path in source_files("apps")]
    declared = {scope for source in sources for scope in re.findall(r'Quota\(\s*"([\w.]+)"', source)}
    assert declared - limits == OF_NO_OPERATION.keys()
    assert limits & OF_NO_OPERATION.keys() == set()


def test_an_operation_with_a_limit_says_it_and_refuses_by_it(document: dict[str, Any]) -> None:
    operations = {o["operationId"]: o for item in document["paths"].values() for o in item.values()}
    limited = 0
    for routed in routed_operations():
        for quota in routed.operation.limits:
            limited += 1
            (described,) = [o for o in operations.values() if o["summary"] == routed.operation.summary]
            said = f"**Limit:** {quota.limit} in any "
            assert said in described["description"], described["operationId"]
            assert quota.refusal.code in described["responses"]["429"]["description"]
    assert limited >= 18


def test_an_operation_that_is_refused_for_too_many_has_a_limit() -> None:
    without = {
        (routed.method, routed.path, problem.code)
        for routed in routed_operations()
        for problem in routed.problems
        if problem.status == 429 and problem.code not in NO_BUDGETS
        if problem not in [quota.refusal for quota in routed.operation.limits]
    }
    assert without == set()
    assert NO_BUDGETS.keys() <= problem_types().keys()


def test_a_limit_in_words() -> None:
    quotas = {quota.scope: quota.told for routed in routed_operations() for quota in routed.operation.limits}
    assert quotas["agents.invitations"] == "10 in any hour for a widget"
    assert quotas["billing.entity_writes"] == "10 in any hour for an account"
    assert quotas["app_tickets_of_account"] == "10 in any hour for a customer's account"
