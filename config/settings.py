"""Settings, all from the environment; `docs/guides/configuration.md` lists the variables."""

import os
import re
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.templatetags.static import static
from django.utils.translation import gettext_lazy as _

from apps.core import tokens
from config.environment import PROJECT_ROOT, Environment, InvalidSetting, hsts, parley_home, stop_with
from config.mail import FOLDER, TRIAL_REPLIES, default_sender, hook_key, inbox, mail_settings, reply_address, sender
from config.storage import S3, file_storage
from config.tags import TAGS
from config.version import VERSION as VERSION

BASE_DIR = PROJECT_ROOT
PARLEY_HOME = parley_home()

# Leaf apps (everything above automations) may be taken out; their routes, scopes, docs, events and jobs go with them.
LEAF_APPS = [
    "apps.webhooks",
    "apps.billing",
    "apps.messengers",
    "apps.letters",
    "apps.kb",
    "apps.ai",
    "apps.articles",
    "apps.learning",
    "apps.cards",
    "apps.assists",
    "apps.reports",
    "apps.reviews",
    "apps.support",
    "apps.widget",
    "apps.console",
    "apps.compat",
    "apps.mcp",
    "apps.demo",
]
# The demo is not for production: it is there only where PARLEY_WITH_DEMO says so, as `make run` does.
# `egress`, `extraction` and `leases` have no tables, commands or templates of their own, so they are not installed.
GROUND_APPS = [
    "apps.core",
    "apps.documentation",
    "apps.accounts",
    "apps.cabinet",
    "apps.agents",
    "apps.chats",
    "apps.routing",
    "apps.automations",
]
PARLEY_APPS = [*GROUND_APPS, *LEAF_APPS]

try:
    env = Environment(os.environ)
    DEBUG = env.boolean("DEBUG", False)
    SECRET_KEY, SECRET_KEY_FALLBACKS = env.text("SECRET_KEY"), env.items("SECRET_KEY_FALLBACKS")
    FIELD_ENCRYPTION_KEYS = env.fernet_keys("FIELD_ENCRYPTION_KEYS")
    DATABASE_URL, DATABASE = env.text("DATABASE_URL"), env.database("DATABASE_URL")
    # How long a statement may take: of a process that somebody waits for, and of workers and commands.
    WEB_STATEMENT_SECONDS = env.integer("WEB_STATEMENT_SECONDS", 10, minimum=1, maximum=300)
    WORKER_STATEMENT_SECONDS = env.integer("WORKER_STATEMENT_SECONDS", 30, minimum=1, maximum=3600)
    REDIS_URL = env.redis("REDIS_URL")
    PORT = env.integer("PORT", 8000, minimum=1, maximum=65535)
    REALTIME_PORT = env.integer("REALTIME_PORT", 8001, minimum=1, maximum=65535)
    PUBLIC_URL = env.url("PUBLIC_URL", f"http://localhost:{PORT}", schemes=("http", "https"))
    REALTIME_URL = env.url("REALTIME_URL", f"ws://localhost:{REALTIME_PORT}", schemes=("ws", "wss"))
    ALLOWED_HOSTS = env.hosts("ALLOWED_HOSTS")
    FILE_STORAGE = file_storage(env.text("STORAGE_URL", ""), PARLEY_HOME / "media")
    MAIL = mail_settings(env.text("EMAIL_URL", ""), PARLEY_HOME / "mail")
    DEFAULT_FROM_EMAIL = sender(env.text("DEFAULT_FROM_EMAIL", default_sender(urlsplit(PUBLIC_URL).hostname)))
    MAIL_IS_TRIAL = MAIL.backend == FOLDER and env.boolean("PARLEY_WITH_DEMO", False)
    MAIL_REPLY_ADDRESS = reply_address(env.text("MAIL_REPLY_ADDRESS", TRIAL_REPLIES if MAIL_IS_TRIAL else ""))
    MAIL_INBOX = inbox(env.text("MAIL_INBOX", ""))
    MAIL_HOOK_KEY = hook_key(env.text("MAIL_HOOK_KEY", ""))
    MAIL_AUTHSERV_ID = [one.strip().lower() for one in env.text("MAIL_AUTHSERV_ID", "").split(",") if one.strip()]
    MAIL_GATHER_SECONDS = env.integer("MAIL_GATHER_SECONDS", 20, minimum=0, maximum=110)
    EMAIL_TIMEOUT = env.integer("EMAIL_TIMEOUT", 10, minimum=1, maximum=60)
    EGRESS_ALLOW = env.items("EGRESS_ALLOW")
    DEMO_RECEIVER_PORT = env.integer("DEMO_RECEIVER_PORT", 0, minimum=0, maximum=65535)
    DEMO_MODEL_PORT = env.integer("DEMO_MODEL_PORT", 0, minimum=0, maximum=65535)
    API_RATE_LIMIT = env.integer("API_RATE_LIMIT", 600, minimum=1, maximum=10_000_000)
    VISITOR_RATE_LIMIT = env.integer("VISITOR_RATE_LIMIT", 120, minimum=1, maximum=10_000_000)
    WEB_WORKERS = env.integer("WEB_WORKERS", 2, minimum=1, maximum=256)  # the Procfile gives it to the server
    WEB_THREADS = env.integer("WEB_THREADS", 4, minimum=1, maximum=64)
    VISITOR_UPLOADS_MB = env.integer("VISITOR_UPLOADS_MB", 100, minimum=10, maximum=1_000_000)
    WIDGET_UPLOADS_MB = env.integer("WIDGET_UPLOADS_MB", 2000, minimum=10, maximum=10_000_000)
    MESSENGER_CALL_LIMIT = env.integer("MESSENGER_CALL_LIMIT", 10, minimum=1, maximum=1_000_000)
    KB_MAX_RULES = env.integer("KB_MAX_RULES", 50_000, minimum=10, maximum=1_000_000)
    AI_DAILY_TOKEN_BUDGET = env.integer("AI_DAILY_TOKEN_BUDGET", 25_000_000, minimum=0, maximum=2**62)
    AI_REPLY_LIMIT = env.integer("AI_REPLY_LIMIT", 40, minimum=1, maximum=1_000_000)
    STT_MODEL = env.text("STT_MODEL", "gpt-4o-mini-transcribe")
    TTS_MODEL = env.text("TTS_MODEL", "gpt-4o-mini-tts")
    KB_OCR_LANGUAGES = env.text("KB_OCR_LANGUAGES", "")
    if not re.fullmatch(r"(?:[a-z_]{3,20}(?:\+[a-z_]{3,20}){0,9})?", KB_OCR_LANGUAGES):
        raise InvalidSetting("KB_OCR_LANGUAGES names languages of Tesseract, joined by +, such as rus+eng")
    KB_CRAWL_PAUSE = env.seconds("KB_CRAWL_PAUSE", 0.5, minimum=0, maximum=60)
    SOCKETS_PER_ADDRESS = env.integer("SOCKETS_PER_ADDRESS", 200, minimum=1, maximum=1_000_000)
    REQUIRE_TWO_FACTOR = env.boolean("REQUIRE_TWO_FACTOR", False)
    # As it stands: what an issuer is called is compared character by character.
    if OIDC_ISSUER := env.text("OIDC_ISSUER", ""):
        env.url("OIDC_ISSUER", schemes=("https", "http"))
    OIDC_CLIENT_ID = env.text("OIDC_CLIENT_ID", None if OIDC_ISSUER else "")
    OIDC_CLIENT_SECRET = env.text("OIDC_CLIENT_SECRET", None if OIDC_ISSUER else "")
    OIDC_NAME = env.text("OIDC_NAME", "OpenID Connect")
    OIDC_SCOPES = env.text("OIDC_SCOPES", "openid email profile")
    OIDC_GROUPS_CLAIM = env.text("OIDC_GROUPS_CLAIM", "groups")
    OIDC_ROLES = env.pairs("OIDC_ROLES", ("owner", "manager", "viewer"))
    OIDC_ACCOUNT = env.integer("OIDC_ACCOUNT", 0, minimum=0, maximum=2**62)
    if bool(OIDC_ACCOUNT) != bool(OIDC_ROLES):
        raise InvalidSetting("OIDC_ACCOUNT and OIDC_ROLES go together: whose people they are, and what they may do")
    OIDC_TRUST_EMAILS = env.boolean("OIDC_TRUST_EMAILS", False)
    OIDC_PASSWORDS = env.choice("OIDC_PASSWORDS", "owners" if OIDC_ISSUER else "all", ("all", "owners"))
    DELIVERY_LOG_DAYS = env.integer("DELIVERY_LOG_DAYS", 30, minimum=1, maximum=36_500)
    INVOICE_PAYEE = [line.strip() for line in env.text("INVOICE_PAYEE", "").split(";")]
    CELL = env.integer("CELL", 0, minimum=0, maximum=511)  # accounts/actions/numbers.py
    AUDIT_DAYS = env.integer("AUDIT_DAYS", 365, minimum=1, maximum=36_500)
    HSTS = hsts(env, is_https=PUBLIC_URL.startswith("https://"))
    TRUSTED_PROXIES = env.integer("TRUSTED_PROXIES", 0, minimum=0, maximum=10)
    METRICS_TOKEN = env.text("METRICS_TOKEN", "")
    PROMETHEUS_MULTIPROC_DIR = env.text("PROMETHEUS_MULTIPROC_DIR", "")
    PULSE_DIR = env.text("PULSE_DIR", "")
    SENTRY_DSN = env.sentry("SENTRY_DSN")
    LOG_FORMAT = env.choice("LOG_FORMAT", "json", ("json", "console"))
    LOG_LEVEL = env.choice("LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"))
    WITHOUT_APPS = env.some_of("PARLEY_WITHOUT_APPS", LEAF_APPS)
    if "apps.ai" in WITHOUT_APPS:
        WITHOUT_APPS = [*WITHOUT_APPS, "apps.learning", "apps.assists", "apps.support"]  # which stand on it
    if "apps.assists" in WITHOUT_APPS or "apps.reports" in WITHOUT_APPS:
        WITHOUT_APPS = [*WITHOUT_APPS, "apps.reviews"]  # whose suggestions are assists', and whose chats are episodes
    if "apps.kb" in WITHOUT_APPS:
        WITHOUT_APPS = [*WITHOUT_APPS, "apps.articles"]  # whose search is retrieval's
    if not env.boolean("PARLEY_WITH_DEMO", False):
        WITHOUT_APPS = [*WITHOUT_APPS, "apps.demo"]
    ACCESS_LOG = env.boolean("ACCESS_LOG", True)
except InvalidSetting as error:
    stop_with(error)

IS_HTTPS = PUBLIC_URL.startswith("https://")
ALLOWED_HOSTS = ALLOWED_HOSTS or ["localhost", "127.0.0.1", "[::1]"]
if (public_host := urlsplit(PUBLIC_URL).hostname) and public_host not in ALLOWED_HOSTS:
    ALLOWED_HOSTS.append(public_host)

INSTALLED_APPS = [
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "django.contrib.staticfiles",
    "django.forms",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_celery_beat",
    "channels",
    "django_otp",
    "auditlog",
    *(app for app in PARLEY_APPS if app not in WITHOUT_APPS),
]

MIDDLEWARE = [
    "config.middleware.RequestContextMiddleware",
    "apps.cabinet.probes.ProbesMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "config.middleware.FormLimitMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "apps.cabinet.tenant_admin.OwnLanguageMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "apps.cabinet.access.CabinetMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROOT_URLCONF = "config.urls"
APPEND_SLASH = True
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"
CELERY_APPLICATION = "config.celery.app"  # what wake-ups are sent with; a process loads it at its first one
# Widgets of forms are drawn by the templates here, too (`django/forms/widgets/attrs.html`).
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# One connection a thread, kept for the process's life. The engine is Django's, but waits for no server without end.
DATABASES: dict[str, dict[str, Any]] = {
    "default": {
        **DATABASE,
        "ENGINE": "apps.core.database",
        "CONN_MAX_AGE": None,
        "DISABLE_SERVER_SIDE_CURSORS": False,
    }
}
DATABASES["default"].setdefault("OPTIONS", {}).update(
    connect_timeout=2,
    # A host that has vanished is noticed, over TCP: 5 s after something was sent, 11 s into a long statement.
    tcp_user_timeout=5000,
    keepalives_idle=5,
    keepalives_interval=2,
    keepalives_count=3,
    # Statements are prepared after their second use; waits for a lock are bounded, so that a stuck writer is a
    # clear refusal and not a stuck worker.
    server_side_binding=True,
    prepare_threshold=2,
    options="-c lock_timeout=5s -c idle_in_transaction_session_timeout=60s",
)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
# Seconds for which the link of a forgotten password counts.
PASSWORD_RESET_TIMEOUT = 3600
if OIDC_ISSUER:
    AUTHENTICATION_BACKENDS = ["apps.accounts.sign_on.PasswordBackend", "apps.accounts.sign_on.ProviderBackend"]
LOGIN_URL, LOGIN_REDIRECT_URL = "/console/login/", "/console/"
# Django's PBKDF2, few at once.
PASSWORD_HASHERS = ["apps.core.hashing.Hasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

# The trail is kept in a table of ours, with the account of each line; the library's own is not made.
AUDITLOG_LOGENTRY_MODEL = "accounts.AuditEntry"
MIGRATION_MODULES = {"auditlog": None}

LANGUAGE_CODE = "en"
LANGUAGES = [
    ("ru", "Русский"),
    ("en", "English"),
    ("el", "Ελληνικά"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("ar", "العربية"),
    ("zh-hans", "中文"),
]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "Europe/Moscow"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = PARLEY_HOME / "static"
# Comes before the files of the apps: `static/unfold` takes the place of files that unfold loads by name.
STATICFILES_DIRS = [BASE_DIR / "static"]
# Whether files are read at the storage's own signed addresses, or through this service.
STORAGE_IS_REMOTE: bool = FILE_STORAGE["BACKEND"] == S3
STORAGES: dict[str, dict[str, Any]] = {
    "default": FILE_STORAGE,
    "staticfiles": {"BACKEND": "config.static.StaticStorage"},
}
WHITENOISE_USE_FINDERS = True

EMAIL_BACKEND, EMAIL_FOLDER = MAIL.backend, MAIL.folder
EMAIL_HOST, EMAIL_PORT = MAIL.host, MAIL.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL.user, MAIL.password
EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL.use_tls, MAIL.use_ssl

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_HTTPS
SECURE_SSL_REDIRECT = IS_HTTPS
# Only when asked for: a browser that was told keeps to it for that long, whatever else the host serves.
SECURE_HSTS_SECONDS, SECURE_HSTS_INCLUDE_SUBDOMAINS, SECURE_HSTS_PRELOAD = HSTS
SILENCED_SYSTEM_CHECKS = ["security.W004", "security.W005", "security.W021"]  # which ask for each of them
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
CSRF_FAILURE_VIEW = "apps.cabinet.error_pages.csrf_refused"
# What browsers may load and run for a page: nothing inline, nothing from elsewhere. A page that needs more says so
# beside its view, with decorators of django-csp.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "connect-src": [SELF],
        "base-uri": [NONE],
        # Signing out may end at the provider's own page.
        "form-action": [SELF, *(["{0.scheme}://{0.netloc}".format(urlsplit(OIDC_ISSUER))] if OIDC_ISSUER else [])],
        "frame-ancestors": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
FILE_UPLOAD_HANDLERS = [
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "config.page_uploads.UploadHandler",
]

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["apps.accounts.authentication.TokenAuthentication"],
    "DEFAULT_SCHEMA_CLASS": "apps.core.endpoints.openapi.OperationSchema",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Parley API",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    # The page that /api/docs begins with.
    "DESCRIPTION": (BASE_DIR / "config" / "front_page.md").read_text().replace("https://chat.example.com", PUBLIC_URL),
    "LICENSE": {"name": "Apache License 2.0", "identifier": "Apache-2.0"},
    "CONTACT": {"name": "The administrator of this installation", "url": PUBLIC_URL},
    "TAGS": TAGS,
    "SERVERS": [{"url": "/"}],
    "SERVE_AUTHENTICATION": [],
    "SERVE_INCLUDE_SCHEMA": False,
    "PATH_CONVERTER_OVERRIDES": {
        "id": {"type": "integer", "format": "int64", "minimum": 0},
        "guid": {"type": "string", "pattern": "^[0-9a-f]{32}$"},
    },
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "POSTPROCESSING_HOOKS": [
        "apps.core.endpoints.openapi.finish_document",
        "apps.documentation.openapi.add_guides",
    ],
}

# Celery only wakes workers: PostgreSQL rows are the queues, so a lost or doubled task loses and doubles nothing.
CELERY_BROKER_URL = REDIS_URL
CELERY_RESULT_BACKEND = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# A broker that is away, or answers with errors, ends no worker, however long.
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CHANNEL_ERROR_RETRY = True
# How long it is waited for, and after how much silence it is asked whether it is there: in both, well under 5 s.
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "socket_connect_timeout": 1,
    "socket_timeout": 2,
    "health_check_interval": 3,
    "max_retries": 1,
}
CELERY_BEAT_SCHEDULER = "config.beat:Scheduler"
CELERY_TIMEZONE = "UTC"
# A task takes seconds. One that does not end costs its process, and nothing else: rows are the queues.
CELERY_TASK_TIME_LIMIT = 900

UNFOLD = {
    "SITE_TITLE": _("Parley cabinet"),
    "SITE_HEADER": "Parley",
    "SITE_SYMBOL": "forum",
    "SITE_FAVICONS": [
        {"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("core/icon.svg")},
    ],
    "STYLES": [lambda request: static("core/tokens.css"), lambda request: static("accounts/cabinet.css")],
    "COLORS": {
        **tokens.source()["scales"],
        "font": {
            "subtle-light": tokens.token("soft"),
            "subtle-dark": tokens.token("soft", "dark"),
            "default-light": tokens.token("ink"),
            "default-dark": tokens.token("ink", "dark"),
            "important-light": tokens.token("ink"),
            "important-dark": tokens.token("ink", "dark"),
        },
    },
    "BORDER_RADIUS": tokens.token("r-m"),
    "SCRIPTS": ["apps.cabinet.error_pages.script_that_keeps", lambda request: static("accounts/scheme.js")],
    "SITE_URL": None,
    "SITE_SUBHEADER": "apps.cabinet.navigation.site_subheader",
    "SITE_DROPDOWN": "apps.cabinet.navigation.site_dropdown",
    "SIDEBAR": {"show_search": True, "command_search": True, "navigation": "apps.cabinet.navigation.sidebar"},
    "TABS": "apps.cabinet.navigation.tabs",
    "COMMAND": {"search_callback": "apps.cabinet.navigation.search"},
    "DASHBOARD_CALLBACK": "apps.cabinet.front_page.fill",
    "ACCOUNT": {"navigation": "apps.cabinet.navigation.account_navigation"},
}

# The cabinet's search would keep what it found for a person, past a change of their role: it finds it anew.
CACHES = {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}}

LOGGING_CONFIG = "apps.core.observability.logs.configure"
LOGGING = {"level": LOG_LEVEL, "format": LOG_FORMAT, "access_log": ACCESS_LOG}
