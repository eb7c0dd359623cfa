"""Billing: what an account has paid for, and its money.

Owns: legal entities, the ledger, transactions, plan subscriptions, invoices, withdrawals. Does not own: accounts and
widgets (accounts); what a plan allows is asked through core's entitlements, which everything has without this app.
"""
