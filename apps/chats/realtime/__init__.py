"""The realtime process's part for chats: it wakes on broadcasts, reads after positions, and shows each message once, in
order.

`hub` knows which sockets look at which chat, `feeds` reads for all sockets of a chat at once, `sockets` is the base of
the consumers of the apps above, `database` is how the event loop reaches PostgreSQL. See docs/adr/0006.
"""
