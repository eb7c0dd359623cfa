"""The cabinet's pages of the support desk, by noun."""

from apps.support.admin.bindings import BindingAdmin
from apps.support.admin.settings import SupportDeskAdmin
from apps.support.admin.steps import SupportActionAdmin
from apps.support.admin.tickets import TicketAdmin

__all__ = ["BindingAdmin", "SupportActionAdmin", "SupportDeskAdmin", "TicketAdmin"]
