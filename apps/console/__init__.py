"""Console: where operators work.

Owns: operators' sign-in and sign-out, tickets, the operator's websocket and with it who is online, the console's pages.
Does not own: operators and the record of their presence (agents), the conversation (chats), the cabinet (accounts).
"""
