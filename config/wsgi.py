"""The WSGI application, which the web process serves (`config.web`)."""

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from django.core.wsgi import get_wsgi_application

django_application = get_wsgi_application()

from django.apps import apps as django_apps  # noqa: E402
from django.conf import settings  # noqa: E402

from apps.core.database.base import limit_statements  # noqa: E402 - once Django is set up
from config.direct import Application, DirectApplication  # noqa: E402

limit_statements(settings.WEB_STATEMENT_SECONDS)  # somebody waits

application: Application = DirectApplication(django_application)
if django_apps.is_installed("apps.articles"):
    from config.own_domains import OwnDomains

    application = OwnDomains(application)
