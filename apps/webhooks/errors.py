from django.utils.translation import gettext_noop as _

from apps.core.problems import ProblemType

# The specification names the condition (“unique-constraint”), not a code.
WEBHOOK_URL_TAKEN = ProblemType(
    "webhook_url_taken",
    409,
    "The url has a subscription",
    "The widget has a webhook subscription for this url already. Change that one, or delete it first.",
    for_people=_("This address has a webhook already."),
)
