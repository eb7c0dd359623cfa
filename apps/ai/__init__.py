"""AI: assistants, their credentials and operators, the phrases they use, and what they would answer.

Owns: what is asked of a vendor's model, and what becomes of its words. Does not own: how knowledge is found (kb) or the
widget drawn (widget), which it meets by the hooks of `core.plugins`; the chats themselves (chats). Evaluations and the
first steps read kb themselves, where it is installed (docs/adr/0027).
"""
