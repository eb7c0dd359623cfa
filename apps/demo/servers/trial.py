"""`python -m apps.demo.servers.trial`: the tea shop of `make run`, played: its model, and the visitors who come to it.

Without Django, so that it is there at once and needs little.
"""

import argparse
import signal
import threading

from apps.demo.data.phrase_book import MODEL
from apps.demo.servers.played import PlayedRequest, PlayedServer, Says
from apps.demo.servers.tea_shop import answer
from apps.demo.servers.visitors import PlayedVisitors


class PlayedModel(PlayedServer):
    """The shop's model, in any wire format."""

    def hear(self, request: PlayedRequest) -> Says:
        made = answer(request)
        return made if isinstance(made, Says) else Says(made)


def say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a program's own lines


def main() -> None:
    parser = argparse.ArgumentParser(description="Plays a model on loopback, and visitors of one widget.")
    parser.add_argument("--port", type=int, required=True, help="of the model, on 127.0.0.1")
    parser.add_argument("--service", required=True, help="where the service is reached")
    parser.add_argument("--guid", required=True, help="of the widget that visitors come to")
    parser.add_argument("--without-visitors", action="store_true")
    given = parser.parse_args()
    model = PlayedModel(given.port)
    visitors = PlayedVisitors(given.service, given.guid, say=say)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    if not given.without_visitors:
        threading.Thread(target=visitors.run, daemon=True).start()
    model.serve(lambda: say(f"plays the model {MODEL} at {model.url}/v1"))
    visitors.stop()


if __name__ == "__main__":
    main()
