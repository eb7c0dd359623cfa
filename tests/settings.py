"""The project's settings for tests: a Redis database for each worker, and what only slows tests down taken out."""

import os
from urllib.parse import urlsplit

worker_number = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
os.environ["REDIS_URL"] = urlsplit(os.environ["REDIS_URL"])._replace(path=f"/{worker_number}").geturl()

from config.settings import *  # noqa: E402, F403
from config.settings import STORAGES  # noqa: E402

# Without collectstatic: plain names instead of hashed ones.
STORAGES = STORAGES | {"staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# A file is looked for when it is asked for: else each client that a test makes looks all of them through.
WHITENOISE_AUTOREFRESH = True
