from datetime import datetime

from apps.chats import actions
from apps.core.management.periodic import PeriodicCommand


class Command(PeriodicCommand):
    help = "Runs the idle sweep once, now or as of a moment (the beat job runs the same every 5 minutes)."
    judges = "judge idleness by"

    def run(self, as_of: datetime) -> str:
        swept = actions.sweep_chats(as_of=as_of)
        return f"expired {swept.expired}, reactivated {swept.reactivated}"
