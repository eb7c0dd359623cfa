from datetime import timedelta

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from apps.core import plugins
from apps.letters.labels import FIELD_WORDS


class LettersConfig(plugins.ParleyAppConfig):
    name = "apps.letters"
    label = "letters"
    verbose_name = gettext_lazy("E-mails")
    plugin = plugins.Plugin(
        for_everybody=(
            "mail.py",
            "templates/letters/answers_mail",
        ),
        field_words=FIELD_WORDS,
        jobs=(
            plugins.Job(_("mail unseen answers"), "apps.letters.tasks.mail_unseen_answers", timedelta(minutes=1)),
            plugins.Job(_("wake operators by mail"), "apps.letters.tasks.wake_operators", timedelta(minutes=1)),
            plugins.Job(
                _("read e-mails that were left"), "apps.letters.tasks.read_what_was_left", timedelta(minutes=1)
            ),
            plugins.Job(_("forget old e-mails"), "apps.letters.tasks.forget_old_letters", timedelta(hours=1)),
        ),
    )

    def ready(self) -> None:
        super().ready()
        from apps.accounts.audit.trail import watch
        from apps.letters.models import LetterSettings, Mailbox
        from apps.letters.settings import SETTINGS

        labels = SETTINGS.labels
        watch(LetterSettings, "widget__account_id", without=("updated_at",), labels=labels, title=_("e-mail settings"))
        watch(
            Mailbox,
            "widget__account_id",
            without=("last_inbound_at", "proof_letter", "proof_code", "proof_asked_at"),
        )
