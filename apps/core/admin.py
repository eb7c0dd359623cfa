"""Tables that the cabinet does not show: those of beat. Apps declare jobs; the front page says when each ran."""

from django.contrib import admin
from django_celery_beat import models

admin.site.unregister(
    [
        models.ClockedSchedule,
        models.CrontabSchedule,
        models.IntervalSchedule,
        models.PeriodicTask,
        models.SolarSchedule,
    ]
)
