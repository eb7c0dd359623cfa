from datetime import datetime

from apps.core.management.periodic import PeriodicCommand
from apps.learning.actions.probation import review_probations


class Command(PeriodicCommand):
    help = "Keeps or rolls back texts on probation, now or as of a moment (the beat job does the same every 5 minutes)."

    def run(self, as_of: datetime) -> str:
        return f"ended {review_probations(as_of=as_of)}"
