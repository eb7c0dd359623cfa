"""The problems of custom channels, providers, communities and ad cabinets."""

from django.utils.translation import gettext_noop as _

from apps.core.problems import ProblemType

CHANNEL_DISABLED = ProblemType(
    "channel_disabled",
    409,
    "The channel is disabled",
    "A disabled channel takes no messages, and none are sent to it. Enable it in the cabinet.",
)
PROVIDER_NOT_WRITABLE = ProblemType(
    "provider_not_writable",
    422,
    "The provider is not connected this way",
    "`vk` is connected by its communities, `custom` by custom channels. Both can be read, and removed whole.",
)
PROVIDER_NOT_VERIFIABLE = ProblemType(
    "provider_not_verifiable",
    422,
    "There is nothing to verify",
    "A custom channel's address is registered nowhere: your own code delivers to it.",
)
CREDENTIAL_REJECTED = ProblemType(
    "credential_rejected",
    422,
    "The provider rejects the credential",
    "The provider was asked and says that the credential is wrong. Nothing was stored.",
    for_people=_("The messenger says that the key is wrong. Nothing was stored."),
)
PAID_PLAN_REQUIRED = ProblemType(
    "paid_plan_required",
    409,
    "A paid plan is needed",
    "Connecting, verifying and enabling need a paid plan. Reading and removing never do.",
    for_people=_("Messengers need a paid plan."),
)
MESSENGER_NOT_CONNECTED = ProblemType(
    "messenger_not_connected",
    409,
    "The messenger is not connected",
    "There is no credential that could be verified. Store one with PUT; of VK, add a community.",
)
MESSENGER_ACCOUNT_IN_USE = ProblemType(
    "messenger_account_in_use",
    409,
    "The bot is connected to another widget",
    "Telegram tells one address of a bot's messages. Disconnect the bot there first, or make another.",
    for_people=_("This bot is connected to another widget."),
)
COMMUNITY_EXISTS = ProblemType(
    "community_exists",
    409,
    "The community is connected already",
    "The widget has this community. To give it another key, remove it first.",
    for_people=_("This community is connected already."),
)
AD_SLOTS_EXHAUSTED = ProblemType(
    "ad_slots_exhausted",
    409,
    "No slot for an ad cabinet is free",
    "The plan says how many ad cabinets may be enabled. Disable another one, or buy a slot.",
    for_people=_("The plan has no free place for another ad cabinet."),
)
MESSENGER_RATE_LIMITED = ProblemType(
    "messenger_rate_limited",
    429,
    "Too many calls of messengers",
    "A widget connects, verifies and removes messengers 10 times in any minute. Wait for the seconds in `Retry-After`.",
    for_people=_("Too many attempts. Try again in a minute."),
)
PROVIDER_CALLS_BUSY = ProblemType(
    "provider_calls_busy",
    429,
    "Too many calls of providers are under way",
    "Too many requests wait for providers. Nothing was called. Try again a moment later.",
    for_people=_("Too much waits for messengers just now. Try again in a moment."),
)
NOT_PROVEN = ProblemType(
    "hook_not_proven",
    403,
    "The call proves nothing",
    "A call of a callback address carries what the provider was told, or signs its body. This one does neither.",
)
# Of every write that may call a provider.
CALL_PROBLEMS = (MESSENGER_RATE_LIMITED, PROVIDER_CALLS_BUSY)
PROVIDER_UNREACHABLE = ProblemType(
    "provider_unreachable",
    502,
    "The provider could not be asked",
    "The provider did not answer, or said nothing that could be understood. Nothing was stored.",
    for_people=_("The messenger could not be asked. Nothing was stored."),
)
PROVIDER_NOT_CONFIRMED = ProblemType(
    "provider_not_confirmed",
    502,
    "The provider did not confirm",
    "The provider has not confirmed that it removed the callback server. The community is still there; try again.",
    for_people=_("VK does not confirm that it has stopped delivering. Nothing was changed."),
)
