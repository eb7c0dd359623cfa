"""The text guard: whether a support agent's answer may be sent to a customer, and which of its links stand in the way.

Pure: a text and the owner's catalogue go in, the text as it is stored comes out, or a refusal. The rules are for people
in docs/guides/answers-of-agents.md (specification: endpoints "Support agents", reply rules 2 and 3).

    normalise   the exact text that is checked, sent and stored; what may not be in it
    views       the same text as a messenger or a browser would read it
    ai.rules.links   the parts of a view that would become a link
    allow       whether a link is one of the owner's
"""

from apps.ai.rules.links import Token
from apps.support.rules.guard.allow import Catalogue
from apps.support.rules.guard.judge import GuardFailed, LinksRefused, checked
from apps.support.rules.guard.normalise import MAX_LENGTH, TextRefused

__all__ = ["MAX_LENGTH", "Catalogue", "GuardFailed", "LinksRefused", "TextRefused", "Token", "checked"]
