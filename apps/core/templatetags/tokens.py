from django import template

from apps.core.tokens import token

register = template.Library()
# `{% token "ink" %}`, `{% token "ink" "dark" %}`: for letters, which can't read custom properties.
register.simple_tag(token)
