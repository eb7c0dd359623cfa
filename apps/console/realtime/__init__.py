"""The realtime process's part for operators: their open sockets, a widget's inbox, the chats that tabs have open.

Like the visitors', it reads by position from the database when a broadcast tells of something, and every few seconds.
"""
