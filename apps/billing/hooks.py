"""Answers to other apps: plans, and the account's legal entities."""

from apps.billing.querysets import account_members, entitlements_of
from apps.core.plugins import Hooks

HOOKS = Hooks(account_members=account_members, entitlements=entitlements_of)
