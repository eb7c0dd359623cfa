"""Articles: one text for AI, the widget and the pages of a help center.

Owns the help center of a widget, its articles with their texts by language, their versions, categories and pictures,
and when a text is published. It does not own the knowledge that AI answers from (`kb`), the widget (`widget`), or how
AI answers (`ai`): it meets them by events and hooks.
"""
