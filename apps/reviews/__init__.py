"""Reviews: chats that people score by a scorecard, with a machine's suggestion whose quotes stand in the chat.

Owns scorecards and their versions, the weekly picking, reviews, and the scores of a model that nobody confirmed. It
does not own episodes (`reports`), nor the job that asks a model (`assists`).
"""
