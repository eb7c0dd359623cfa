"""The words for people of what this app stores, marked for translation."""

from django.utils.translation import gettext_noop

# The names of fields that no page has named: the audit trail shows them.
FIELD_WORDS = {
    "server_id": gettext_noop("server"),
    "problem_code": gettext_noop("problem"),
    "problem_detail": gettext_noop("problem's details"),
    "problem_at": gettext_noop("time of the problem"),
    "last_inbound_at": gettext_noop("last message in"),
}

# Why a server of a mailbox cannot be used (`rules.server_problems`); `about` is its host, or the folder.
SERVER_PROBLEMS = {
    "login_refused": gettext_noop("%(about)s refuses the name or the password."),
    "app_password": gettext_noop("%(about)s wants a password for apps here, not the one that you sign in with."),
    "login_or_off": gettext_noop("%(about)s refuses the password, or mail programs are switched off for this mailbox."),
    "switched_off": gettext_noop("%(about)s has mail programs (IMAP and SMTP) switched off for this mailbox."),
    "passwords_off": gettext_noop("%(about)s lets no program in by a password."),
    "no_folder": gettext_noop("There is no folder “%(about)s”."),
    "unreachable": gettext_noop("%(about)s cannot be reached: look at the server's name and the port."),
    "no_tls": gettext_noop("%(about)s does not speak this encryption at this port, or its certificate is not valid."),
    "too_slow": gettext_noop("%(about)s does not answer in time: look at the port and the encryption."),
    "odd_answer": gettext_noop("%(about)s broke the talk off, or is no mail server."),
    "not_found": gettext_noop("No server was found by these names: %(about)s. Type its name."),
    "busy": gettext_noop("Too many servers are being asked right now. Try again in a minute."),
}
SIDES = {"imap": gettext_noop("Receiving (IMAP): %(text)s"), "smtp": gettext_noop("Sending (SMTP): %(text)s")}
# The first steps for customers of a provider (docs/guides/letters.md, with the sources).
PROVIDER_HINTS = {
    "google": gettext_noop(
        "Google: turn on 2-Step Verification, create an app password at myaccount.google.com/apppasswords and type it "
        "here."
    ),
    "yandex": gettext_noop(
        "Yandex 360: in the mail's settings under “Email clients” allow access by IMAP with app passwords, create one "
        "for mail at id.yandex.ru/security/app-passwords and type it here."
    ),
    "mail_ru": gettext_noop(
        "Mail.ru: in the settings under “Password and security” allow access by IMAP and SMTP, create a password for "
        "external apps at account.mail.ru/user/2-step-auth/passwords and type it here."
    ),
    "microsoft": gettext_noop(
        "Microsoft 365 lets no program read by a password. Have the mailbox redirect its e-mails to a mailbox of "
        "another provider and name that one here, and send by the service's own server."
    ),
}
