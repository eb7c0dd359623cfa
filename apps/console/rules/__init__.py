"""The console's rules: tickets, push messages, the counts of chats, canned replies, limits. Pure."""
