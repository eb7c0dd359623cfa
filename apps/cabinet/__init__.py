"""The cabinet: the pages of an account's people and of who runs the installation.

It owns what every page stands on (whose rows are seen, the menu, the search, forms, errors, the front page), the way in
(sign-in, invitations, new passwords), and the pages of accounts, people, widgets, tokens and the audit trail. It has no
tables: those are `accounts`'. Pages of the apps above are those apps' own.
"""
