"""The cabinet's pages of learning, by noun."""

from apps.learning.admin.demand import DemandTopicAdmin
from apps.learning.admin.tuning import CycleAdmin, LearningSwitchAdmin, TunedAssistantAdmin
from apps.learning.admin.wishes import WishAdmin

__all__ = ["CycleAdmin", "DemandTopicAdmin", "LearningSwitchAdmin", "TunedAssistantAdmin", "WishAdmin"]
