from datetime import datetime

from apps.core.management.periodic import PeriodicCommand
from apps.kb.actions.crawler import schedule_crawls


class Command(PeriodicCommand):
    help = "Queues the crawls whose time has come, now or as of a moment (the beat job runs the same every 5 minutes)."

    def run(self, as_of: datetime) -> str:
        return f"queued {schedule_crawls(as_of=as_of)}"
