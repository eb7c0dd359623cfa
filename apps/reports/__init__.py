"""Reports: figures of episodes that open the chats behind them, the weekly letter, the asking for ratings.

Owns the rows that are derived of episodes, the policy of asking for ratings and its decisions. It does not own the
chats, messages, steps and ratings that episodes are read off (`chats`), nor the rule of an episode
(`chats/rules/episodes.py`).
"""
