"""The cabinet's names of a widget's settings: those of the table (`rules.fields`), in sections."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from apps.widget.rules.fields import TRANSLATIONS, WRITABLE

Words = str | Promise

LABELS: Mapping[str, Words] = {
    "widget_position": _("Corner"),
    "widget_offset_x": _("Launcher: from the side, px"),
    "widget_offset_y": _("Launcher: from the bottom, px"),
    "widget_chat_offset_x": _("Chat: from the side, px"),
    "widget_chat_offset_y": _("Chat: from the bottom, px"),
    "widget_chat_width": _("Chat: width, px"),
    "widget_chat_height": _("Chat: height, px"),
    "widget_button_size": _("Size of the launcher"),
    "widget_z_index": _("Layer on the page (z-index)"),
    "icon_preset": _("Icon"),
    "icon_custom_animated": _("Motion of the icon"),
    "widget_skin": _("Colours"),
    "widget_accent_color": _("Accent colour"),
    "widget_color_scheme": _("Light or dark"),
    "operators_display_mode": _("Operators in the header"),
    "widget_name": _("Title"),
    "widget_signature": _("Line below the title"),
    "widget_greeting": _("Greeting"),
    "widget_sound": _("Sound"),
    "widget_show_launcher": _("Launcher"),
    "widget_show_greeting": _("Greeting (shown)"),
    "widget_show_status": _("Online or away"),
    "widget_show_typing": _("“Is typing”"),
    "widget_show_preview": _("Preview of an answer"),
    "widget_show_title_count": _("Count in the page's title"),
    "widget_show_files": _("Files"),
    "widget_show_rating": _("Rating"),
    "widget_show_offline_form": _("Form while nobody is there"),
    "widget_show_departments": _("Choice of a department"),
    "widget_show_messengers": _("Links to messengers"),
    "widget_show_lang_switcher": _("Menu of languages"),
    "widget_default_language": _("Language"),
    "widget_supported_languages": _("Languages that visitors may have"),
    "widget_fallback_language": _("Language for all others"),
    "widget_content_source_language": _("Language of your texts"),
    "widget_auto_translate_custom_texts": _("Translate your texts by AI"),
}
HELP: Mapping[str, Words] = {
    "icon_preset": _("Yours are added on the page “Icons”."),
    "widget_accent_color": _("Such as #2f6b3c; empty: that of the colours."),
    "widget_name": _("Empty: the widget's name."),
    "widget_greeting": _("Empty: a text of ours in the visitor's language."),
    "widget_default_language": _("“auto” follows the visitor's browser."),
    "widget_show_launcher": _("Off: the page opens the chat by itself, with Parley.open()."),
    "widget_sound": _("A tone for an answer while the chat is closed or hidden."),
    "widget_auto_translate_custom_texts": _("By the widget's own AI key."),
}
VALUES: Mapping[str, Words] = {
    "true": _("on"),
    "false": _("off"),
    "right": _("right"),
    "left": _("left"),
    "auto": _("automatic"),
    "light": _("light"),
    "dark": _("dark"),
    "static": _("still"),
    "spin": _("turns"),
    "spiral": _("turns and breathes"),
    "faces_and_names": _("faces and names"),
    "faces": _("faces"),
    "names": _("names"),
    "hidden": _("hidden"),
    "50": _("small"),
    "75": _("medium"),
    "100": _("large"),
}
SECTIONS: tuple[tuple[Words, tuple[str, ...]], ...] = (
    (_("Texts"), ("widget_name", "widget_signature", "widget_greeting")),
    (
        _("Look"),
        (
            *("widget_skin", "widget_accent_color", "widget_color_scheme", "operators_display_mode"),
            *("icon_preset", "icon_custom_animated", "widget_button_size", "widget_position"),
            *("widget_offset_x", "widget_offset_y", "widget_chat_offset_x", "widget_chat_offset_y"),
            *("widget_chat_width", "widget_chat_height", "widget_z_index"),
        ),
    ),
    (_("Shown"), tuple(each.name for each in WRITABLE if each.kind == "boolean" and not each.is_policy)),
    (_("Languages"), tuple(each.name for each in WRITABLE if each.is_policy and each.name != TRANSLATIONS)),
)
# What the rules refuse (`rules.translations`), which know no translations.
REFUSALS = (
    gettext_noop("This must not be blank."),
    # Of invitations to chat (`rules.patterns`, `rules.invitation_rules`, `rules.invitations`).
    gettext_noop("There is no text."),
    gettext_noop("A pattern has 1 to 500 characters."),
    gettext_noop("A pattern has no control characters, and no spaces at its ends."),
    gettext_noop("Begin with one slash, or with a host."),
    gettext_noop("Only pages of http and https are matched."),
    gettext_noop("A pattern begins with / or with a host, such as shop.example/sale*."),
    gettext_noop("A list of 1 to 20 patterns is expected."),
    gettext_noop("A list of 0 to 50 patterns is expected."),
    gettext_noop("A host is expected, such as *.google.com."),
    gettext_noop("A list of 1 to 20 hosts is expected."),
    gettext_noop("A list of 1 to 5 objects of conditions is expected."),
    gettext_noop("An object of conditions is expected."),
    gettext_noop("There is no `any` within `any`."),
    gettext_noop("It is less than `min`."),
    gettext_noop("An object of 1 to 10 members is expected."),
    gettext_noop("An object of 1 to 20 members is expected."),
    gettext_noop("A name has 1 to 64 characters."),
    gettext_noop("A text, number or boolean, a list of 1 to 20 of them, or null."),
    gettext_noop("An event's name has a to z, 0 to 9, _ . and -, begins with a letter, and has at most 64 characters."),
    gettext_noop("A code such as ru is expected."),
    gettext_noop("A list of 1 to 20 codes of languages is expected."),
    gettext_noop("There is no such operator."),
    gettext_noop("There is no such department for visitors."),
    gettext_noop("It is not after `starts_at`."),
)
DEVICE_NAMES: Mapping[str, Words] = {"desktop": _("On a computer"), "mobile": _("On a phone")}

# Where each platform takes the lines: its name, and the way there.
PLATFORMS = (
    ("WordPress", _("Install the plugin WPCode; Code Snippets → Header & Footer → Footer; paste, Save.")),
    ("Tilda", _("Site settings → More → HTML code for the head; paste, Save, and publish all pages.")),
    ("1C-Bitrix", _("Settings → Sites → Templates → your template; paste before the closing body tag, Save.")),
    ("Shopify", _("Online Store → Themes → … → Edit code → theme.liquid; paste before the closing body tag, Save.")),
    ("Google Tag Manager", _("Tags → New → Custom HTML; paste; trigger: All Pages; Submit.")),
    ("InSales", _("Settings → Counters and codes; paste into the field before the closing body tag, Save.")),
    ("Wix", _("Settings → Custom Code → Add; paste; all pages, at the end of the body; Apply.")),
    (_("Your own code"), _("The template of all pages; before the closing body tag.")),
)
FOUND = {
    "there": _("The widget is on that page."),
    "missing": _(
        "The page was read, and the widget's lines are not in it. If a tag manager puts them in, open the "
        "page in a browser and the chat on it: that counts, too."
    ),
    "unreachable": _("The page could not be read. Is the address right and public?"),
    "busy": _("Too many addresses are looked up now. Try again in a second."),
}
# The names of fields that no page has named: the audit trail shows them.
FIELD_WORDS = {
    "stored": gettext_noop("settings"),
    "legacy": gettext_noop("settings of the old widget"),
    "previous_until": gettext_noop("old signing key is valid until"),
    "found_on": gettext_noop("found on the page"),
    "purged_at": gettext_noop("cleared at"),
    "mail_answers": gettext_noop("answers by e-mail"),
    "asks_proof": gettext_noop("asks for a proof of work"),
    "animated": gettext_noop("moves"),
    "width": gettext_noop("width"),
    "height": gettext_noop("height"),
}
