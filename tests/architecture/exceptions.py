"""What the guards of this folder let pass, each with its reason. Every list may only shrink.

An entry names a function (`module.function`), not a line. One that matches nothing any more fails: take it out.
"""

# Statements on tenants' tables that are not bound to `%(widget_id)s`, and the tables that are not.
OF_A_CHAT = "of one chat, whose id was read with its widget just before"
BY_ROWS = "of rows whose ids were read with their widget before"
EVERY_WIDGET = "works through every widget's rows"
OF_A_CONTACT = "of one contact, whose widget is named with it"
OF_A_WIDGET = "filtered by its `widget_id`, which has no queryset of tenants"
UNBOUND_STATEMENTS: dict[str, tuple[str, str]] = {
    "apps.ai.actions.endings.ending_cte": ("ai_turn", OF_A_CHAT),
    "apps.chats.actions.messages._chat_of": ("chats_chat", "of one contact, which a visitor's session gave"),
    "apps.chats.actions.posting._write": ("chats_chat", OF_A_CHAT),
    "apps.chats.actions.sweep.sweep_chats": ("chats_chat chats_message", EVERY_WIDGET),
    "apps.chats.actions.tallies._next_hour": ("chats_chat chats_message", EVERY_WIDGET),
    "apps.chats.actions.tallies._start_anew": (
        "chats_chattally chats_messagetally chats_responsetally",
        EVERY_WIDGET,
    ),
    "apps.chats.actions.tallies.tally_hours": (
        "chats_chat chats_chattally chats_message chats_messagetally chats_responsetally chats_stalehour",
        EVERY_WIDGET,
    ),
    "apps.chats.querysets.message_with_client_id": ("chats_message", OF_A_CHAT),
    "apps.chats.querysets.messages_after": ("chats_message", OF_A_CHAT),
    "apps.chats.querysets.transcripts.transcript_portions": ("chats_message", OF_A_CHAT),
    "apps.chats.realtime.reads.positions": ("chats_chat", BY_ROWS),
    "apps.chats.querysets.steps.visitor_steps": ("agents_agent chats_chat chats_chatstep", BY_ROWS),
    "apps.chats.realtime.reads.states": ("agents_agent chats_chat chats_chatstep chats_message", BY_ROWS),
    "apps.support.actions.facts.opening_cte": (
        "support_supportsettings",
        "of the message's widget, by a parameter of the app's own",
    ),
    "apps.webhooks.actions.deliveries.claim": (
        "webhooks_delivery webhooks_event",
        EVERY_WIDGET,
    ),
    "apps.webhooks.actions.deliveries._write": ("webhooks_delivery", BY_ROWS),
    "apps.webhooks.actions.outbox._only_wanted": ("webhooks_subscription", "of the widgets that the events name"),
    "apps.webhooks.actions.outbox.outbox_cte": ("webhooks_subscription", "of the widgets that the events name"),
    "apps.webhooks.actions.retention.forget_old_deliveries": (
        "webhooks_attempt webhooks_delivery webhooks_event",
        EVERY_WIDGET,
    ),
    "apps.webhooks.destinations.read_subscriptions": ("webhooks_subscription", BY_ROWS),
    "apps.widget.actions.away.mail_unseen_answers": (
        "chats_chat chats_message widget_awayform widget_widgetsettings",
        EVERY_WIDGET,
    ),
    "apps.widget.querysets.chats_of": ("chats_chat", "of contacts, which visitors' sessions gave"),
    "apps.widget.querysets.find_visitor": (
        "chats_block chats_contact widget_visitorsession",
        "of the widget that its guid names",
    ),
    "apps.widget.querysets.newest_messages": ("chats_message", OF_A_CHAT),
    "apps.widget.querysets.revoked_among": ("widget_visitorsession", BY_ROWS),
}

# Reads of tenants' rows through the ORM that do not start with `.of(widget)`.
BY_SECRET = "by a secret, of which whoever asks holds the plain text"
BY_OPERATOR = "by the id of an operator whom a ticket stood for"
BY_SESSION = "by the id of a session that was found by its secret"
OF_AN_ACCOUNT = "of the account that owns the widget"
OF_A_ROW = "of a row that was read with its widget just before"
BY_OPERATOR = "who runs the installation names it, or the cabinet has narrowed it to an account"
OF_DELIVERIES = "of deliveries of this app's own kinds, which the engine names by their events"
DEMO = "the demo data, found by what it made itself"
UNBOUND_READS: dict[tuple[str, str], str] = {
    ("apps.accounts.actions.revoke_token", "ApiToken.filter"): OF_A_ROW,
    ("apps.widget.actions.proofs.forget_used_proofs", "UsedProof.filter"): EVERY_WIDGET,
    ("apps.messengers.actions.cabinets.suspend_uncovered", "AdCabinet.filter"): EVERY_WIDGET,
    ("apps.messengers.actions.health._due", "Connection.filter"): EVERY_WIDGET,
    ("apps.messengers.actions.retention.forget_old_updates", "OutboundLine.filter"): EVERY_WIDGET,
    ("apps.console.querysets.deliveries.deliveries", "Message.filter"): OF_A_ROW,
    (
        "apps.messengers.querysets.cabinet_ids",
        "django_apps.get_model('messengers', 'AdCabinet').objects.itself",
    ): "the manager, of which `.of(widget)` is read",
    ("apps.messengers.actions.registering.register_pending", "Connection.filter"): EVERY_WIDGET,
    ("apps.messengers.views._connection", "Connection.with_key"): BY_SECRET,
    ("apps.messengers.actions.retention.forget_old_updates", "Inbound.filter"): EVERY_WIDGET,
    ("apps.messengers.actions.retention.forget_old_updates", "InboundLine.filter"): EVERY_WIDGET,
    ("apps.messengers.actions.retention.forget_old_updates", "OutboundMessage.filter"): EVERY_WIDGET,
    (
        "apps.messengers.querysets.bot_owner",
        "django_apps.get_model('messengers', 'Connection').objects.itself",
    ): "whether a bot is another widget's: nothing but that is told",
    ("apps.accounts.actions.store_token_uses", "ApiToken.filter"): "of tokens that were let in",
    (
        "apps.accounts.querysets.is_last_owner",
        "type(user).objects.filter",
    ): OF_A_ROW,
    ("apps.accounts.admin.widgets.ApiTokenAdmin.revoke", "ApiToken.filter"): BY_OPERATOR,
    ("apps.accounts.authentication._read", "ApiToken.with_digest"): BY_SECRET,
    ("apps.accounts.cabinet.OwnRowsAdmin.own_choices", "related._default_manager.none"): "no rows",
    ("apps.agents.cabinet.DepartmentForm", "Agent.none"): "no rows",
    ("apps.widget.querysets.presence_among", "Department.filter"): "of widgets that the caller names",
    ("apps.accounts.demo._issue_tokens", "ApiToken.filter"): DEMO,
    ("apps.accounts.management.commands.revoke_token.Command.handle", "ApiToken.filter"): BY_OPERATOR,
    (
        "apps.agents.querysets.AgentQuerySet.for_api",
        "django_apps.get_model('agents', 'Department').objects.filter",
    ): "a subquery of each agent, which `of` has found",
    (
        "apps.agents.views.avatars._served",
        "Agent.filter",
    ): "by a name that only the avatar's address tells, for everybody",
    ("apps.agents.actions.invitations.accept_invitation", "Invitation.with_digest"): BY_SECRET,
    ("apps.agents.views.invitations.invitation", "Invitation.with_digest"): BY_SECRET,
    ("apps.billing.actions.ledger._lock", "Wallet.select_for_update"): OF_AN_ACCOUNT,
    ("apps.billing.actions.ledger._settle", "Wallet.select_for_update"): OF_A_ROW,
    ("apps.billing.actions.plans.end_plans", "Subscription.filter"): BY_ROWS,
    ("apps.billing.actions.plans.end_plans", "Subscription.over"): EVERY_WIDGET,
    ("apps.billing.api.partners.PartnerViewSet.retrieve", "Wallet.of_partner"): OF_AN_ACCOUNT,
    (
        "apps.billing.querysets.LegalEntityQuerySet.of",
        "django_apps.get_model('accounts', 'Widget').objects.filter",
    ): "of the widget itself",
    (
        "apps.billing.querysets.account_members",
        "django_apps.get_model('billing', 'LegalEntity').objects.filter",
    ): OF_AN_ACCOUNT,
    (
        "apps.billing.querysets.entitlements_of",
        "django_apps.get_model('billing', 'Plan').objects.exists",
    ): "no tenant's",
    ("apps.agents.actions.presence._end", "Presence.filter"): "of an operator whose row is locked",
    ("apps.agents.actions.presence._locked", "Agent.select_for_update"): BY_OPERATOR,
    ("apps.agents.actions.presence.begin_presence", "Presence.update_or_create"): "of an operator whose row is locked",
    ("apps.agents.actions.presence.expire_presences", "Presence.run_out"): EVERY_WIDGET,
    ("apps.agents.actions.presence.renew_presences", "Presence.of_process"): "of one process, for all its operators",
    ("apps.chats.actions.contacts.tag_contact", "ContactTag.filter"): OF_A_ROW,
    ("apps.chats.actions.contacts.untag_contact", "ContactTag.filter"): OF_A_ROW,
    ("apps.chats.actions.files._sweep_batch", "File.filter"): BY_ROWS,
    ("apps.chats.actions.files._sweep_batch", "File.unsent"): EVERY_WIDGET,
    ("apps.chats.actions.ratings.rate_chat", "Rating.update_or_create"): OF_A_ROW,
    ("apps.chats.actions.changes.raise_version", "Chat.filter"): BY_ROWS,
    ("apps.chats.admin.ContactAdmin.get_queryset", "Chat.filter"): "of contacts, which the cabinet has narrowed",
    ("apps.chats.admin.ContactAdmin.tags", "ContactTag.filter"): BY_OPERATOR,
    ("apps.chats.demo._seed_chat", "Contact.get_or_create"): DEMO,
    ("apps.chats.demo._seed_chat", "ContactTag.get_or_create"): DEMO,
    ("apps.chats.demo._seed_chat", "Chat.filter"): DEMO,
    ("apps.chats.demo._details", "File.filter"): DEMO,
    ("apps.ai.actions.retention.forget_old_exchanges", "Exchange.filter"): EVERY_WIDGET,
    ("apps.ai.cards.cards", "Alert.open"): BY_OPERATOR,
    ("apps.ai.cards.cards", "Usage.filter"): BY_OPERATOR,
    ("apps.ai.forms.OperatorForm", "Assistant.none"): "no rows",
    ("apps.ai.actions.personas.token_actor", "ApiToken.get"): "the token that calls",
    ("apps.ai.actions.deliveries._note_health", "OperatorHealth.filter"): OF_DELIVERIES,
    ("apps.ai.actions.deliveries.take_outcomes", "OperatorEvent.filter"): OF_DELIVERIES,
    ("apps.ai.actions.deliveries.take_outcomes", "Turn.filter"): OF_DELIVERIES,
    ("apps.ai.actions.deliveries.read_events", "OperatorEvent.pending"): OF_DELIVERIES,
    ("apps.ai.actions.probes._finish", "ExternalOperator.filter"): OF_DELIVERIES,
    ("apps.ai.actions.probes._finish", "OperatorHealth.filter"): OF_DELIVERIES,
    ("apps.ai.actions.probes._finish", "ProbeTest.filter"): OF_DELIVERIES,
    ("apps.ai.destinations.read_tests", "ProbeTest.filter"): OF_DELIVERIES,
    ("apps.ai.actions.endings._count_failures", "OperatorHealth.filter"): OF_A_ROW,
    ("apps.ai.actions.endings._report_degraded", "ExternalOperator.values_list"): OF_A_ROW,
    ("apps.ai.actions.endings.close_turns", "Turn.filter"): OF_A_ROW,
    ("apps.ai.actions.endings.note_answered", "OperatorHealth.filter"): OF_A_ROW,
    ("apps.ai.actions.external._stop", "ApiToken.filter"): OF_A_ROW,
    ("apps.ai.actions.external.follow_agent", "ExternalOperator.with_rotation"): OF_A_ROW,
    ("apps.ai.actions.external_turns._queue", "ExternalOperator.get"): OF_A_ROW,
    ("apps.ai.actions.external_turns.begin_turn", "ExternalOperator.values_list"): OF_A_ROW,
    ("apps.ai.actions.external_turns.unanswered", "ExternalOperator.filter"): OF_A_ROW,
    ("apps.ai.demo._external", "ExternalOperator.filter"): DEMO,
    (
        "apps.ai.management.commands.play_external_operator.Command._operator",
        "ExternalOperator.with_public_id",
    ): BY_OPERATOR,
    ("apps.ai.management.commands.issue_reply_token.Command.handle", "ExternalOperator.with_public_id"): BY_OPERATOR,
    (
        "apps.ai.management.commands.play_external_operator.Command._operator",
        "ExternalOperator.filter",
    ): BY_OPERATOR,
    ("apps.ai.actions.external_upkeep.put_away", "ExternalOperator.filter"): EVERY_WIDGET,
    ("apps.ai.actions.external_upkeep.put_away", "ExternalOperator.rotating"): EVERY_WIDGET,
    ("apps.ai.actions.external_upkeep.put_away", "Turn.filter"): EVERY_WIDGET,
    ("apps.ai.actions.external_upkeep.show_typing", "Turn.filter"): EVERY_WIDGET,
    (
        "apps.ai.querysets.external.ExternalOperatorQuerySet.for_api",
        "django_apps.get_model('agents', 'Department').objects.filter",
    ): "a subquery of each operator, which `of` has found",
    (
        "apps.ai.querysets.external.ExternalOperatorQuerySet.for_api",
        "django_apps.get_model('ai', 'OperatorEvent').objects.pending",
    ): "a subquery of each operator, which `of` has found",
    (
        "apps.ai.querysets.external.ExternalOperatorQuerySet.for_api",
        "django_apps.get_model('ai', 'Turn').objects.open",
    ): "a subquery of each operator, which `of` has found",
    (
        "apps.ai.querysets.external.ExternalOperatorQuerySet.with_rotation",
        "django_apps.get_model('ai', 'OperatorEvent').objects.pending",
    ): "a subquery of each operator, which `of` has found",
    ("apps.kb.actions.retention.forget_unused_vectors", "KnowledgeBase.values_list"): EVERY_WIDGET,
    ("apps.kb.actions.retention.forget_old_crawls", "CrawlRun.filter"): EVERY_WIDGET,
    ("apps.kb.actions.retention.forget_old_crawls", "CrawlPage.filter"): "a subquery of each run, by the run's widget",
    ("apps.learning.actions.demand.forget_old_demand", "DemandSignal.filter"): EVERY_WIDGET,
    ("apps.learning.actions.demand.forget_old_demand", "DemandTopic.filter"): EVERY_WIDGET,
    ("apps.learning.admin.wishes.WishForm", "Assistant.none"): "no rows",
    ("apps.learning.actions.cycles.schedule_learning", "AiSettings.filter"): EVERY_WIDGET,
    ("apps.learning.actions.probation.review_probations", "Probation.running"): EVERY_WIDGET,
    (
        "apps.learning.querysets.WishQuerySet.for_api",
        "django_apps.get_model('learning', 'Probation').objects.filter",
    ): "a subquery of each wish, which `of` has found",
    ("apps.kb.actions.crawler.schedule_crawls", "Crawler.filter"): EVERY_WIDGET,
    (
        "apps.kb.querysets.UploadQuerySet.for_api",
        "django_apps.get_model('kb', 'Source').objects.filter",
    ): "a subquery of each document, by the document's widget",
    (
        "apps.ai.querysets.AssistantQuerySet.for_api",
        "django_apps.get_model('agents', 'Agent').objects.filter",
    ): "a subquery of each assistant, which `of` has found",
    (
        "apps.ai.querysets.AssistantQuerySet.for_api",
        "django_apps.get_model('ai', 'Usage').objects.filter",
    ): "a subquery of each assistant, which `of` has found",
    (
        "apps.ai.querysets.CredentialQuerySet.for_api",
        "django_apps.get_model('ai', 'Credential').objects.filter",
    ): "a subquery of each credential's widget",
    (
        "apps.chats.querysets.ContactQuerySet.for_api",
        "django_apps.get_model('chats', 'ContactTag').objects.itself",
    ): "a subquery of each contact, which `of` has found",
    (
        "apps.chats.querysets.TagQuerySet.in_use",
        "django_apps.get_model('chats', 'ContactTag').objects.filter",
    ): "a subquery of each tag, which the widget's account owns",
    (
        "apps.chats.admin.WaitsFilter.queryset",
        "Chat.unanswered",
    ): "ids that the cabinet's rows, of the own account, are narrowed to",
    ("apps.console.querysets.cards._steps", "ChatStep.filter"): "a subquery of each of the widget's chats",
    ("apps.console.querysets.inbox.waiting_elsewhere", "Agent.people"): "what an operator's person is at other widgets",
    ("apps.console.querysets.inbox.waiting_elsewhere", "Chat.unanswered"): "of the widgets of one person",
    ("apps.chats.realtime.reads.changes", "Chat.filter"): "of the chats that a process's sockets look at",
    ("apps.chats.realtime.reads.changes", "Message.filter"): "a subquery of each of those chats",
    ("apps.chats.views._served", "File.filter"): "by a signed address, which is the right to read it",
    (
        "apps.core.management.commands.rotate_field_keys.rotate_column",
        "model._base_manager.annotate",
    ): EVERY_WIDGET,
    ("apps.core.leases.claims.claim", "queue.model._base_manager.raw"): EVERY_WIDGET,
    ("apps.core.leases.claims.renew", "queue.model._base_manager.filter"): OF_A_ROW,
    ("apps.core.leases.queues.Lease._same_row", "self.queue.model._base_manager.filter"): OF_A_ROW,
    ("apps.compat.actions.bots.take_chat", "TakenChat.get_or_create"): OF_A_ROW,
    ("apps.compat.destinations.read_bots", "LegacyBot.active"): "of the deliveries of one claim",
    ("apps.compat.querysets.channel_with_secret", "Channel.objects.with_secret"): BY_SECRET,
    ("apps.console.actions.issue_ticket", "Ticket.run_out"): EVERY_WIDGET,
    ("apps.console.actions.redeem_ticket", "Agent.select_related"): "the operator of a ticket",
    ("apps.console.actions.redeem_ticket", "Ticket.filter"): OF_A_ROW,
    ("apps.console.actions.redeem_ticket", "Ticket.with_secret"): BY_SECRET,
    ("apps.console.querysets.counted_chats.last_message_id", "Message.filter"): "of a chat that was found before",
    ("apps.console.querysets.counted_chats.counted_chats", "Chat.filter"): "of the widgets of a process's sockets",
    ("apps.console.querysets.counted_chats.counted_versions", "Chat.filter"): "of the widgets of a process's sockets",
    ("apps.console.querysets.counted_chats.staff_of", "Agent.people"): "of the widgets of a process's sockets",
    ("apps.console.querysets.counted_chats.staff_of", "Department.filter"): "of the widgets of a process's sockets",
    (
        "apps.console.querysets.cards._seen_by_visitor",
        "Message.filter",
    ): "a subquery of each chat, which `of` has found",
    ("apps.console.querysets.BrowserQuerySet.idle", "Agent.people"): EVERY_WIDGET,
    ("apps.console.actions.pushes.look_who_waits", "Browser.filter"): EVERY_WIDGET,
    ("apps.console.actions.pushes.look_who_waits", "Browser.idle"): EVERY_WIDGET,
    ("apps.console.actions.pushes._work", "Agent.people"): BY_OPERATOR,
    ("apps.console.querysets.operators_of", "Agent.people"): "what the person who is signed in is, at each widget",
    ("apps.console.querysets.ended_among", "Agent.people"): BY_OPERATOR,
    ("apps.kb.forms.QuestionForm", "Agent.none"): "no rows",
    ("apps.kb.forms.RuleForm", "Agent.none"): "no rows",
    ("apps.kb.actions.background.notice_changes", "KnowledgeBase.waiting_for_nothing"): EVERY_WIDGET,
    ("apps.messengers.destinations.read_channels", "Channel.active"): "of the deliveries of one claim",
    ("apps.widget.actions.translations.ask_everywhere", "WidgetSettings.filter"): EVERY_WIDGET,
    (
        "apps.widget.querysets.settings._Languages.of_contact",
        "django_apps.get_model('widget', 'VisitorSession').objects.filter",
    ): "of a contact, which the caller has read with its widget",
    ("apps.widget.views._served_icon", "Icon.filter"): "by a name that only the icon's address tells, for everybody",
    ("apps.widget.querysets.owner_of", "Chat.filter"): "of the visitor's own chat",
    ("apps.widget.querysets.presence_among", "Agent.available"): "of the widgets of a process's sockets",
    ("apps.widget.actions.visitors.open_session", "VisitorSession.with_token"): BY_SECRET,
    ("apps.widget.actions.visitors._come_back", "Contact.select_for_update"): OF_A_ROW,
    ("apps.widget.actions.visitors._come_back", "VisitorSession.filter"): OF_A_ROW,
    ("apps.ai.held.held_of_contact", "Conversation.filter"): OF_A_CONTACT,
    ("apps.chats.held.held_of_contact", "ContactTag.filter"): OF_A_CONTACT,
    ("apps.support.held.held_of_contact", "Identity.filter"): OF_A_CONTACT,
    ("apps.support.held.held_of_contact", "SignedRequest.filter"): OF_A_CONTACT,
    ("apps.messengers.held.held_of_contact", "InboundLine.filter"): OF_A_CONTACT,
    ("apps.learning.held.held_of_contact", "DemandTopic.none"): "no rows",
    ("apps.webhooks.held.held_of_contact", "Event.none"): "no rows",
    ("apps.webhooks.held._erase", "Event.filter"): OF_A_CONTACT,
    ("apps.webhooks.held._erase", "Delivery.filter"): OF_A_CONTACT,
    ("apps.webhooks.held._erase", "Attempt.filter"): OF_A_CONTACT,
    ("apps.core.personal.erase", "held.rows.model._base_manager.filter"): OF_A_CONTACT,
    ("apps.chats.actions.retention.forget_old", "Retention.all"): EVERY_WIDGET,
    ("apps.webhooks.actions.retention.forget_batch", "Event.filter"): OF_A_WIDGET,
    ("apps.webhooks.actions.retention.forget_batch", "Delivery.filter"): OF_A_WIDGET,
    ("apps.webhooks.actions.retention.forget_batch", "Attempt.filter"): OF_A_WIDGET,
    ("apps.widget.actions.visitors.revoke_visitor", "VisitorSession.filter"): OF_A_ROW,
    ("apps.widget.actions.visitors.post_from_socket", "VisitorSession.not_revoked"): BY_SESSION,
    ("apps.widget.consumers._read_visitor", "VisitorSession.with_token"): BY_SECRET,
    ("apps.widget.consumers._see", "VisitorSession.not_revoked"): BY_SESSION,
    ("apps.chats.querysets.dashboard.opened_by_widget", "django_apps.get_model('chats', 'Chat').objects.itself"): (
        EVERY_WIDGET
    ),
    (
        "apps.webhooks.admin.DeliveryAdmin.get_queryset",
        "Subscription.filter",
    ): "a subquery of each delivery, which the cabinet has narrowed",
    (
        "apps.webhooks.querysets.EventSwitchQuerySet.with_receivers",
        "django_apps.get_model('webhooks', 'Subscription').objects.filter",
    ): EVERY_WIDGET,
    (
        "apps.webhooks.querysets._its_subscription",
        "django_apps.get_model('webhooks', 'Subscription').objects.filter",
    ): "a subquery of each delivery, which `of` has found",
    (
        "apps.webhooks.querysets._enabled_names",
        "django_apps.get_model('webhooks', 'EventSwitch').objects.filter",
    ): "the switches are the installation's",
    (
        "apps.support.querysets.waiting_words",
        "django_apps.get_model('chats', 'Message').objects.filter",
    ): "a subquery of each chat, which `of` has found",
    (
        "apps.support.querysets.last_answer_id",
        "django_apps.get_model('chats', 'Message').objects.filter",
    ): "a subquery of each chat, which `of` has found",
    ("apps.support.actions.facts.open_unanswered", "SupportSettings.filter"): EVERY_WIDGET,
    ("apps.support.actions.leases.claim_chat", "ChatLease.update_or_create"): OF_A_ROW,
    ("apps.support.management.commands.sign_call.Command.handle", "Binding.filter"): BY_OPERATOR,
    ("apps.support.actions.records.forget_old_actions", "SupportAction.filter"): EVERY_WIDGET,
    ("apps.support.actions.replies.confirm_replies", "SupportAction.filter"): EVERY_WIDGET,
    ("apps.support.actions.envelopes.forget_old_nonces", "Nonce.filter"): EVERY_WIDGET,
    ("apps.support.actions.settings._foreign", "ApiToken.filter"): "of the widget, by its id",
    ("apps.support.actions.settings.valid_tokens", "ApiToken.filter"): "of the widget, by its id",
    ("apps.support.actions.requests.forget_old_requests", "SignedRequest.filter"): EVERY_WIDGET,
    ("apps.webhooks.cards.cards", "Delivery.all"): "every widget's, or narrowed to a widget's subscriptions",
}

# SQL by hand, and the benchmark that asks for it: a name of `python -m bench --only`.
SQL_BY_HAND: dict[str, str] = {
    "apps.agents.actions.event_log.events_cte": "post",
    "apps.ai.actions.endings.ending_cte": "post",
    "apps.ai.actions.jobs.looking_cte": "post",
    "apps.messengers.actions.queueing.queue_cte": "post",
    "apps.chats.actions.posting._write": "post",
    "apps.chats.actions.posting.post": "post",
    "apps.chats.actions.sweep.sweep_chats": "sweep",
    "apps.chats.actions.tallies._lock": "latencies",
    "apps.chats.actions.tallies._next_hour": "latencies",
    "apps.chats.actions.tallies._settled_until": "latencies",
    "apps.chats.actions.tallies._start_anew": "latencies",
    "apps.chats.actions.tallies.tally_hours": "latencies",
    "apps.chats.querysets.chats.listed_page": "chats",
    "apps.chats.querysets.message_page": "messages",
    "apps.chats.querysets.search._ask_index": "latencies",
    "apps.chats.querysets.search._read_newest": "latencies",
    "apps.chats.querysets.statistics._parameters": "latencies",
    "apps.chats.querysets.statistics.chats_opened": "latencies",
    "apps.chats.querysets.statistics.chats_opened_by_bucket": "latencies",
    "apps.chats.querysets.statistics.chats_opened_by_channel": "latencies",
    "apps.chats.querysets.statistics.first_responses": "latencies",
    "apps.chats.querysets.statistics.messages_written": "latencies",
    "apps.chats.querysets.statistics.messages_written_by_bucket": "latencies",
    "apps.chats.querysets.statistics.rating_average": "latencies",
    "apps.chats.querysets.transcripts.transcript_head": "transcript",
    "apps.chats.querysets.transcripts.transcript_portions": "transcript",
    "apps.core.endpoints.idempotency.Claim.refuse_if_taken": "post",
    "apps.core.endpoints.idempotency.Claim.take": "post",
    "apps.webhooks.actions.outbox._only_wanted": "sweep",
    "apps.webhooks.actions.outbox.outbox_cte": "post",
}

# SQL by hand that no benchmark of `bench` asks for, and what does.
EVERY_CALL = "each of a visitor's calls, and every socket at its idle poll"
SQL_WITHOUT_BENCHMARK: dict[str, str] = {
    "apps.ai.actions.jobs.look_at_chat": "a burst is put into one row by one statement (`core/leases`)",
    "apps.chats.actions.messages._chat_of": EVERY_CALL,
    "apps.chats.actions.messages._make_chat": "ON CONFLICT DO NOTHING, and the row: two first messages make one chat",
    "apps.chats.querysets.contacts.search_contacts": "a search of 1,000,000 contacts (docs/adr/0010)",
    "apps.chats.querysets.message_with_client_id": "one message in the columns of the list",
    "apps.chats.querysets.messages_after": EVERY_CALL,
    "apps.console.querysets.said.matches": "the functions of a search, and the newest match of each chat",
    "apps.chats.querysets.steps.visitor_steps": "the statement that the realtime process reads a chat's last step by",
    "apps.chats.realtime.reads.positions": EVERY_CALL,
    "apps.chats.realtime.reads.states": EVERY_CALL,
    "apps.core.files.storage.sweep": "the database's clock, and rows compared as a pair",
    "apps.kb.querysets.retrieval.candidates": "three legs in one statement, ranked over their candidates alone",
    "apps.support.actions.facts.opening_cte": "what follows from a message is written by its statement",
    "apps.messengers.actions.arriving.keep": "a burst is put into one row by one statement (`core/leases`)",
    "apps.messengers.actions.queueing.queue_again": "a burst is put into one row by one statement (`core/leases`)",
    "apps.messengers.actions.registering.register": "a burst is put into one row by one statement (`core/leases`)",
    "apps.learning.actions.demand.note_demand": "an occurrence and its topic are written by one statement",
    "apps.learning.actions.evidence.pairs_of": "the newest pairs of a talk: a lateral read of what was asked before",
    "apps.learning.actions.metrics.metrics_between": "both sides of a comparison by one statement",
    "apps.learning.actions.topics.demand_of": "100,000 occurrences are grouped where they are",
    "apps.support.actions.envelopes.accept": "each signed call: a nonce is used up, or was, in one statement",
    "apps.webhooks.actions.deliveries.claim": "the queue is one statement: what is due, a lease, its rows",
    "apps.webhooks.actions.deliveries._write": "a batch of outcomes in one statement, behind a fence",
    "apps.webhooks.actions.retention.forget_old_deliveries": "batches of a log that is never small",
    "apps.webhooks.destinations.read_subscriptions": "every claim of deliveries",
    "apps.widget.actions.away.mail_unseen_answers": "over every widget, and of a chat no more than asked",
    "apps.widget.querysets.chats_of": EVERY_CALL,
    "apps.widget.querysets.find_visitor": EVERY_CALL,
    "apps.widget.querysets.newest_messages": EVERY_CALL,
    "apps.widget.querysets.revoked_among": EVERY_CALL,
}

# Calls of which a part of the statement is only known at run time, and where that part is looked at.
OF_A_QUEUE = "the names of a model's table and columns"
PARTS_AT_RUN_TIME: dict[str, str] = {
    "apps.messengers.actions.arriving.keep": OF_A_QUEUE,
    "apps.messengers.actions.queueing.queue_again": OF_A_QUEUE,
    "apps.messengers.actions.registering.register": OF_A_QUEUE,
    "apps.ai.actions.jobs.look_at_chat": OF_A_QUEUE,
    "apps.chats.actions.posting._write": "what reactions add is looked at where each `Cte` is made",
    "apps.core.database.numbers.begin_at_cell": "PostgreSQL has put each together: one a sequence",
    "apps.core.leases.claims.claim": OF_A_QUEUE,
    "apps.core.leases.claims.look": OF_A_QUEUE,
    "apps.webhooks.actions.outbox.send_cte": "names that begin with the kind's",
}

# Querysets that write.
WRITING_QUERYSETS: dict[str, str] = {
    "apps/accounts/querysets.py": "Django's own commands make users through their manager",
}

# Entry points that write by themselves.
WRITING_ENTRY_POINTS: dict[str, str] = {
    "apps/core/management/commands/rotate_field_keys.py": "rewrites columns of any model, as no action could",
}
