"""The alerts that stand already have their sentence as a code, too, so their reader has it in their language.

Of a sentence its beginning counts, so that the wordings of former releases are known. What is not known stays as it is.
Alerts are few: a repetition is counted on the row that is there.
"""

import re

from django.db import migrations

BEGINNINGS = {
    "A visitor wrote, and no AI operator is able": "nobody_able",
    "A visitor wrote, and there is no active credential": "no_credential",
    "A visitor wrote, and the credentials are for the knowledge base alone": "none_for_answers",
    "A visitor wrote, and the credential names no model": "no_model",
    "Twenty AI messages in ten minutes": "reply_limit",
    "A model wanted a person, its classifier did not": "untrusted_handoff",
    "A model repeated the text that it was given": "leaked",
    "A backup credential answered": "backup_answered",
    "Three turns in a row went without an answer": "external_degraded",
    "Four fifths of the day's tokens": "budget_low",
    "The day's tokens are used up": "budget_exhausted",
    "After a change, test questions are answered worse": "answered_worse",
    "The server of the credential makes no embeddings": "no_embeddings",
    "The model of the knowledge base makes vectors that are longer": "vectors_too_long",
    "The provider makes no embeddings now: what is new": "new_without_vectors",
    "The provider makes no embeddings now: the knowledge for answers": "answers_without_vectors",
    "The assistant did worse with its new text": "text_rolled_back",
    "The vendor refused the key": "wrong_key",
    "The vendor does not let this key use the model": "not_allowed",
    "The account at the vendor has no money left": "no_money",
    "The vendor does not have this model": "model_gone",
    "No model answers at this address": "wrong_address",
    "What was sent is longer than the model's context": "too_long",
    "The vendor limits the calls of this key": "slow_down",
    "The vendor's server is overloaded": "overloaded",
    "No answer came in time": "timeout",
    "The server could not be reached": "unreachable",
    "The server did not take the request": "refused_request",
    "The vendor's filter did not let the question through": "filtered",
    "The server broke its answer off": "cut_off",
    "The model thought until its tokens were used up": "only_thoughts",
    "The server sent something else than an answer": "no_answer",
}
CAUSES = frozenset(list(BEGINNINGS.values())[-15:])
WITH_REASONS = {
    "given_up": re.compile(r"A reply was given up: it (.*)\. The chat was handed to people\."),
    "rail_refused": re.compile(r"A tuning cycle proposed what a guard rail refuses: (.*)\."),
}


def as_code(message):
    """The sentence's code and its values; None where no release said it so."""
    first, _, rest = message.partition("\n")
    for sentence, pattern in WITH_REASONS.items():
        if found := pattern.fullmatch(first):
            return sentence, {"reason": found[1]}
    sentence = _code_of(first)
    if sentence is None:
        return None
    if not rest:
        return sentence, {}
    cause = _code_of(rest)
    return sentence, {"cause": cause} if cause in CAUSES else {"model": rest}


def _code_of(line):
    return next((code for beginning, code in BEGINNINGS.items() if line.startswith(beginning)), None)


def name_sentences(apps, schema_editor):
    alerts = apps.get_model("ai", "Alert")._base_manager.using(schema_editor.connection.alias)
    for pk, message in alerts.filter(sentence="").values_list("pk", "message").iterator():
        if known := as_code(message):
            alerts.filter(pk=pk).update(sentence=known[0], values=known[1])


class Migration(migrations.Migration):
    dependencies = [("ai", "0015_alert_sentences")]

    operations = [migrations.RunPython(name_sentences, migrations.RunPython.noop, elidable=True)]
