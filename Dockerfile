# This image has not been run by the project: its checks have no container engine. What they do compare with the rest of
# the project is in tests/architecture/test_guides.py. docs/guides/deployment.md explains it.
FROM python:3.11-slim-bookworm

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PYTHONFAULTHANDLER=1 PIP_NO_CACHE_DIR=1 \
    PARLEY_HOME=/srv/parley/var BIND=0.0.0.0 PROMETHEUS_MULTIPROC_DIR=/tmp/metrics PULSE_DIR=/tmp/pulse
WORKDIR /srv/parley

# Scans are read where KB_OCR_LANGUAGES names languages.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends tesseract-ocr tesseract-ocr-rus tesseract-ocr-deu tesseract-ocr-spa \
    && rm -rf /var/lib/apt/lists/*

COPY requirements/production.txt requirements/production.txt
RUN pip install -r requirements/production.txt

COPY . .
RUN SECRET_KEY=build FIELD_ENCRYPTION_KEYS=YnVpbGQtb25seS1idWlsZC1vbmx5LWJ1aWxkLW9ubHk= \
    DATABASE_URL=postgresql://none@127.0.0.1/none REDIS_URL=redis://127.0.0.1 \
    python manage.py collectstatic --noinput --verbosity 0 \
    && useradd --system --no-create-home parley \
    && install -d -o parley var var/media var/mail /tmp/metrics /tmp/pulse

USER parley
VOLUME /srv/parley/var/media
EXPOSE 8000 8001

# The name of a Procfile line: web, realtime, worker or beat.
ENTRYPOINT ["sh", "-c", "eval \"$(sed -n \"s/^$0: //p\" Procfile)\""]
CMD ["web"]
