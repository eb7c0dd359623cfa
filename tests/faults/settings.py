"""The project's settings for a web process of a test: as in production, but for hashed names of static files."""

from config.settings import *  # noqa: F403
from config.settings import STORAGES

STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
