"""How assistants come to their texts, and how these become better: templates of trades, what visitors asked in vain,
wishes of people, and tuning by what people answered.

Owns demand signals, wishes, cycles and probations. The text of an assistant, its versions and their history are `ai`'s:
this app changes them by `ai.actions.personas` alone.
"""
