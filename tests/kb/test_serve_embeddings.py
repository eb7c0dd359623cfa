"""`serve_embeddings`: the wire format of embeddings, by any function; the model itself is an optional requirement."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
import requests

from apps.kb.management.commands.serve_embeddings import MODEL, server_of
from tests.waits import AT_MOST_S


@pytest.fixture
def address() -> Iterator[str]:
    server = server_of(lambda texts: [[float(len(text)), 1.0] for text in texts], 0)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_it_speaks_the_wire_format(address: str) -> None:
    assert requests.get(f"{address}/v1/models", timeout=AT_MOST_S).json()["data"][0]["id"] == MODEL
    assert "embed" in MODEL, "by which a credential without a model finds it"
    answer = requests.post(f"{address}/v1/embeddings", json={"model": "any", "input": ["a", "bb"]}, timeout=AT_MOST_S)
    assert [one["embedding"] for one in answer.json()["data"]] == [[1.0, 1.0], [2.0, 1.0]]


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"input": []}', b'{"input": [1]}'])
def test_what_is_no_request_is_refused(address: str, body: bytes) -> None:
    assert requests.post(f"{address}/v1/embeddings", data=body, timeout=AT_MOST_S).status_code == 400
    assert requests.post(f"{address}/v1/other", data=body, timeout=AT_MOST_S).status_code == 404
