"""Cards from the shop's own system: what a shop's program shows operators beside a chat, and its buttons.

Owns the settings, the signed calls, what is kept of the answers (encrypted, for 24 hours at most) and what became of a
button. How a card is drawn is the console's matter.
"""
