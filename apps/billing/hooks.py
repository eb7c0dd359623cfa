"""Answers to other apps: plans, and the account's legal entities."""

from apps.accounts.questions import AccountHooks
from apps.billing.querysets import account_members, entitlements_of

TO_ACCOUNTS = AccountHooks(account_members=account_members, entitlements=entitlements_of)
