"""The cabinet's pages of money, plans, invoices and legal entities."""

from apps.billing.admin import entities, invoices, money, plans

__all__ = ["entities", "invoices", "money", "plans"]
