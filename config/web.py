"""The web process: `python -m config.serving config.web:application`, the WSGI application in WEB_THREADS threads."""

import sys
import traceback

from uvicorn.config import STARTUP_FAILURE

from config.loop import Living
from config.open_files import allow_all
from config.serving.threaded import ThreadedWSGI

try:
    from config.wsgi import application as wsgi_application
except BaseException as error:  # uvicorn starts a worker anew, again and again, unless it ends with this status
    if isinstance(error, SystemExit):
        sys.stderr.write(f"{error.code}\n")
    else:
        traceback.print_exc()
    sys.exit(STARTUP_FAILURE)

from django.conf import settings

from apps.core.observability import sandbox
from apps.core.redis import last_requests
from apps.egress import outbound_waits

allow_all()
last_requests.begin()
sandbox.show(sandbox.tried_layers())
served = ThreadedWSGI(wsgi_application, settings.WEB_THREADS)
outbound_waits.on_wait = served.let_another_work
application = Living(served, "web", settings.PULSE_DIR)
