"""Letters: chats that go on by mail, both ways, and the letters that wake operators.

Owns: threads with an addressee, letters out and in, mailboxes as channels, which addresses are proven, dead or
stopped, and the settings of a widget's letters. Does not own: the chats and contacts (chats), the visitor's calls
(widget), codes that prove a mailbox (support), how any other mail of the service is sent (core).
"""
