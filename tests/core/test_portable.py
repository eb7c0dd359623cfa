"""What an export has: every table of a widget is in it, or stays for a reason; secrets are in none."""

from apps.accounts.actions import widget_export
from apps.core.database.fields import EncryptedTextField, SealedTextField
from tests.architecture.tenants import tenant_models

REASONS = {
    "a secret, or rests on one: it is made anew": (
        *("accounts.ApiToken", "agents.Invitation", "ai.Credential", "ai.ExternalOperator", "ai.ReplyToken"),
        *("compat.LegacyBot", "messengers.Channel", "messengers.Connection", "support.Binding", "support.Identity"),
        *(
            "letters.Mailbox",
            "letters.OutLetter",
            "letters.Thread",
            "webhooks.Subscription",
            "widget.SpentChallenge",
        ),
    ),
    "of people, browsers and processes that are here": (
        *(
            "agents.AgentPresence",
            "console.PushSubscription",
            "console.SocketTicket",
            "support.ChatHold",
            "support.Nonce",
        ),
        *("support.SignedRequest", "widget.VisitorSession", "accounts.WidgetImport", "accounts.ImportedNumber"),
        *("support.EmailCode", "support.ClaimedMessage", "support.Verification"),
        *("letters.Notice", "letters.NoticeSettings", "letters.LetterWish"),
        *("reports.WeeklyChoice", "reports.WeeklyLetter"),
    ),
    "of a messenger or a mailbox that is connected anew": (
        *("letters.Correspondent", "letters.GatherJob", "letters.ReadJob"),
        *("messengers.Inbound", "messengers.InboundJob", "messengers.OutboundJob", "messengers.OutboundMessage"),
        *("messengers.CheckJob", "messengers.Peer", "messengers.PollJob", "messengers.StartLink"),
        *("messengers.EarlyReceipt",),
    ),
    "work that was under way here": (
        *(
            "ai.Conversation",
            "ai.DetachedTest",
            "ai.EvaluationRun",
            "ai.ReplyJob",
            "assists.TranslationJob",
            "ai.Trial",
            "ai.Turn",
            "letters.MailCheck",
            "ai.OperatorEvent",
            "ai.ProbeTest",
        ),
        *("compat.ClaimedChat", "kb.CrawlPage", "kb.CrawlRun", "widget.OfflineForm", "articles.ArticleImport"),
        *("articles.ArticleDraft", "articles.ArticleTold"),
    ),
    "a log of what was done here": (
        *(
            "agents.AgentEvent",
            "assists.Assist",
            "cards.CardAction",
            "ai.Alert",
            "ai.AnswerFeedback",
            "ai.EvaluationResult",
            "ai.Exchange",
            "ai.OperatorHealth",
            "ai.OperatorMove",
            "ai.Usage",
        ),
        *("learning.Cycle", "learning.DemandSignal", "learning.DemandTopic", "learning.Probation", "learning.Wish"),
        *("learning.WishDecision", "support.SupportAction", "webhooks.Attempt", "webhooks.Delivery"),
        *("webhooks.Event", "widget.InvitationOffer"),
        *("articles.ArticleReader", "articles.ArticleSearch", "articles.ArticleTally"),
    ),
    "money": (
        *("billing.Entry", "billing.Invoice", "billing.PlanSubscription", "billing.Transaction", "billing.Wallet"),
    ),
    "set anew": ("chats.Timer",),
    "read anew": ("cards.ChatCards", "routing.QueueRow", "routing.RouterRow"),
    "told anew": ("routing.ToldEstimate",),
    "judged here": (
        *("automations.AutomationEvent", "automations.UndoJob", "reports.RatingDecision"),
        "reviews.UnconfirmedScore",
    ),
    "embedded anew": ("assists.PastQuestion",),
    "counted anew": ("chats.ChatTally", "chats.MessageTally", "chats.ResponseTally", "chats.StaleHour"),
    "derived anew": (
        *("reports.EpisodeRow", "reports.StaleChat", "reports.DerivedChat"),
        *("articles.ArticleWord", "articles.SearchableText"),
        *("chats.SearchedMessage", "chats.UnsearchedMessage"),
    ),
}
STAYS = {model for models in REASONS.values() for model in models}
# A number of tokens, and who a visitor or an account of an application is elsewhere, are none.
SECRET_NAMES = {"token", "token_id", "token_ids", "secret", "password", "bearer", "api_key", "refresh_token"}


def test_each_reference_leads_to_a_table_of_the_export() -> None:
    tables, _ = widget_export.exported_of_widget(0)
    found = widget_export.references(tables)
    names = [table.name for table in tables]
    assert len(names) == len(set(names))
    for table in tables:
        for column, name in found[table.name].items():
            assert column in table.columns
            before = name in names[: names.index(table.name)]
            assert before or column in table.later, (table.name, column)
        assert set(table.later) <= set(table.columns)
        assert table.later == () or table.number is not None
        assert {*table.without} <= {each.attname for each in table.model._meta.concrete_fields}


def test_no_table_has_a_secret() -> None:
    tables, _ = widget_export.exported_of_widget(0)
    for table in tables:
        for column, field in table.columns.items():
            assert not isinstance(field, EncryptedTextField | SealedTextField), (table.name, column)
        assert not SECRET_NAMES & table.columns.keys(), table.name


def test_every_table_of_a_widget_is_exported_or_stays() -> None:
    tables, _ = widget_export.exported_of_widget(0)
    there = {table.model._meta.concrete_model._meta.label for table in tables}
    every = {model._meta.label for model in tenant_models() if not model._meta.proxy}
    assert every - there == STAYS
