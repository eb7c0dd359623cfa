"""Accounts: who owns the service's tenants, and who may act for them.

Owns: the account, its widgets (a widget is the tenant), cabinet users, API tokens and their scopes, the widget's API
switch, its seats. Does not own: operators as people of a widget (agents), a widget's looks (widget).
"""
