"""The first words to who begins a conversation without a word, in their language."""

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _


def hello(language: str) -> str:
    """The greeting in that language, or the installation's; `language` is a code such as `ru` or `en-GB`."""
    with translation.override(nearest(language)):
        return _("Hello! Write to us here: we answer in this chat.")


def nearest(code: str) -> str:
    """The nearest of the languages that there are texts in."""
    try:
        return translation.get_supported_language_variant(code or settings.LANGUAGE_CODE)
    except LookupError:
        return settings.LANGUAGE_CODE
