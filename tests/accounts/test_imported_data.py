"""An export is data from outside: an import takes what the API or a form would take, and nothing of anybody else."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.postgres.fields import ArrayField
from django.core.management import CommandError, call_command
from django.db import models

from apps.accounts.actions import widget_export
from apps.accounts.actions.export_folder import ImportFailed
from apps.accounts.actions.imports import ImportOptions, import_widget
from apps.accounts.models import Account, ApiToken, Widget
from apps.ai.models import AiSettings
from apps.chats.models import Chat, Contact, File, Message
from apps.kb.models import Crawler
from apps.support.models import SupportSettings
from tests.cast import Rival
from tests.client import ApiClient, client
from tests.factories import AgentFactory, ApiTokenFactory, MessageFactory, plain_text
from tests.factories.files import FileFactory

pytestmark = pytest.mark.django_db

SECRET = b"SECRET_KEY=of-the-installation"
SWITCHED_ON = ImportOptions(with_seats=True, with_switches=True)
KEEPS_NUMBERS = ImportOptions(keep_numbers=True)


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of exports of this file's shops, as its tests find the same one."""
    return tmp_path_factory.mktemp("exports")


@pytest.fixture
def export(shop: Widget, chat: Chat, exports: Path, tmp_path: Path) -> Path:
    """The shop's export, of this test alone: a chat with a message of a file, and a question; the shop is gone."""
    made = exports / f"{shop.guid}-{chat.pk}"
    if not made.exists():
        export_shop(shop, chat, made)
    Widget.objects.filter(pk=shop.pk).delete()
    return Path(shutil.copytree(made, tmp_path / "export"))


def export_shop(shop: Widget, chat: Chat, directory: Path) -> None:
    file = FileFactory.create(widget=shop, contact=chat.contact, is_sent=True)
    details = {"file": {"id": file.pk, "name": file.name, "size": file.size, "content_type": file.content_type}}
    MessageFactory.create(chat=chat, type="file", body="", details=details)
    MessageFactory.create(chat=chat, body="Hello")
    call_command("export_widget", shop.guid, str(directory))


def changed(directory: Path, table: str, column: str, value: Any) -> None:
    """The last row of a table has another value in the export; without a row there is one of that value alone."""
    path = directory / f"{table}.jsonl"
    rows = [json.loads(line) for line in path.read_bytes().splitlines()] or [{}]
    rows[-1][column] = value
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def manifested(directory: Path, **values: Any) -> None:
    path = directory / "manifest.json"
    manifest = json.loads(path.read_bytes())
    manifest["widget"] |= values
    path.write_text(json.dumps(manifest))


def refused(account: Account, directory: Path, match: str, options: ImportOptions = SWITCHED_ON) -> None:
    """The import says why, and has written nothing."""
    tokens = ApiToken.objects.count()
    with pytest.raises(ImportFailed, match=match):
        import_widget(account=account, directory=directory, options=options)
    assert not Widget.objects.filter(account=account).exists()
    assert (File.objects.count(), Message.objects.count(), ApiToken.objects.count()) == (0, 0, tokens)


def linked(path: Path, target: Path) -> None:
    path.unlink()
    path.symlink_to(target)


def hard_linked(path: Path, target: Path) -> None:
    path.unlink()
    os.link(target, path)


def piped(path: Path, target: Path) -> None:
    path.unlink()
    os.mkfifo(path)


class TestFiles:
    @pytest.mark.parametrize("makes", [linked, hard_linked, piped])
    @pytest.mark.parametrize("name", ["files/*", "contacts.jsonl", "manifest.json", "complete.json"])
    def test_what_is_no_file_of_the_export_is_not_read(
        self, account: Account, export: Path, tmp_path: Path, makes: Callable[[Path, Path], None], name: str
    ) -> None:
        (path,) = export.glob(name)
        secrets = tmp_path / "secrets.json"
        secrets.write_bytes(path.read_bytes() if path.suffix == ".json" else SECRET)
        makes(path, secrets)
        refused(account, export, "leads out of it")

    def test_a_folder_that_leads_elsewhere(self, account: Account, export: Path, tmp_path: Path) -> None:
        (export / "files").rename(tmp_path / "elsewhere")
        (export / "files").symlink_to(tmp_path / "elsewhere")
        refused(account, export, "leads out of it")

    def test_an_account_has_no_export_that_is_a_link(self, account: Account, export: Path, tmp_path: Path) -> None:
        (tmp_path / "all").mkdir()
        (tmp_path / "all" / "one").symlink_to(export)
        with pytest.raises(CommandError, match="leads elsewhere"):
            call_command("move_account", "in", account.email, str(tmp_path / "all"))
        assert not Widget.objects.filter(account=account).exists()

    def test_bytes_that_are_missing_stay_missing(self, account: Account, export: Path) -> None:
        for path in (export / "files").iterdir():
            path.unlink()
        widget = import_widget(account=account, directory=export).widget
        assert File.objects.for_widget(widget.pk).count() == 1


class TestNumbers:
    @pytest.mark.parametrize("options", [ImportOptions(), KEEPS_NUMBERS])
    def test_a_message_names_no_file_of_another_tenant(
        self, account: Account, rival: Rival, export: Path, options: ImportOptions
    ) -> None:
        foreign = FileFactory.create(widget=rival.widget, name="набор.png", content=b"the rival's")
        file = {"id": foreign.pk, "name": "x", "size": 1, "content_type": "image/png"}
        changed(export, "messages", "details", {"file": file})
        widget = import_widget(account=account, directory=export, options=options).widget
        assert Message.objects.for_widget(widget.pk).latest("pk").details["file"]["id"] == 0

    @pytest.mark.parametrize("options", [ImportOptions(), KEEPS_NUMBERS])
    def test_a_word_of_an_automation_names_no_run(self, account: Account, export: Path, options: ImportOptions) -> None:
        changed(export, "messages", "details", {"run_id": 7})
        widget = import_widget(account=account, directory=export, options=options).widget
        assert Message.objects.for_widget(widget.pk).latest("pk").details == {}

    def test_an_answer_keeps_the_knowledge_that_it_rests_on(self, account: Account, export: Path) -> None:
        sources = [{"title": "Roses", "url": "http://shop.test/roses?id=1"}, {"title": "Care", "url": None}]
        changed(export, "messages", "details", {"sources": sources, "by_person": True})
        widget = import_widget(account=account, directory=export).widget
        kept = Message.objects.for_widget(widget.pk).latest("pk").details
        assert kept == {"sources": sources, "by_person": True}

    def test_a_foreign_number_in_a_message_leads_nowhere(self, shop: Widget, chat: Chat, rival: Rival) -> None:
        foreign = FileFactory.create(widget=rival.widget, content=b"the rival's")
        file = {"id": foreign.pk, "name": "x", "size": 1, "content_type": "image/png"}
        MessageFactory.create(chat=chat, type="file", body="", details={"file": file})
        api = ApiClient(plain_text(ApiTokenFactory.create(widget=shop)))
        (shown,) = api.get(f"/chats/{chat.pk}/messages").json()["data"]
        answer = client().get("/" + shown["url"].split("/", 3)[3])
        assert answer.status_code == 404

    @pytest.mark.parametrize("options", [ImportOptions(), KEEPS_NUMBERS])
    def test_settings_name_no_icon_of_another_tenant(
        self, account: Account, export: Path, options: ImportOptions
    ) -> None:
        changed(export, "widget_settings", "stored", {"icon_preset": "custom:7"})
        widget = import_widget(account=account, directory=export, options=options).widget
        assert widget_export.exported_of_widget(widget.pk)[0]
        assert "custom" not in str(widget_settings(widget))


def widget_settings(widget: Widget) -> Any:
    tables, _ = widget_export.exported_of_widget(widget.pk)
    return next(table.rows.get().stored for table in tables if table.name == "widget_settings")


class TestWhatIsGiven:
    def test_seats_are_the_installations(self, account: Account, export: Path) -> None:
        manifested(export, seats=5000)
        assert import_widget(account=account, directory=export).widget.seats == 3

    def test_seats_come_where_they_are_asked_for(self, account: Account, export: Path) -> None:
        manifested(export, seats=40)
        call_command("import_widget", str(export), account=account.email, with_seats=True)
        assert Widget.objects.get(account=account).seats == 40

    def test_more_people_than_seats_open_no_widget(self, account: Account, shop: Widget, tmp_path: Path) -> None:
        for number in range(5):
            AgentFactory.create(widget=shop, name=f"Agent {number}", role="operator")
        manifest = tmp_path / "export"
        call_command("export_widget", shop.guid, str(manifest))
        manifested(manifest, seats=40)
        with pytest.raises(ImportFailed, match="seats; --with-seats"):
            import_widget(account=account, directory=manifest)
        done = import_widget(account=account, directory=manifest, options=ImportOptions(with_seats=True))
        assert done.widget.seats == 40

    @pytest.mark.parametrize("is_asked", [False, True])
    def test_switches_stay_off_unless_they_are_asked_for(
        self, account: Account, shop: Widget, tmp_path: Path, is_asked: bool
    ) -> None:
        Widget.objects.filter(pk=shop.pk).update(answerers=["ai"], api_enabled=True)
        AiSettings.objects.create(widget=shop, enabled=True, takeover_timeout_sec=60)
        SupportSettings.objects.create(widget=shop, enabled=True, email_codes=True)
        Crawler.objects.create(
            widget=shop, start_urls=["https://shop.example/"], next_run_at="2026-01-01T00:00:00Z", max_pages=7
        )
        directory = tmp_path / "export"
        call_command("export_widget", shop.guid, str(directory))
        made = import_widget(account=account, directory=directory, options=ImportOptions(with_switches=is_asked)).widget
        settings, desk = AiSettings.objects.get(widget=made), SupportSettings.objects.get(widget=made)
        crawler = Crawler.objects.get(widget=made)
        switches = (made.api_enabled, made.answerers == ["ai"], settings.enabled, desk.enabled, desk.email_codes)
        assert switches == 5 * (is_asked,)
        assert (crawler.next_run_at is not None) == is_asked
        assert (settings.takeover_timeout_sec, crawler.max_pages) == (60, 7), "the rest is how they work"


LONG = "x" * 70_000
REFUSED = [
    ("contacts", "name", "a\u0007b"),
    ("contacts", "name", 7),
    ("contacts", "name", "x" * 256),
    ("contacts", "email", 7),
    ("contacts", "phone", ["+7"]),
    ("contacts", "attributes", {"a": {"b": 1}}),
    ("contacts", "guid", "../../etc"),
    ("agents", "role", "root"),
    ("agents", "name", "a\nb"),
    ("departments", "channels", ["pigeon"]),
    ("departments", "schedule", {"Monday": {"from": "25:00", "to": "26:00"}}),
    ("files", "content_type", "text/html"),
    ("files", "name", "a\r\nb"),
    ("files", "size", "ten"),
    ("files", "purpose", "backdoor"),
    ("chats", "status", "haunted"),
    ("messages", "body", LONG),
    ("messages", "body", {"a": 1}),
    ("messages", "body", "a\u0000b"),
    ("messages", "sender_kind", "god"),
    ("messages", "details", []),
    ("messages", "details", {"keyboard": {"buttons": [{"label": "Buy", "url": "javascript:alert(1)"}]}}),
    ("messages", "details", {"sticker": {"id": "1", "url": "http://x.test/"}}),
    ("messages", "details", {"coords": {"lat": 91, "lng": 0}}),
    ("messages", "details", {"file": {"id": 1}}),
    ("messages", "details", {"file": {"id": 1, "name": "x", "size": 1, "content_type": "text/html"}}),
    ("messages", "details", {"script": "x"}),
    ("messages", "details", [1]),
    ("messages", "details", {"by_person": "x"}),
    ("messages", "details", {"sources": [{"title": "Roses", "url": "javascript:alert(1)"}]}),
    ("messages", "details", {"sources": [{"title": "a\nb", "url": None}]}),
    ("messages", "details", {"sources": [{"url": None}]}),
    ("messages", "details", {"sources": {}}),
    ("messages", "details", {"letter": {"from": "x"}}),
    ("messages", "details", {"letter": {"from": "x", "subject": "", "proof": "god", "third": False, "cut": False}}),
    ("messages", "chat_id", "1"),
    ("messages", "chat_id", {"a": 1}),
    ("messages", "is_internal", "yes"),
    ("messages", "created_at", "yesterday"),
    ("tags", "name", " vip"),
    ("blocks", "network", "0.0.0.0/0"),
    ("retention", "chats", 0),
    ("sources", "url", "javascript:alert(1)"),
    ("rules", "content", "x" * 4_001),
    ("crawler", "start_urls", ["file:///etc/passwd"]),
    ("crawler", "max_pages", 10**9),
    ("crawler", "include_paths", ["no-slash"]),
    ("assistants", "system_prompt", LONG),
    ("assistants", "temperature", 99.0),
    ("assistants", "provider", "nobody"),
    ("persona_versions", "persona", LONG),
    ("ai_settings", "link_hosts", ["https://x"]),
    ("ai_settings", "takeover_timeout_sec", 1),
    ("ai_settings", "phrases", {"busy": {"en": "A moment"}}),
    ("ai_settings", "phrases", {"handoff_to_human": {"en": LONG}}),
    ("support_settings", "link_hosts", ["*"]),
    ("support_settings", "ip_allowlist", ["everywhere"]),
    ("support_settings", "room_reply_limit", 10_000),
    ("icons", "content_type", "image/svg+xml"),
    ("widget_settings", "stored", {"widget_accent_color": "red;}</style>"}),
    ("widget_settings", "stored", {"device_profiles": {"mobile": {"icon_preset": "../x"}}}),
    ("widget_settings", "stored", {"unheard_of": 1}),
    ("translations", "locale", "xx"),
    ("replies", "shortcut", "with space"),
    ("replies", "body", LONG),
    ("chat_invitations", "name", "a\nb"),
    ("chat_invitations", "texts", {"xx": "Hello"}),
    ("chat_invitations", "buttons", [{"en": "two\nlines"}]),
    ("chat_invitations", "rule", {"page": ["javascript:alert(1)"]}),
    ("chat_invitations", "goal", {"event": "Ordered"}),
    ("widget_settings", "invitations", {"never_on": ["no host"]}),
    ("automations", "name", "a\nb"),
    ("automations", "when", {"event": "message.created"}),
    ("automations", "condition", {"all": []}),
    ("automations", "condition", {"field": "agent_id", "op": "is", "value": 2**70}),
    ("automations", "then", []),
    ("automations", "then", [{"do": "assign", "agent_id": -1}]),
    ("automation_versions", "then", [{"do": "webhook", "name": "https://x.test"}]),
    ("automation_runs", "trigger", []),
    ("automation_runs", "why", [{"field": "text", "op": "is", "was": "my words"}]),
    ("automation_runs", "did", [{"do": "explode", "result": "done", "why": None}]),
    ("macros", "key", 10),
    ("macros", "inputs", [{"key": "A b", "label": "x"}]),
    ("macros", "then", [{"do": "reply", "text": LONG}]),
    ("question_sets", "intro", {"xx": "Hello"}),
    ("question_sets", "questions", [{"key": "A", "kind": "text", "label": {"en": "a"}}]),
    ("question_sets", "questions", [{"key": "a", "kind": "choice", "label": {"en": "a"}}]),
    ("chat_answers", "answers", {"a b": 1}),
    ("chat_answers", "answers", {"a": {"b": 1}}),
    ("contact_consents", "key", "A"),
    ("contact_consents", "text_sha256", "x" * 64),
    ("contact_consents", "lang", "xx"),
    ("help_center", "footer", [{"label": {"en": "x"}, "url": "http://x.test"}]),
    ("help_center", "home_url", "javascript:alert(1)"),
    ("help_center", "in_widget", "everywhere"),
    ("article_pictures", "content_type", "image/svg+xml"),
    ("article_pictures", "width", 30_000),
    ("article_categories", "name", {"xx": "Orders"}),
    ("articles", "position", 2_000_000),
    ("articles", "origin_key", "a\nb"),
    ("articles", "asked", {"count": 1}),
    ("article_texts", "lang", "xx"),
    ("article_texts", "title", "a\nb"),
    ("article_texts", "slug", "A b"),
    ("article_texts", "body", "x" * 200_001),
    ("article_texts", "draft_state", "pending"),
    ("article_texts", "unsupported", ["x"]),
    ("article_versions", "body", "\x07"),
    ("article_versions", "actor", "a\nb"),
    ("letters_in", "kind", "waiting"),
    ("letters_in", "sender", "a\nb"),
    ("letters_in", "recipients", ["a\nb"]),
]


class TestFields:
    @pytest.mark.parametrize(("table", "column", "value"), REFUSED)
    def test_what_the_api_would_refuse_is_refused_by_row_and_field(
        self, account: Account, export: Path, table: str, column: str, value: Any
    ) -> None:
        changed(export, table, column, value)
        refused(account, export, rf"^{table}, line \d+, {column}: .")

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("name", "a\nb"),
            ("name", 7),
            ("allowed_origins", ["*"]),
            ("allowed_origins", "https://shop.example"),
            ("time_zone", "../../etc/passwd"),
            ("seats", -1),
            ("seats", "many"),
            ("api_enabled", "yes"),
            ("guid", "../x"),
        ],
    )
    def test_of_the_widget_too(self, account: Account, export: Path, name: str, value: Any) -> None:
        manifested(export, **{name: value})
        refused(account, export, f"^the widget, {name}: .")

    @pytest.mark.parametrize(
        ("column", "value"),
        [("email", "m..x.@docomo.example"), ("email", "no address"), ("phone", "+7 (call me)"), ("phone", "доб. 12")],
    )
    def test_an_address_that_no_form_takes_comes_in_as_an_attribute_and_is_counted(
        self, account: Account, export: Path, column: str, value: str
    ) -> None:
        changed(export, "contacts", column, value)
        done = import_widget(account=account, directory=export)
        contact = Contact.objects.for_widget(done.widget.pk).latest("pk")
        assert (getattr(contact, column), contact.attributes[column]) == ("", value)
        assert done.set_aside == 1

    def test_an_attribute_of_that_name_is_not_written_over(self, account: Account, export: Path) -> None:
        changed(export, "contacts", "attributes", {"email": "another@mail.test"})
        changed(export, "contacts", "email", "m..x.@docomo.example")
        refused(account, export, r"^contacts, line \d+, email: .")

    def test_a_row_before_it_is_not_written_either(self, account: Account, export: Path) -> None:
        changed(export, "messages", "sender_kind", "god")
        refused(account, export, "^messages, line 2, sender_kind: ")
        assert not Contact.objects.exists()


# Of these no text is anybody's words or address but as the column says.
UNCHECKED = {
    "agents": ("avatar",),
    "chats": ("channel", "handover_reason"),
    "messages": ("delivery", "origin", "sender_name"),
    "steps": ("comment",),
    "ratings": ("comment",),
    "rating_requests": ("channel",),
    "blocks": ("reason",),
    "knowledge_base": ("provider", "endpoint", "model"),
    "uploads": ("content_type", "error_code", "error_detail", "notes"),
    "rules": ("embedding_error",),
    "crawler": ("everywhere", "repeated"),
    "letter_addresses": ("dead_detail",),
    "letters_in": ("letter_id", "sender_name", "subject"),
    "sources": ("ref",),
    "embeddings": ("space",),
    "persona_versions": ("summary", "actor", "patch"),
    "persona_history": ("actor", "patch", "reason", "metrics"),
    "tickets": ("closed_by", "context", "client", "refund"),
    "app_rooms": ("locale",),
    "translations": ("field", "locale", "text", "source_hash", "wanted_hash", "error"),
    "assignments": ("why",),
    "automation_runs": ("event_key",),
}
# What is so of a row, and sets nothing to work.
NO_SWITCHES = {
    "help_center": ("indexing", "show_chat"),
    "agents": ("show_in_header", "break_passes_on"),
    "departments": ("internal",),
    "files": ("is_sent",),
    "holidays": ("every_year",),
    "chats": ("internal", "has_client_messages"),
    "messages": ("is_internal",),
    "sources": ("regenerates",),
    "crawler": ("use_sitemap",),
    "assistants": ("enabled", "is_default", "rag_enabled"),
    "evaluation_cases": ("is_active",),
    "ai_settings": ("rag_enabled", "is_migrated"),
    "tickets": ("held_for_owner",),
    "app_rooms": ("is_hidden",),
    "icons": ("animated",),
    "widget_settings": ("legacy", "asks_proof"),
    "question_sets": ("is_on",),
    "contact_consents": ("given",),
    "translations": ("is_reserved",),
    "letter_settings": ("of_ai", "waiting_words", "is_offered"),
    "letters_in": ("is_third", "is_cut", "is_for_people"),
    "desk_settings": ("past_answers",),
    "operator_choices": ("show_translation", "next_after_close", "formatting"),
    "automations": ("stop",),
    "automation_versions": ("stop",),
    "routing_settings": ("prefer_last", "show_expected", "show_place"),
    "sla_clocks": ("is_always",),
}


def columns_of(kind: Callable[[Any], bool]) -> dict[str, set[str]]:
    tables, _ = widget_export.exported_of_widget(0)
    return {table.name: {name for name, field in table.columns.items() if kind(field)} for table in tables}


def is_free(field: Any) -> bool:
    """Whether the model alone does not say what may stand in it."""
    if isinstance(field, models.CharField | models.TextField):
        return not field.choices
    return isinstance(field, models.JSONField | ArrayField)


def test_every_free_column_of_an_export_has_a_check_or_needs_none() -> None:
    tables, _ = widget_export.exported_of_widget(0)
    checked = {table.name: {*table.checks, *table.stored} for table in tables}
    left = {name: columns - checked[name] for name, columns in columns_of(is_free).items() if columns - checked[name]}
    left["agents"] -= {"email"}  # its model checks it
    assert {name: sorted(columns) for name, columns in left.items() if columns} == {
        name: sorted(columns) for name, columns in without_stored(checked).items()
    }


def without_stored(checked: dict[str, set[str]]) -> dict[str, set[str]]:
    found = {name: {*columns} - checked[name] for name, columns in UNCHECKED.items()}
    return {name: columns for name, columns in found.items() if columns}


def test_every_switch_of_an_export_is_one_or_sets_nothing_to_work() -> None:
    tables, _ = widget_export.exported_of_widget(0)
    switches = {table.name: set(table.switches) for table in tables}
    found = columns_of(lambda field: isinstance(field, models.BooleanField))
    left = {name: columns - switches[name] for name, columns in found.items() if columns - switches[name]}
    assert left == {name: set(columns) for name, columns in NO_SWITCHES.items()}
