"""Events at a fixed rate, without HTTP: processes of a service's own code that post visitors' messages by the public
action (`chats.actions.post_client_message`), so that nothing but the machine holds the rate back.

The module is also the program that such a process runs: `python -m tests.faults.speakers GUID PER_S COUNT`.
"""

import json
import os
import subprocess
import sys
import threading
import time
import uuid

from config.environment import PROJECT_ROOT
from tests.run.service import Service

VISITORS = 4  # a process


def post(service: Service, guid: str, *, per_s: float, count: int, processes: int = 2) -> list[int]:
    """Posts so many messages to the widget, so many a second, by several processes at once; the messages' ids."""
    command = [sys.executable, "-m", "tests.faults.speakers", guid, str(per_s / processes), str(count // processes)]
    speakers = [
        subprocess.Popen(
            command,
            cwd=PROJECT_ROOT,
            env={**service.environ, "DJANGO_SETTINGS_MODULE": "config.settings"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for _ in range(processes)
    ]
    try:
        for speaker in speakers:
            assert speaker.stdout is not None
            assert speaker.stdout.readline() == b"ready\n"
        told = []
        for speaker in speakers:
            assert speaker.stdin is not None
            speaker.stdin.close()  # the start for all of them
        for speaker in speakers:
            assert speaker.stdout is not None
            told.append(json.loads(speaker.stdout.read()))
    finally:
        for speaker in speakers:
            speaker.kill()
            speaker.wait()
    return [id_ for ids in told for id_ in ids]


def speak(guid: str, per_s: float, count: int) -> None:
    """Waits for its standard input to end, posts, and writes the ids."""
    import django

    django.setup()
    from apps.accounts.models import Widget
    from apps.chats import actions

    widget = Widget.objects.get(guid=guid)
    contacts = [actions.create_contact(widget_id=widget.pk, about={"name": f"Speaker {n}"}) for n in range(VISITORS)]
    tell("ready")
    sys.stdin.read()
    ids, due = [], time.monotonic()
    for n in range(count):
        threading.Event().wait(max(0.0, due - time.monotonic()))
        content = {"type": "text", "body": "Is it open on Sunday?"}
        contact, client_id = contacts[n % VISITORS], uuid.uuid4()
        ids.append(actions.post_client_message(contact=contact, content=content, client_id=client_id).id)
        due += 1 / per_s
    tell(json.dumps(ids))


def tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    speak(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]))
