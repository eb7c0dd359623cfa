"""The guides are served, each link in them leads somewhere, and what they are about leads to them."""

import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from apps.documentation.library import FOLDER
from apps.documentation.parts import parts
from apps.documentation.rules.catalogue import GUIDES, SECTIONS, guide_of, guide_of_webhook
from apps.documentation.rules.pages import render
from apps.documentation.views import documents
from config.environment import PROJECT_ROOT

each_guide = pytest.mark.parametrize("name", GUIDES)
# Links of the Markdown to what only who runs the service needs: on the page their words stay, without a link.
NOT_SERVED = {
    "guides/backup.md", "guides/billing.md", "guides/cabinet.md", "guides/configuration.md", "guides/deployment.md",
    "guides/export.md", "guides/learning.md", "guides/monitoring.md", "guides/personal-data.md", "guides/sandbox.md",
    "guides/scale.md", "guides/single-sign-on.md", "guides/upgrade.md", "events.md", "reliability.md",
}  # fmt: skip


def page(path: str) -> str:
    answer = Client().get(path)
    assert answer.status_code == 200, path
    return str(answer.content.decode())


def test_those_for_integrators_are_there() -> None:
    assert GUIDES.keys() >= {
        *("embedding", "webhooks", "external-operators", "application", "custom-channels", "support-agents"),
        *("mcp", "ai", "api-changelog", "deprecation"),
    }


def test_the_list_leads_to_each() -> None:
    shown = page("/api/docs/guides/")
    for heading, guides in SECTIONS.items():
        assert f"<h2>{heading}</h2>" in shown
        for guide in guides:
            assert f'href="/api/docs/guides/{guide.name}"' in shown
    assert Client().get("/api/docs/guides").headers["Location"] == "/api/docs/guides/"
    assert Client().get("/api/docs/guides/configuration").status_code == 404


@each_guide
def test_a_page_has_its_title_contents_and_our_own_address(name: str) -> None:
    shown, text = page(f"/api/docs/guides/{name}"), (FOLDER / GUIDES[name].file).read_text()
    assert f"<h1>{text.splitlines()[0].removeprefix('# ')}</h1>".replace("'", "&#x27;") in shown
    anchors = re.findall(r' id="([^"]+)"', shown)
    assert len(set(anchors)) == len(anchors)
    contents = re.findall(r'<li class="level-\d"><a href="#([^"]+)"', shown)
    assert set(contents) <= set(anchors)
    assert bool(contents) == (len(re.findall(r"^##{1,2} ", text, re.MULTILINE)) > 2)
    assert "https://chat.example.com" not in shown
    assert ("https://chat.example.com" in text) == (settings.PUBLIC_URL in shown)
    assert "not-run" not in shown


@each_guide
def test_each_link_leads_somewhere(name: str) -> None:
    shown = page(f"/api/docs/guides/{name}")
    for link in re.findall(r'<a href="([^"]+)"', shown):
        if link.startswith(("http://", "https://")):
            continue
        path, _, anchor = link.partition("#")
        there = page(path) if path else shown
        assert not anchor or f' id="{anchor}"' in there, link


def test_links_that_lose_their_target_are_those_for_who_runs_the_service() -> None:
    lost: set[str] = set()
    for guide in GUIDES.values():

        def seen(file: str) -> None:
            from apps.documentation.library import served_at

            assert (FOLDER / file).exists() or (PROJECT_ROOT / "docs" / file).resolve().exists(), file
            if served_at(file) is None:
                lost.add(file)

        render((FOLDER / guide.file).read_text(), guide.file, seen)
    assert {file for file in lost if not file.startswith(("adr/", "../"))} <= NOT_SERVED


def test_foreign_html_is_text_and_a_link_without_a_page_keeps_its_words() -> None:
    made = render("# T\n\n<b>x</b> [one](a.md) [two](b.md#c)\n", "guides/x.md", {"guides/b.md": "/b"}.get)
    assert made.html == '<p>&lt;b&gt;x&lt;/b&gt; one <a href="/b#c">two</a></p>\n'


def test_each_operation_and_webhook_that_a_guide_is_about_leads_to_it(document: dict[str, Any]) -> None:
    led: set[str] = set()
    for items, about in ((document["paths"], guide_of), (document.get("webhooks", {}), guide_of_webhook)):
        for path, item in items.items():
            for operation in item.values():
                guide = about(path)
                docs = operation.get("externalDocs")
                assert (docs["url"] if docs else None) == (
                    f"{settings.PUBLIC_URL}/api/docs/guides/{guide.name}" if guide else None
                )
                led |= {guide.name} if guide else set()
    assert led == {name for name, guide in GUIDES.items() if guide.about or guide.webhooks}


def test_every_document_is_in_the_viewer_with_the_guides() -> None:
    assert [document.name for document in documents()] == list(parts())
    shown = page("/api/docs")
    for document in documents():
        assert f'href="{document.page}"' in shown
    assert 'href="/api/docs/guides/"' in shown


def test_a_problems_page_has_code_remedy_operations_and_guides() -> None:
    shown = page("/problems/turn_closed")
    for text in ("turn_closed", "HTTP 409", "The turn ended without a reply", "/api/v1/ai/replies"):
        assert text in shown
    (operation,) = re.findall(r'href="/api/docs#operation/(\w+)">/api/v1/ai/replies<', shown)
    assert f"operationId: {operation}\n" in (FOLDER / "openapi.yaml").read_text()
    assert 'href="/api/docs/guides/external-operators"' in shown
    assert "Operations that may answer it" not in page("/problems/not_authenticated")


def test_a_sample_is_text_and_no_other_file_is_had() -> None:
    answer = Client().get("/api/docs/samples/application/sign.py")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content.decode() == (FOLDER / "samples/application/sign.py").read_text()
    for name in ("../guides/ai.md", "application/../../errors.md", "nothing.py"):
        assert Client().get(f"/api/docs/samples/{name}").status_code == 404


def test_what_is_served_is_in_the_image() -> None:
    """The image has the repository but for what `.dockerignore` names."""
    left_out = (PROJECT_ROOT / ".dockerignore").read_text().split()
    assert [name for name in left_out if name.startswith(("docs", "*.md", "**/*.md"))] == []
    assert "COPY . ." in (PROJECT_ROOT / "Dockerfile").read_text()
