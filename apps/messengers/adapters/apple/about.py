"""Apple Messages: how it is shown and connected."""

from django.utils.translation import gettext_lazy as _

from apps.messengers.adapters.about import About

ABOUT = About(
    name="Apple Messages",
    listed=10,
    offered=11,
    picture=(
        "M4 4h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-7l-5 4v-4H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2zm2 4v2h12V8zm0 4v2h8v-2z"
    ),
    steps=(
        _("Register at register.apple.com as a business, with this service as the messaging service provider."),
        _("Enter the service provider id, its secret and the address of the gateway below."),
    ),
    key_hint=_("The API secret of the messaging service provider, in base64."),
    sid_label=_("service provider id"),
    is_rechecked=False,
    url_label=_("gateway"),
    url_hint=_("The address of the provider's gateway."),
)
