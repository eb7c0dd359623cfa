"""Support: a company's own application talks to the service, and support agents answer its customers at a desk.

Owns: the binding of an application with its signed calls (assistant turns, speech, tickets, accounts tied to chats),
tickets and their states, and the settings of the support desk. Does not own: the models that are asked (ai), nor the
chats and messages themselves (chats).
"""
