"""Agents: the operators of a widget (human, AI, webhook) as its people.

Owns: operators, departments, presence. Does not own: how a person signs in (accounts), what an AI operator says (ai),
who a chat belongs to (chats).
"""
