"""Answers and request bodies of chats, messages, contacts and files."""
