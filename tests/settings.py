"""The project's settings, with what only slows tests down taken out."""

from config.settings import *  # noqa: F403
from config.settings import STORAGES

# Without collectstatic: plain names instead of hashed ones.
STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
