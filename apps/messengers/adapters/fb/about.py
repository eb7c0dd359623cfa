"""Facebook Messenger: how it is shown and connected."""

from django.utils.translation import gettext_lazy as _

from apps.messengers.adapters.about import About

ABOUT = About(
    name="Facebook Messenger",
    called="Messenger",
    listed=5,
    offered=10,
    picture=(
        "M12 3C6.5 3 2.5 6.7 2.5 11.2c0 2.5 1.2 4.7 3.3 6.2v4l3.6-2c.8.2 1.7.3 2.6.3 5.5 0 9.5-3.8 "
        "9.5-8.5S17.5 3 12 3zM6 13.7l5-5.2 2.5 2.5L18 8.5l-5 5.2-2.5-2.5z"
    ),
    steps=(
        _("At developers.facebook.com, make an app of the kind “Business” and add the product Messenger."),
        _("Join your page to it, and copy the page's token."),
        _("In “App settings → Basic” copy the secret of the app, and enter it below: it proves what the app delivers."),
        _("Save below, then enter the address and the verify token that are shown in “Webhooks”."),
        _("There, subscribe the page to the field “messages”."),
    ),
    key_hint=_("The page's token of the Messenger Platform."),
)
