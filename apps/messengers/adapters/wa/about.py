"""WhatsApp: how it is shown and connected."""

from django.utils.translation import gettext_lazy as _

from apps.messengers.adapters.about import HANDSET, About

ABOUT = About(
    name="WhatsApp",
    listed=3,
    offered=2,
    picture="M12 2.5a9.5 9.5 0 0 0-8.2 14.3L2.5 21.5l4.8-1.3A9.5 9.5 0 1 0 12 2.5z" + HANDSET,
    steps=(
        _("At developers.facebook.com, make an app of the kind “Business” and add the product WhatsApp."),
        _("In “API Setup” copy the phone number id; it is no phone number."),
        _("In the business settings, give a system user a permanent token with whatsapp_business_messaging."),
        _("In “App settings → Basic” copy the secret of the app, and enter it below: it proves what the app delivers."),
        _("Save below, then enter the address and the verify token that are shown in “Configuration → Webhook”."),
        _("There, subscribe to the field “messages”."),
    ),
    key_hint=_("A permanent token of the WhatsApp Cloud API."),
    sid_label=_("phone number id"),
)
