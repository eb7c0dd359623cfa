from datetime import datetime

from apps.core.management.periodic import PeriodicCommand
from apps.learning.actions.cycles import schedule_learning


class Command(PeriodicCommand):
    help = (
        "Queues the tuning cycles whose time has come, now or as of a moment (the beat job runs the same every hour)."
    )

    def run(self, as_of: datetime) -> str:
        return f"queued {schedule_learning(as_of=as_of)}"
