from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.ai.labels import FIELD_WORDS
from apps.core import plugins


class AiConfig(plugins.ParleyAppConfig):
    name = "apps.ai"
    label = "ai"
    verbose_name = gettext_lazy("AI")
    plugin = plugins.Plugin(
        field_words=FIELD_WORDS,
        jobs=(
            plugins.Job(_("forget old exchanges"), "apps.ai.tasks.forget_old_exchanges", timedelta(hours=1)),
            plugins.Job(_("run test questions after a change"), "apps.ai.tasks.evaluate_changes", timedelta(minutes=1)),
            plugins.Job(_("show that external operators type"), "apps.ai.tasks.show_typing", timedelta(seconds=4)),
            plugins.Job(
                _("put away what is over of external operators"),
                "apps.ai.tasks.put_external_operators_away",
                timedelta(minutes=1),
            ),
        ),
        presets=(plugins.ScopePreset("ai_setup", _("AI setup"), 10),),
        scopes=(
            plugins.Scope(
                "ai:read",
                _("AI"),
                _("read assistants, configuration, alerts, learning and wishes"),
                presets=("ai_setup",),
            ),
            plugins.Scope(
                "ai:write",
                _("AI"),
                _("create and update assistants, settings, operators and prompts"),
                sensitive=True,
                presets=("ai_setup",),
            ),
            plugins.Scope(
                "ai:apply",
                _("AI"),
                _("apply, tune and revert improvements of a live persona"),
                sensitive=True,
                presets=("ai_setup",),
            ),
            plugins.Scope(
                "ai:credentials:write",
                _("AI"),
                _("store credentials of model vendors; bind the integration"),
                sensitive=True,
            ),
            plugins.Scope("responder:inject", _("AI"), _("inject a reply as an external AI operator"), sensitive=True),
            plugins.Scope("responder:escalate", _("AI"), _("hand a chat off with such a reply"), sensitive=True),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.ai.models import AiSettings, Assistant, Credential, EvaluationCase, ExternalOperator
        from apps.ai.settings import SETTINGS

        watch(Assistant, "widget__account_id", without=("persona_version",))
        watch(AiSettings, "widget__account_id", labels=SETTINGS.labels)
        watch(Credential, "widget__account_id")
        watch(EvaluationCase, "widget__account_id")
        watch(ExternalOperator, "widget__account_id", without=("secret_version", "last_test"))
