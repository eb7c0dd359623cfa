"""The WSGI application, which the web process serves (`config.web`)."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.core.wsgi import get_wsgi_application

django_application = get_wsgi_application()

from django.conf import settings  # noqa: E402

from apps.core.database.base import limit_statements  # noqa: E402 - once Django is set up
from config.direct import DirectApplication  # noqa: E402

limit_statements(settings.WEB_STATEMENT_SECONDS)  # somebody waits

application = DirectApplication(django_application)
