export type AcceptInput = {
    /** True: a chat that is another operator's by now is not taken from them. */ only_if_free?: boolean;
};
export type Account = {
    id: number;
    name: string | null;
    surname: string | null;
    phone: string | null;
    email: string;
    created_at: string;
    /** All of the account's, newest first, each as `GET /v1/billing/entities/{id}` shows it. */ legal_entities: Array<Record<string, unknown>>;
};
export type AccountInput = {
    user_id: string;
    email?: string;
    name?: string;
    locale?: string;
};
export type AccountLink = {
    bound: boolean;
    app_user_id: string;
    chats: Array<number>;
    /** * `email_code` - email_code * `agent_code` - agent_code * `cabinet` - cabinet * `telegram_link` - telegram_link * `app_ticket` - app_ticket */ link_source: "email_code" | "agent_code" | "cabinet" | "telegram_link" | "app_ticket";
    identity_expires_at: string;
    grant_expires_at: string;
    clamped: Clamped;
    replayed: boolean;
};
export type AccountLinkInput = {
    /** * `account-link.v1` - account-link.v1 */ contract: "account-link.v1";
    request_id: string;
    target: TargetInput;
    account: LinkedAccountInput;
    /** * `email_code` - email_code * `agent_code` - agent_code * `cabinet` - cabinet * `telegram_link` - telegram_link * `app_ticket` - app_ticket */ method: "email_code" | "agent_code" | "cabinet" | "telegram_link" | "app_ticket";
    /** Clamped to the method's longest life. */ identity_expires_at: string;
    /** Clamped to 30 minutes. */ grant: GrantInput;
    verification_ref?: string;
};
export type AccountRevocation = {
    bound: boolean;
    chats?: Array<number>;
    /** True in the answer to the same request before. */ replayed?: boolean;
};
export type AccountRevocationInput = {
    /** * `account-link-revoke.v1` - account-link-revoke.v1 */ contract: "account-link-revoke.v1";
    request_id: string;
    target: TargetInput;
    reason: string;
};
export type Acknowledged = {
    acknowledged: number;
};
export type AcknowledgementInput = {
    ids?: Array<number>;
};
export type ActDone = {
    do: string;
    /** * `done` - done * `skipped` - skipped * `failed` - failed */ result: "done" | "skipped" | "failed";
    /** The reason of a skipped or failed one, such as `already_answered` or `gone`. */ why: string | null;
};
export type Action = {
    id: number;
    /** * `reply` - reply * `claim` - claim * `release` - release * `close` - close * `reopen` - reopen */ kind: "reply" | "claim" | "release" | "close" | "reopen";
    /** * `stored` - stored * `unconfirmed` - unconfirmed * `failed` - failed * `done` - done * `refused` - refused */ status: "stored" | "unconfirmed" | "failed" | "done" | "refused";
    http_status: number;
    code: string | null;
    agent: string | null;
    chat_id: number | null;
    ticket: number | null;
    message_id: number | null;
    ticket_effect: TicketEffect | null;
    text_sha256: string | null;
    text_length: number | null;
    note_length: number | null;
    created_at: string;
    finished_at: string | null;
};
export type Actor = {
    /** * `token` - token * `staff` - staff * `system` - system */ kind: "token" | "staff" | "system";
    id: number | null;
    name: string;
};
export type AddressInput = {
    email: string | null;
};
export type Agent = {
    id: number;
    /** The sign-in of this agent; an AI or a webhook agent has none. */ user_id: number | null;
    /** The full display name. */ name: string;
    surname: string | null;
    email: string | null;
    /** Public, and never another picture: a new avatar has a new address. */ avatar_url: string | null;
    /** * `owner` - owner * `operator` - operator */ role: "owner" | "operator";
    /** * `human` - human * `ai` - ai * `webhook` - webhook */ type: "human" | "ai" | "webhook";
    /** * `active` - active * `relaxation` - relaxation * `banned` - banned */ status: "active" | "relaxation" | "banned";
    /** Whether a console of theirs is connected now. False, too, while that can't be known. */ online: boolean;
    show_in_header: boolean;
    ai_assistant_id: number | null;
    /** By id. */ departments: Array<DepartmentReference>;
    created_at: string;
};
export type AgentEvent = {
    id: number;
    /** * `login` - login * `logout` - logout * `online` - online * `offline` - offline * `chat_accepted` - chat_accepted * `chat_assigned` - chat_assigned * `chat_transferred` - chat_transferred * `status_changed` - status_changed * `suspended` - suspended * `restored` - restored * `removed` - removed * `invited` - invited * `profile_updated` - profile_updated * `unknown` - unknown */ type: "login" | "logout" | "online" | "offline" | "chat_accepted" | "chat_assigned" | "chat_transferred" | "status_changed" | "suspended" | "restored" | "removed" | "invited" | "profile_updated" | "unknown";
    /** The raw internal code. */ type_code: number;
    /** The console's text, in Russian: no contract, and not to be parsed. */ message: string;
    created_at: string;
};
export type AgentInput = {
    /** Whether the widget shows them in its header. */ show_in_header: boolean;
};
export type AgentNote = {
    id: number;
    agent: string;
    note: string;
    at: string;
};
export type AgentOfflineEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "agent.offline";
    /** The agent who went offline. */ data: {
        /** The agent's id. */ operator_id: number;
        /** The widget's guid. */ button_guid: string;
    };
};
export type AgentOnlineEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "agent.online";
    /** The agent who came online. */ data: {
        /** The agent's id. */ operator_id: number;
        /** The widget's guid. */ button_guid: string;
    };
};
export type AgentStats = {
    agent_id: number;
    /** The full display name. */ name: string;
    /** * `human` - human * `ai` - ai * `webhook` - webhook */ type: "human" | "ai" | "webhook";
    /** Chats opened in the window that are the operator's. */ chats_total?: number;
    /** The average from the creation of these chats to their acceptance. */ avg_response_time_seconds?: number | null;
    /** Messages that the operator wrote in the window. */ messages_total?: number;
    rating_average?: number | null;
    /** Ratings given in the window while the operator handled the chat, by value. */ rating_distribution?: Record<string, number>;
    /** Chats opened in the window that they answered first. */ chats_accepted?: number;
    /** Chats opened in the window that they handle now. */ chats_handled?: number;
    chats_transferred_out?: number;
    chats_transferred_in?: number;
    /** Their chats without an answer; of an AI operator always 0. */ chats_missed?: number;
};
export type Agreement = {
    key: string;
    n: number;
    /** Equal values; of `five`, one apart at most. */ agreed: number;
    /** From 20 reviews on; null before. */ kappa: number | null;
};
export type AiOperator = {
    id: number;
    name: string;
    assistant_id: number | null;
    /** `banned`: retired. * `active` - active * `relaxation` - relaxation * `banned` - banned */ status: "active" | "relaxation" | "banned";
    show_in_header: boolean;
    avatar_url: string | null;
    created_at: string;
};
export type AiReply = {
    causation_id: string;
    room_id: number;
    /** * `message` - message * `handoff` - handoff * `message_and_handoff` - message_and_handoff */ outcome: "message" | "handoff" | "message_and_handoff";
    /** * `requested` - requested * `marker` - marker * `empty_content` - empty_content * `safety_floor` - safety_floor */ handoff_reason: "requested" | "marker" | "empty_content" | "safety_floor" | null;
    /** The text's, or the phrase's that stands for it; else null. */ message_id: number | null;
    /** Whether the visitor sees that message. */ visible: boolean;
};
export type AiReplyInput = {
    /** The turn's `room_id`: the chat. */ room_id: number;
    /** The turn's, as it was sent. It takes one reply. */ causation_id: string;
    /** Plain text. `[KEY_TO_OPERATOR]` in it hands the chat to people, as `escalate` does; so does an empty text. */ content?: string | null;
    /** Hand the chat to people; needs `responder:escalate`. */ escalate?: boolean;
};
export type AiSettings = {
    /** The master switch: while it is off, nothing replies. */ enabled: boolean;
    /** Answers are notes for operators, and visitors see none. */ shadow_mode: boolean;
    rag_enabled: boolean;
    presence_context_enabled: boolean;
    autonomous_tuning_enabled: boolean;
    /** 0: never; else from 5 to 86400 seconds. */ takeover_timeout_sec: number;
    /** * `handover` - handover * `answer_only` - answer_only */ offline_outcome_mode: "handover" | "answer_only";
    /** Hosts of any page that answers may link to, such as shop.example; each once. */ link_hosts: Array<string>;
    /** `ask`: a wish or a tuning cycle that loses a test question waits for a person; `off`: it does not. * `ask` - ask * `off` - off */ evaluation_gate: "ask" | "off";
    legacy_persona: string | null;
    /** The first sentence before AI's messages, in the owner's words; null: the default of each language. */ ai_disclosure: string | null;
    /** The same by language, before `ai_disclosure`; a change is merged, and null removes one. */ ai_disclosure_i18n: Record<string, unknown>;
    effective_assistant: AssistantReference | null;
    learning_target: LearningTarget | null;
};
export type AiSettingsChangesInput = {
    /** The master switch: while it is off, nothing replies. */ enabled?: boolean;
    /** Answers are notes for operators, and visitors see none. */ shadow_mode?: boolean;
    rag_enabled?: boolean;
    presence_context_enabled?: boolean;
    autonomous_tuning_enabled?: boolean;
    /** 0: never; else from 5 to 86400 seconds. */ takeover_timeout_sec?: number;
    /** Hosts of any page that answers may link to, such as shop.example; each once. */ link_hosts?: Array<string>;
    /** `ask`: a wish or a tuning cycle that loses a test question waits for a person; `off`: it does not. * `ask` - ask * `off` - off */ evaluation_gate?: "ask" | "off";
    /** The first sentence before AI's messages, in the owner's words; null: the default of each language. */ ai_disclosure?: string | null;
    /** The same by language, before `ai_disclosure`; a change is merged, and null removes one. */ ai_disclosure_i18n?: Record<string, string | null>;
};
export type Alert = {
    id: number;
    code: string;
    /** * `warning` - warning * `critical` - critical */ severity: "warning" | "critical";
    message: string;
    assistant_id: number | null;
    operator_id: number | null;
    credential_id: number | null;
    chat_id: number | null;
    occurrences: number;
    first_at: string;
    last_at: string;
    /** * `unacknowledged` - unacknowledged * `acknowledged` - acknowledged */ state: "unacknowledged" | "acknowledged";
    acknowledged_at: string | null;
};
export type Amount = {
    currency: string;
    /** With six places. */ amount: string;
};
export type AnswerFeedbackInput = {
    /** Whether it helped; null takes back what was said before. */ helpful: boolean | null;
};
export type AnswerSource = {
    ref: string;
    title: string;
    url: string | null;
    /** How well it fits the question; answers of before have none. */ score?: number;
};
export type AnswerTime = {
    /** * `low` - low * `normal` - normal * `high` - high * `urgent` - urgent */ priority: "low" | "normal" | "high" | "urgent" | null;
    first_reply: number | null;
    next_reply: number | null;
    resolution: number | null;
};
export type AnswerTimeFigure = {
    /** * `first_reply` - first_reply * `next_reply` - next_reply * `resolution` - resolution */ metric: "first_reply" | "next_reply" | "resolution";
    /** Null: the chats without a department. */ department_id: number | null;
    /** Answers that came, were given up or missed: `met`, `missed` and `given_up`. */ count: number;
    /** They came in time. */ met: number;
    /** They did not come in time, and may not have come yet. */ missed: number;
    /** The chat was closed, needed no answer or was spam before they were due. */ given_up: number;
    /** The answers that came, by nearest rank. Null: none did. */ p50_seconds: number | null;
    /** The answers that came, by nearest rank. Null: none did. */ p90_seconds: number | null;
};
export type AnswerTimeInput = {
    /** Null: all that have no row of their own. * `low` - low * `normal` - normal * `high` - high * `urgent` - urgent */ priority?: "low" | "normal" | "high" | "urgent" | null;
    /** Until the first answer. */ first_reply?: number | null;
    /** Until each later answer. */ next_reply?: number | null;
    /** Until the chat is closed, without the time in which nobody waits. */ resolution?: number | null;
};
export type Answered = {
    count: number;
    p50_seconds: number | null;
    p90_seconds: number | null;
};
export type AnsweredInvitation = {
    id: number;
    name: string;
};
export type Answering = {
    /** The side that answers: AI; people, whom it has called; both, while those are away; a person. * `ai` - ai * `waiting` - waiting * `offline` - offline * `person` - person */ mode: "ai" | "waiting" | "offline" | "person";
    /** The AI's answers become notes. */ is_shadow: boolean;
    /** When AI looks at the chat next, and answers if it is still unanswered. */ looks_at: string | null;
    /** The external operator whose answer is waited for. */ waits_for: WaitsFor | null;
    /** The newest answers that rest on knowledge, or that the visitor rated, oldest first. */ answers: Array<RestsOn>;
};
export type AppTicketInput = {
    /** * `app-ticket.v1` - app-ticket.v1 */ contract: "app-ticket.v1";
    request_id: string;
    /** * `app` - app * `assistant` - assistant * `web_cabinet` - web_cabinet * `email` - email */ source: "app" | "assistant" | "web_cabinet" | "email";
    /** * `question` - question * `bug` - bug * `billing` - billing * `refund` - refund * `account` - account * `complaint` - complaint * `feedback` - feedback * `other` - other */ category: "question" | "bug" | "billing" | "refund" | "account" | "complaint" | "feedback" | "other";
    message: string;
    subject?: string;
    /** A ticket of this account. */ in_reply_to?: number;
    account: AccountInput;
    client: ClientInput;
    /** At most 16 KiB. */ context?: Record<string, unknown>;
    refund?: RefundInput;
};
export type AppTicketStatusInput = {
    /** * `app-ticket-status.v1` - app-ticket-status.v1 */ contract: "app-ticket-status.v1";
    account: StatusAccountInput;
    /** Without it, the account's newest 20, from their first reply on. */ tickets?: Array<CursorInput>;
};
export type ApplyingInput = {
    /** How many cases the draft loses, as seen. */ accept_lost?: number;
};
export type ApprovalInput = {
    /** The preview's: another one now is 409. */ fingerprint?: string;
    reason?: string;
    /** How many test questions the change loses, as seen in the preview. */ accept_lost?: number;
};
export type Arms = {
    shown: number;
    held: number;
};
export type Article = {
    id: number;
    category_id: number | null;
    /** Among the articles of its category, the lower first. */ position: number;
    /** The question in vain, if it was written for one. */ asked: Asked | null;
    texts: Record<string, ArticleText>;
    created_at: string;
    updated_at: string;
};
export type ArticleCategory = {
    id: number;
    /** By language. */ name: Record<string, unknown>;
    /** The lower first. */ position: number;
    created_at: string;
    updated_at: string;
};
export type ArticleCategoryChangesInput = {
    name?: Record<string, string>;
    position?: number;
};
export type ArticleCategoryInput = {
    name: Record<string, string>;
    /** Without it: `0`. */ position?: number;
};
export type ArticleChangesInput = {
    category_id?: number | null;
    position?: number;
};
export type ArticleChoice = {
    id: number;
    lang: string;
    title: string;
    summary: string;
    /** The public page; null where the help center is not public. */ url: string | null;
};
export type ArticleFeedbackInput = {
    key: string;
    /** The language of the text that was read; by default, the one that the visitor is served. Without it: `""`. */ lang?: string;
    /** Whether it helped; null takes back what was said before. */ helpful: boolean | null;
    /** * `wrong` - wrong * `unclear` - unclear * `missing` - missing * `other` - other */ reason?: "wrong" | "unclear" | "missing" | "other" | null;
    text?: string | null;
};
export type ArticleHit = {
    article_id: number;
    lang: string;
    title: string;
    summary: string;
    /** The place that has the question's words, of at most 200 characters, without markup. */ snippet: string;
    /** The public page; null without one. */ url: string | null;
    /** Falls within a language; comparable within one answer only. */ score: number;
};
export type ArticleImport = {
    id: number;
    /** * `queued` - queued * `running` - running * `done` - done * `failed` - failed */ state: "queued" | "running" | "done" | "failed";
    /** Whether it only counts what it would write. */ dry_run: boolean;
    /** Texts that are new. */ created: number;
    /** Texts with a new draft. */ updated: number;
    unchanged: number;
    /** Texts and pictures that are left out. */ refused: number;
    /** Pictures that are new. */ pictures: number;
    /** The first 500 that are left out. */ problems: Array<ImportProblem>;
    /** Set in `failed`: `unreadable`, `no_articles`, `unreachable` or `crashed`. */ error: string | null;
    created_at: string;
    finished_at: string | null;
};
export type ArticleImportInput = {
    /** Pages of its host below this address are read, by its sitemap and links. */ url: string;
    /** The language of pages that name none. * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ lang?: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
    category_id?: number;
    /** Without it: `false`. */ dry_run?: boolean;
    /** Needs the scope `articles:publish`, too. Without it: `false`. */ publish?: boolean;
};
export type ArticleInput = {
    /** * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ lang: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
    title: string;
    /** Without it: `""`. */ body?: string;
    /** Without it: `""`. */ summary?: string;
    slug?: string | null;
    category_id?: number | null;
    /** Without it: `0`. */ position?: number;
};
export type ArticlePicture = {
    id: string;
    url: string;
    width: number;
    height: number;
    /** Bytes. */ size: number;
};
export type ArticlePublishedEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "article.published";
    /** The article's text that readers see now. */ data: {
        /** The article's id, as in `/v1/articles`. */ article_id: number;
        /** The language of the text. */ lang: string;
        /** The version that readers see. */ version: number;
        /** The widget's guid. */ button_guid: string;
    };
};
export type ArticleRatedEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "article.rated";
    /** The article's text, and a reader's voice about it. */ data: {
        /** The article's id, as in `/v1/articles`. */ article_id: number;
        /** The language of the text. */ lang: string;
        /** Whether it helped. */ helpful: boolean;
        /** The widget's guid. */ button_guid: string;
    };
};
export type ArticleResult = {
    article_id: number;
    lang: string;
    title: string;
    views: Views;
    /** How often it was suggested while a first message was written. */ suggested: number;
    /** How many readers have opened it inside the chat. */ opened: number;
    /** How many answers of AI rest on it. */ cited: number;
    helpful: number;
    not_helpful: number;
    reasons: Reasons;
    /** Readers of these who wrote within 24 hours after reading. */ chatted_after: number;
    /** Readers of these who did neither. */ silent: number;
    /** `too_few` under 10 voices (`helpful`, `not_helpful`, `chatted_after`), `answers` from 70 % helpful, `fails` to 30 %, else `mixed`. Silence is no success. * `too_few` - too_few * `answers` - answers * `mixed` - mixed * `fails` - fails */ verdict: "too_few" | "answers" | "mixed" | "fails";
};
export type ArticleResults = {
    searches: SearchFigures;
    /** The most viewed first. */ articles: Array<ArticleResult>;
};
export type ArticleSearchInput = {
    q: string;
    /** Without it: `""`. */ lang?: string;
    /** Without it: `5`. */ limit?: number;
    /** `search`: submitted, and kept, redacted. `suggestion`: while a message is written; nothing is kept. * `search` - search * `suggestion` - suggestion Without it: `"search"`. */ purpose?: "search" | "suggestion";
    /** The browser's own: a search counts once a key and day. */ key?: string;
};
export type ArticleText = {
    /** * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ lang: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
    /** The last part of its address. */ slug: string;
    title: string;
    summary: string;
    /** * `draft` - draft * `published` - published */ state: "draft" | "published";
    /** The newest one. */ version: number;
    /** The one that readers see. */ published_version: number | null;
    /** Whether it is published, and a newer version is there. */ has_changes: boolean;
    /** When a version is published by itself. */ publish_at: string | null;
    published_at: string | null;
    updated_at: string;
    /** Its public address; null unless readers see it there. */ url: string | null;
    /** How far a worker's draft is. * `none` - none * `pending` - pending * `ready` - ready * `failed` - failed */ draft_state: "none" | "pending" | "ready" | "failed";
    /** Facts of a worker's draft that nothing proves. */ unsupported: Array<Record<string, unknown>>;
    /** Markdown: the newest version. */ body: string;
};
export type ArticleTextInput = {
    title: string;
    /** Markdown. */ body: string;
    /** Without it: `""`. */ summary?: string;
    /** Small letters a to z, digits and hyphens; made of the title if not said. */ slug?: string | null;
    /** The version that was read before, 0 for none: if another one is the newest, 409. */ base_version?: number | null;
};
export type ArticleUnpublishedEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "article.unpublished";
    /** The article's text that readers see no longer. */ data: {
        /** The article's id, as in `/v1/articles`. */ article_id: number;
        /** The language of the text. */ lang: string;
        /** The version that readers saw last. */ version: number;
        /** The widget's guid. */ button_guid: string;
    };
};
export type ArticleVersion = {
    version: number;
    title: string;
    /** Its writer, by name. */ actor: string | null;
    at: string;
    /** Whether readers see it. */ is_published: boolean;
};
export type Asked = {
    count: number;
    chats: number;
    since: string | null;
};
export type Assignment = {
    agent_id: number | null;
    given_at: string;
    until: string | null;
    /** Null: it stands. * `accepted` - accepted * `declined` - declined * `missed` - missed * `taken` - taken * `withdrawn` - withdrawn * `assigned` - assigned */ outcome: "accepted" | "declined" | "missed" | "taken" | "withdrawn" | "assigned" | null;
    ended_at: string | null;
    why: Why;
};
export type Assist = {
    id: number;
    chat_id: number;
    /** * `draft` - draft * `rewrite` - rewrite * `translation` - translation * `summary` - summary */ kind: "draft" | "rewrite" | "translation" | "summary";
    tool: string | null;
    /** * `queued` - queued * `running` - running * `done` - done * `failed` - failed * `refused` - refused */ state: "queued" | "running" | "done" | "failed" | "refused";
    /** The chat has gone on since. */ is_stale: boolean;
    text: string;
    sentences: Array<Sentence>;
    sources: Array<DraftSource>;
    /** Facts that stand in no source. */ unsupported: Array<string>;
    differs: Array<FactDifference>;
    summary: SummaryText | null;
    tags: Array<string>;
    language: string | null;
    /** The newest visible message that it knows; 0 for none. */ based_on: number;
    /** Why there is no result. */ reason: string | null;
    /** * `used` - used * `edited` - edited * `dismissed` - dismissed */ outcome: "used" | "edited" | "dismissed" | null;
    /** How far what was sent is from it, 0 to 1. */ distance: number | null;
    created_at: string;
    finished_at: string | null;
};
export type AssistInput = {
    client_id: string;
    /** * `draft` - draft * `rewrite` - rewrite * `translation` - translation * `summary` - summary */ kind: "draft" | "rewrite" | "translation" | "summary";
    text?: string;
    tool?: string;
    to?: string;
};
export type Assistant = {
    id: number;
    name: string;
    enabled: boolean;
    is_default: boolean;
    persona: string;
    system_prompt: string;
    /** Null: none is sent, and the model's own holds. */ temperature: number | null;
    rag_enabled: boolean;
    escalation_triggers: Array<string>;
    /** The platform's words for asking for a person, then its own. */ effective_escalation_triggers: Array<string>;
    greeting: string;
    /** By language. */ greeting_i18n: Record<string, unknown>;
    quick_phrases: Array<string>;
    /** By language. */ quick_phrases_i18n: Record<string, unknown>;
    /** The code of the driver whose credentials come first. */ provider: string | null;
    model: string | null;
    /** The AI operators that run it and are not retired. */ operator_ids: Array<number>;
    usage: Usage;
    created_at: string;
    updated_at: string;
};
export type AssistantChangesInput = {
    name?: string;
    enabled?: boolean;
    /** A widget has one default assistant: the first, at first. */ is_default?: boolean;
    persona?: string | null;
    system_prompt?: string | null;
    temperature?: number | null;
    rag_enabled?: boolean;
    /** Words at which a visitor is handed to people; a trailing `*` matches a beginning. */ escalation_triggers?: Array<string> | null;
    greeting?: string | null;
    /** By language; merged, and null removes one. */ greeting_i18n?: Record<string, string | null> | null;
    quick_phrases?: Array<string> | null;
    /** By language; merged, and null removes one. */ quick_phrases_i18n?: Record<string, Array<string> | null> | null;
    /** * `openai_compatible` - openai_compatible * `openai` - openai * `anthropic` - anthropic * `gemini` - gemini */ provider?: "openai_compatible" | "openai" | "anthropic" | "gemini" | null;
    model?: string | null;
};
export type AssistantInput = {
    name: string;
    enabled?: boolean;
    /** A widget has one default assistant: the first, at first. */ is_default?: boolean;
    persona?: string | null;
    system_prompt?: string | null;
    temperature?: number | null;
    rag_enabled?: boolean;
    /** Words at which a visitor is handed to people; a trailing `*` matches a beginning. */ escalation_triggers?: Array<string> | null;
    greeting?: string | null;
    /** By language; merged, and null removes one. */ greeting_i18n?: Record<string, string | null> | null;
    quick_phrases?: Array<string> | null;
    /** By language; merged, and null removes one. */ quick_phrases_i18n?: Record<string, Array<string> | null> | null;
    /** * `openai_compatible` - openai_compatible * `openai` - openai * `anthropic` - anthropic * `gemini` - gemini */ provider?: "openai_compatible" | "openai" | "anthropic" | "gemini" | null;
    model?: string | null;
};
export type AssistantReference = {
    id: number;
    name: string;
    enabled: boolean;
    is_default: boolean;
};
export type AttachedFile = {
    id: number;
    /** The original name. */ name: string;
    /** Bytes. */ size: number;
    /** Found in the content. */ content_type: string;
    /** The file's address, good for an hour without a token. */ url: string;
};
export type Attachment = {
    /** * `image` - image * `text` - text * `file` - file */ kind: "image" | "text" | "file";
    name: string;
    content_type: string;
    size: number;
    base64: string | null;
    text: string | null;
    truncated: boolean;
    width: number | null;
    height: number | null;
};
export type AttributeKinds = {
    attributes: Array<DeclaredAttribute>;
};
export type AttributeKindsInput = {
    attributes: Array<DeclaredAttributeInput>;
};
export type Automation = {
    id: number;
    name: string;
    is_enabled: boolean;
    /** They are asked in this order. */ position: number;
    /** Counts the changes of `when`, `if`, `then` and `stop`. */ version: number;
    /** `{event}`, or `{wait, minutes, clock}`. */ when: Record<string, unknown>;
    /** Null, `{all: […]}`, `{any: […]}`, `{not: …}` or `{field, op, value}`; nested 4 deep, 30 comparisons. */ if: unknown;
    /** 1 to 10 acts `{do, …}`, done in their order. */ then: Array<Record<string, unknown>>;
    /** The automations behind it are not asked about the same event. */ stop: boolean;
    tried: Tried | null;
    problem: ProblemPlace | null;
    created_at: string;
    updated_at: string;
};
export type AutomationChangesInput = {
    name?: string;
    /** `{event}`, or `{wait, minutes, clock}`. */ when?: unknown;
    /** Null, `{all: […]}`, `{any: […]}`, `{not: …}` or `{field, op, value}`; nested 4 deep, 30 comparisons. */ if?: unknown;
    /** 1 to 10 acts `{do, …}`, done in their order. */ then?: unknown;
    /** The automations behind it are not asked about the same event. */ stop?: boolean;
    /** True only for a version that was tried. */ is_enabled?: boolean;
};
export type AutomationFiredEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "automation.fired";
    /** The run of an automation, or of a macro, that sent it. */ data: {
        /** The chat's id. */ chat_id: number;
        /** The contact's guid. */ client_id: string;
        /** The automation's id; null for a macro. */ automation_id: number | null;
        /** The automation's version that acted; null for a macro. */ version: number | null;
        /** The name that the act gives it. */ name: string;
        /** The run's id, as in `/v1/automation-runs`. */ run_id: number;
        /** The widget's guid. */ button_guid: string;
    };
};
export type AutomationInput = {
    name: string;
    /** `{event}`, or `{wait, minutes, clock}`. */ when: unknown;
    /** Null, `{all: […]}`, `{any: […]}`, `{not: …}` or `{field, op, value}`; nested 4 deep, 30 comparisons. */ if?: unknown;
    /** 1 to 10 acts `{do, …}`, done in their order. */ then: unknown;
    /** The automations behind it are not asked about the same event. Without it: `false`. */ stop?: boolean;
};
export type Backup = {
    id: number;
    provider: string;
    model: string | null;
};
export type Balance = {
    balance_minor: number;
    /** Held for withdrawals that are not paid out yet. */ reserved_minor: number;
    available_minor: number;
    currency: string;
    /** Digits behind the decimal point: 12345 with 2 is 123.45. */ minor_unit_scale: number;
};
export type Block = {
    id: number;
    /** * `contact` - contact * `address` - address * `network` - network */ what: "contact" | "address" | "network";
    /** Null where a contact is blocked. */ network: string | null;
    reason: string;
    /** Null: until it is lifted. */ until: string | null;
};
export type BlockInput = {
    /** The contact, the address they came from, or its whole network. * `contact` - contact * `address` - address * `network` - network */ what: "contact" | "address" | "network";
    /** Without it: `""`. */ reason?: string;
    /** Null: for ever. */ hours?: number | null;
};
export type Born = {
    /** * `hand` - hand * `api` - api * `chat` - chat * `thumb` - thumb * `demand` - demand * `wizard` - wizard * `draft` - draft */ from: "hand" | "api" | "chat" | "thumb" | "demand" | "wizard" | "draft";
    chat_id: number | null;
    message_id: number | null;
};
export type BotAgentJoined = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    /** The widget's guid. */ widget_id: string;
    /** The chat's id, with which the bot answers. */ chat_id: string;
    /** The contact's guid. */ client_id: string;
    /** The event; `message_type` says the same. */ event: "AGENT_JOINED";
    /** The same as `event`. */ message_type: string;
    /** The agent who has taken it. */ agent: {
        /** The agent's id. */ id: string;
    };
};
export type BotAgentUnavailable = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    /** The widget's guid. */ widget_id: string;
    /** The chat's id, with which the bot answers. */ chat_id: string;
    /** The contact's guid. */ client_id: string;
    /** The event; `message_type` says the same. */ event: "AGENT_UNAVAILABLE";
    /** The same as `event`. */ message_type: string;
};
export type BotChatClosed = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    /** The widget's guid. */ widget_id: string;
    /** The chat's id, with which the bot answers. */ chat_id: string;
    /** The contact's guid. */ client_id: string;
    /** The event; `message_type` says the same. */ event: "CHAT_CLOSED";
    /** The same as `event`. */ message_type: string;
};
export type BotClientMessage = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    /** The widget's guid. */ widget_id: string;
    /** The chat's id, with which the bot answers. */ chat_id: string;
    /** The contact's guid. */ client_id: string;
    /** The event; `message_type` says the same. */ event: "CLIENT_MESSAGE";
    /** The same as `event`. */ message_type: string;
    /** The visitor who writes. */ sender: {
        /** The contact's guid, as in `client_id`. */ id: string;
        /** As operators read it. */ name: string;
    };
    /** By what they write. */ channel: {
        /** The channel's code. */ id: string;
    };
    /** Whether INVITE_AGENT would find a person now. */ agents_online: boolean;
    /** The message; members of other types are left out. */ message: {
        /** The message's id: within a chat, the order. */ id: string;
        /** Its text; empty where there is none. */ text: string;
        /** When it was sent, as Unix time. */ timestamp: number;
        /** The text as Markdown, if it was sent as that. */ markdown?: string;
        /** For a photo or document: an address that is good for an hour. */ file?: string;
        /** Its name. */ file_name?: string;
        /** In bytes. */ file_size?: number;
        /** Its type, by its content. */ mime_type?: string;
        /** For a location, in degrees. */ latitude?: number;
        /** The same. */ longitude?: number;
        /** For a sticker. */ sticker?: {
            /** Its id. */ id: string;
            /** The address of its picture. */ url?: string;
        };
        /** Link buttons below the text. */ buttons?: Array<{
            /** The label of the button. */ label: string;
            /** An absolute https URL. */ url: string;
            /** How it looks. */ style: "primary" | "secondary";
        }>;
        /** In capitals; the rest is as it is sent to a custom channel. */ type: "TEXT" | "PHOTO" | "DOCUMENT" | "LOCATION" | "STICKER";
    };
};
export type Break = {
    /** They took it, or they missed too many offers in a row. * `own` - own * `missed` - missed */ reason: "own" | "missed";
    /** The beginning is unknown if null. */ since: string | null;
    /** Their words for colleagues. */ note: string;
    /** The visitors who wait for them go on to others at once. */ pass_on: boolean;
};
export type BrowserInput = {
    endpoint: string;
    p256dh: string;
    auth: string;
};
export type Bucket = {
    /** In Europe/Moscow; inclusive. */ from: string;
    /** In Europe/Moscow; exclusive. */ to: string;
    chats_total?: number;
    chats_missed?: number;
    chats_accepted?: number;
    chats_accepted_ai?: number;
    chats_accepted_human?: number;
    messages_total?: number;
};
export type Button = {
    label: string;
    url: string;
    /** * `primary` - primary * `secondary` - secondary */ style: "primary" | "secondary";
};
export type ButtonInput = {
    label: string;
    /** An absolute https URL, without user name and password. */ url: string;
    /** * `primary` - primary * `secondary` - secondary Without it: `"primary"`. */ style?: "primary" | "secondary";
};
export type Cabinet = {
    id: number;
    /** `av`: Avito. */ provider: string;
    channel: string;
    account_id: string;
    name: string;
    /** * `enabled` - enabled * `disabled` - disabled * `suspended_by_billing` - suspended_by_billing */ status: "enabled" | "disabled" | "suspended_by_billing";
    webhook: MessengerWebhook;
    problem: MessengerProblem | null;
    last_inbound_at: string | null;
    last_outbound_at: string | null;
    created_at: string;
    updated_at: string;
};
export type CabinetInput = {
    /** `suspended_by_billing` is the system's alone. * `enabled` - enabled * `disabled` - disabled */ status: "enabled" | "disabled";
};
export type Card = {
    contact: Contact;
    visitor: Visitor | null;
    /** In force: of the contact, and of the address they came from last. */ blocks: Array<Block>;
    rating: CardRating;
    /** The same visitor's other chats, the latest first. */ other_chats: Array<OtherChat>;
    /** The newest that happened to the chat, oldest first. */ steps: Array<Step>;
    /** The last message that the visitor has seen; 0 for none. */ seen_by_visitor: number;
    /** Null where AI is switched off. */ answering: Answering | null;
    reach: Reach;
    /** The newest summary that a model made. */ summary: CardSummary | null;
    /** Tags in use that fit the chat, and that the contact lacks. */ suggested_tags: Array<string>;
    translation: CardTranslation;
    /** The questions that the visitor answered in words, by key: `{label: {lang: text}, values: {value: {lang: text}}}`. */ questions: Record<string, unknown>;
    /** The names of AI and external operators that the chat's row names, by id. */ operators: Record<string, unknown>;
};
export type CardAction = {
    client_id: string;
    action: string;
    /** `unknown`: the shop did not answer in time. It is never told again. * `running` - running * `done` - done * `failed` - failed * `unknown` - unknown */ state: "running" | "done" | "failed" | "unknown";
    /** The shop's words. */ message: string | null;
};
export type CardActionInput = {
    client_id: string;
    action: string;
};
export type CardRating = {
    requested_at: string | null;
    value: number | null;
    comment: string | null;
    rated_at: string | null;
};
export type CardSummary = {
    /** The assist that made it. */ id: number;
    wants: string;
    done: string;
    open: Array<string>;
    promised: Array<string>;
    language: string;
    up_to_message_id: number;
    at: string;
};
export type CardTranslation = {
    on: boolean;
    /** The caller does not read the visitor's language, and a model can be asked. */ is_offered: boolean;
    /** A model can be asked: the caller may switch it on, whatever the language. */ is_possible: boolean;
    /** The language's code. */ visitor_language: string;
    /** How the visitor's language is known. * `operator` - operator * `model` - model * `widget` - widget * `browser` - browser * `messenger` - messenger * `default` - default */ from: "operator" | "model" | "widget" | "browser" | "messenger" | "default";
    /** The languages that operators read it in. */ to: Array<string>;
};
export type Challenge = {
    /** * `SHA-256` - SHA-256 */ algorithm: "SHA-256";
    challenge: string;
    maxnumber: number;
    salt: string;
    signature: string;
};
export type Channel = {
    /** Provider code; `widget` is the on-site widget. */ channel: string;
    chats_accepted: number;
    chats_accepted_ai: number;
    chats_accepted_human: number;
    chats_missed: number;
};
export type ChannelMessage = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    /** The chat's id. */ chat_id: string;
    /** The author on the operators' side. */ sender: {
        /** The agent's id; null where there is none. */ id: string | null;
        /** As visitors read it. */ name: string;
        /** The kind of the author: `agent` is a person, `system` the shop itself. */ kind: string;
        /** Whether AI speaks; whoever shows the message says so. */ ai: boolean;
    };
    /** The recipient of the message. */ recipient: {
        /** Your own `external_client_id`. */ id: string;
    };
    /** The value of the last inbound message; null if it had none. */ external_channel_id: string | null;
    /** The message; members of other types are left out. */ message: {
        /** The message's id: within a chat, the order. */ id: string;
        /** Its text; empty where there is none. */ text: string;
        /** When it was sent, as Unix time. */ timestamp: number;
        /** The text as Markdown, if it was sent as that. */ markdown?: string;
        /** For a photo or document: an address that is good for an hour. */ file?: string;
        /** Its name. */ file_name?: string;
        /** In bytes. */ file_size?: number;
        /** Its type, by its content. */ mime_type?: string;
        /** For a location, in degrees. */ latitude?: number;
        /** The same. */ longitude?: number;
        /** For a sticker. */ sticker?: {
            /** Its id. */ id: string;
            /** The address of its picture. */ url?: string;
        };
        /** Link buttons below the text. */ buttons?: Array<{
            /** The label of the button. */ label: string;
            /** An absolute https URL. */ url: string;
            /** How it looks. */ style: "primary" | "secondary";
        }>;
        /** Link buttons come with a `text`. */ type: "text" | "photo" | "document" | "location" | "sticker";
    };
};
export type ChannelStats = {
    /** In Europe/Moscow; inclusive. */ from: string;
    /** In Europe/Moscow; exclusive. */ to: string;
    channels: Array<Channel>;
};
export type ChannelStatus = {
    /** 1 while a person has the console open and is not on a break. */ online: number;
};
export type Chat = {
    id: number;
    /** * `active` - active * `ready` - ready * `expired` - expired * `spam` - spam */ status: "active" | "ready" | "expired" | "spam";
    /** Provider code; `widget` is the on-site widget. */ channel: string;
    /** The routing owner; never an AI operator. */ agent_id: number | null;
    accepted_by: Operator | null;
    handled_by: Operator | null;
    /** * `missed` - missed * `human` - human * `ai` - ai * `ai_to_human` - ai_to_human * `human_to_ai` - human_to_ai */ handling: "missed" | "human" | "ai" | "ai_to_human" | "human_to_ai";
    contact_id: string;
    department_id: number | null;
    /** * `low` - low * `normal` - normal * `high` - high * `urgent` - urgent */ priority: "low" | "normal" | "high" | "urgent";
    /** The invitation to chat that its visitor answered last. */ invitation: AnsweredInvitation | null;
    created_at: string;
    last_message_at: string | null;
    contact: ChatContact;
    /** The last one that the visitor may see; notes of operators do not count. */ last_message: LastMessage | null;
    /** The visitor's answers to the widget's questions as it began last, by key. */ answers: Record<string, unknown>;
};
export type ChatAcceptedEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "chat.accepted";
    /** The agent who answers, and the visitor. */ data: {
        /** The chat's id. */ chat_id: number;
        /** The agent's id. */ operator_id: number;
        /** Whether a person or the AI operator answers. */ operator_type: "human" | "ai";
        /** The contact's guid. */ client_id: string;
        /** The widget's guid. */ button_guid: string;
    };
};
export type ChatAnswerTime = {
    /** * `first_reply` - first_reply * `next_reply` - next_reply * `resolution` - resolution */ metric: "first_reply" | "next_reply" | "resolution";
    /** * `running` - running * `paused` - paused * `ended` - ended */ state: "running" | "paused" | "ended";
    /** When it began. */ since: string;
    target_minutes: number;
    used_seconds: number;
    /** A clock has it while it runs, unless it never opens within 400 days. */ due_at: string | null;
    warned_at: string | null;
    /** When the answer was due, if it did not come by then. */ breached_at: string | null;
    ended_at: string | null;
    /** * `person` - person * `ai` - ai * `closed` - closed * `dealt_with` - dealt_with * `spam` - spam */ ended_by: "person" | "ai" | "closed" | "dealt_with" | "spam" | null;
};
export type ChatAssignedEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "chat.assigned";
    /** The agent whose chat it is by the router. */ data: {
        /** The chat's id. */ chat_id: number;
        /** The contact's guid. */ client_id: string;
        /** The agent's id. */ operator_id: number;
        /** The chat's department; null without one. */ department_id: number | null;
        /** They accepted the offer, or were given it at once. */ outcome: "accepted" | "assigned";
        /** The widget's guid. */ button_guid: string;
    };
};
export type ChatClosedEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "chat.closed";
    /** The chat, and why it was closed. */ data: {
        /** The chat's id. */ chat_id: number;
        /** `expired`, or what the caller who closed it gave as the reason. */ reason: string;
        /** The widget's guid. */ button_guid: string;
    };
};
export type ChatContact = {
    id: string;
    name: string | null;
};
export type ChatCreatedEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "chat.created";
    /** The chat and its contact. */ data: {
        /** The chat's id. */ chat_id: number;
        /** The contact's guid. */ client_id: string;
        /** The channel's code. */ source: string;
        /** The widget's guid. */ button_guid: string;
    };
};
export type ChatInvitation = {
    id: number;
    /** Visitors never see it. */ name: string;
    /** * `draft` - draft * `live` - live * `paused` - paused */ state: "draft" | "live" | "paused";
    /** By language; plain text. */ texts: Record<string, unknown>;
    /** Texts by language, sent as the visitor's words. */ buttons: Array<Record<string, unknown>>;
    from: Speaker;
    /** Conditions that must all hold, and in `any` 1 to 5 objects of which one must; `{}` holds everywhere. */ rule: Record<string, unknown>;
    /** The higher first, then the older. */ priority: number;
    /** Percent who would have been invited, and are not. */ holdout: number;
    per_visitor: PerVisitor;
    /** Shown a day (UTC) at most, exactly. */ per_day: number | null;
    /** `{event, hours}` or `{page, hours}`, 72 hours if not said; null: none. */ goal: unknown;
    starts_at: string | null;
    ends_at: string | null;
    /** The department of a chat that begins with it. */ department_id: number | null;
    /** Rises when texts, buttons, `from`, rule, goal or holdout change. */ round: number;
    created_at: string;
    updated_at: string;
};
export type ChatInvitationChangesInput = {
    name?: string;
    /** * `draft` - draft * `live` - live * `paused` - paused */ state?: "draft" | "live" | "paused";
    texts?: Record<string, string>;
    buttons?: Array<Record<string, string>>;
    from?: SpeakerInput;
    /** Conditions that must all hold, and in `any` 1 to 5 objects of which one must; `{}` holds everywhere. */ rule?: unknown;
    priority?: number;
    holdout?: number;
    per_visitor?: PerVisitorInput;
    per_day?: number | null;
    /** `{event, hours}` or `{page, hours}`, 72 hours if not said; null: none. */ goal?: unknown;
    starts_at?: string | null;
    ends_at?: string | null;
    department_id?: number | null;
};
export type ChatInvitationInput = {
    name: string;
    /** * `draft` - draft * `live` - live * `paused` - paused Without it: `"draft"`. */ state?: "draft" | "live" | "paused";
    texts: Record<string, string>;
    buttons?: Array<Record<string, string>>;
    from?: SpeakerInput;
    /** Conditions that must all hold, and in `any` 1 to 5 objects of which one must; `{}` holds everywhere. */ rule?: unknown;
    /** Without it: `50`. */ priority?: number;
    /** Without it: `10`. */ holdout?: number;
    per_visitor?: PerVisitorInput;
    per_day?: number | null;
    /** `{event, hours}` or `{page, hours}`, 72 hours if not said; null: none. */ goal?: unknown;
    starts_at?: string | null;
    ends_at?: string | null;
    department_id?: number | null;
};
export type ChatMetrics = {
    chats: number;
    /** Handed over, or taken by a person, within 24 hours. */ escalations: number;
    escalation_rate: number | null;
    ratings: number;
    rating_average: number | null;
};
export type ChatQueuedEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "chat.queued";
    /** The chat that waits for an operator, and its department. */ data: {
        /** The chat's id. */ chat_id: number;
        /** The contact's guid. */ client_id: string;
        /** The chat's department; null without one. */ department_id: number | null;
        /** The chat's priority. */ priority: "low" | "normal" | "high" | "urgent";
        /** The widget's guid. */ button_guid: string;
    };
};
export type ChatReference = {
    chat_id: number;
};
export type ChatRouting = {
    /** * `low` - low * `normal` - normal * `high` - high * `urgent` - urgent */ priority: "low" | "normal" | "high" | "urgent";
    department_id: number | null;
    agent_id: number | null;
    /** `nobody`, `owner`, `offered`, `queue` or `all`. */ rings_for: string;
    waits_since: string | null;
    queue: Place | null;
    offer: Offer | null;
    assignments: Array<Assignment>;
    /** The last 20 answer times, newest first. */ sla: Array<ChatAnswerTime>;
};
export type ChatTransferredEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "chat.transferred";
    /** The agents before and after the transfer. */ data: {
        /** The chat's id. */ chat_id: number;
        /** The contact's guid. */ client_guid: string;
        /** The agent who had it; null if it had no owner. */ from_operator_id: number | null;
        /** The agent who has it now. */ to_operator_id: number;
        /** The side that did it: the visitor's (`USER`) or the operators' (`OPERATOR`). */ author_type: "USER" | "OPERATOR";
        /** The channel's code. */ source: string;
        /** The widget's guid. */ button_guid: string;
    };
};
export type ChatWithCard = {
    chat: InboxChat;
    card: Card;
};
export type Check = {
    /** * `outcome` - outcome * `must` - must * `must_not` - must_not * `language` - language * `sources` - sources * `facts` - facts * `judge` - judge */ name: "outcome" | "must" | "must_not" | "language" | "sources" | "facts" | "judge";
    /** Null: the judge could not be read. */ ok: boolean | null;
    /** Why it does not hold. */ detail: string | null;
};
export type Checked = {
    field: string;
    op: string;
    value: unknown;
    /** The value then; null of texts. */ was: unknown;
    held: boolean;
};
export type ChosenAssistant = {
    chat_id: number;
};
export type Claim = {
    action_id: number;
    claim_id: string;
    chat_id: number;
    agent: string;
    claimed_at: string;
    expires_at: string;
};
export type Clamped = {
    identity: boolean;
    grant: boolean;
};
export type ClientInput = {
    /** * `ios` - ios * `android` - android * `web` - web * `desktop` - desktop * `other` - other */ platform?: "ios" | "android" | "web" | "desktop" | "other";
    app?: string;
    version?: string;
    os?: string;
    device?: string;
};
export type CloseInput = {
    /** Without one: `expired`. */ reason?: string;
};
export type ClosedBy = {
    /** * `agent` - agent * `staff` - staff */ kind: "agent" | "staff";
    name: string;
};
export type Community = {
    id: number;
    community_id: number;
    name: string;
    screen_name: string;
    link: string;
    /** Visitors are sent to it. */ is_primary: boolean;
    has_token: boolean;
    webhook: MessengerWebhook;
    problem: MessengerProblem | null;
    last_inbound_at: string | null;
    created_at: string;
};
export type CommunityInput = {
    /** The community's key. Never shown again. */ token: string;
    /** Its id, `club…`, its screen name, or a link. */ community: string | number;
};
export type Config = {
    /** The bottom corner. * `right` - right * `left` - left */ widget_position: "right" | "left";
    /** The launcher's distance from the side, in pixels. */ widget_offset_x: number;
    /** The launcher's distance from the bottom, in pixels. */ widget_offset_y: number;
    /** The open chat's distance from the side, in pixels. */ widget_chat_offset_x: number;
    /** The open chat's distance from the bottom, in pixels. */ widget_chat_offset_y: number;
    /** At most, in pixels. */ widget_chat_width: number;
    /** At most, in pixels. */ widget_chat_height: number;
    /** A launcher of 48, 56 or 64 pixels. */ widget_button_size: number;
    widget_z_index: number;
    /** A preset's id, or `custom:N` of an icon of this widget. */ icon_preset: string;
    /** How the icon moves: turns; turns and breathes. * `static` - static * `spin` - spin * `spiral` - spiral */ icon_custom_animated: "static" | "spin" | "spiral";
    /** `auto`: the system's. * `auto` - auto * `light` - light * `dark` - dark */ widget_color_scheme: "auto" | "light" | "dark";
    /** A tone for an answer while the chat is closed or hidden. */ widget_sound: boolean;
    /** Off: opened by `Parley.open()` alone. */ widget_show_launcher: boolean;
    /** The greeting. */ widget_show_greeting: boolean;
    /** Online, or away. */ widget_show_status: boolean;
    /** Shows that an operator is typing. */ widget_show_typing: boolean;
    /** An unread answer beside the launcher. */ widget_show_preview: boolean;
    /** The count of unread answers in a hidden tab's title. */ widget_show_title_count: boolean;
    /** Visitors may send files. */ widget_show_files: boolean;
    /** Visitors may rate the chat. */ widget_show_rating: boolean;
    /** A form while no operator is online. */ widget_show_offline_form: boolean;
    /** The choice of a department before the first message. */ widget_show_departments: boolean;
    /** Links to messengers. */ widget_show_messengers: boolean;
    /** The menu of languages. */ widget_show_lang_switcher: boolean;
    guid: string;
    language: string;
    /** * `ltr` - ltr * `rtl` - rtl */ direction: "ltr" | "rtl";
    languages: Array<SupportedLanguage>;
    texts_url: string;
    /** The texts of the closed widget. */ texts: Record<string, unknown>;
    widget_name: string;
    widget_signature: string | null;
    widget_greeting: string | null;
    device_profiles: ServedProfiles | null;
    theme: Theme;
    icon: ServedIcon;
    operators_display_mode: string;
    operators: Array<HeaderOperator>;
    departments: Array<ServedDepartment>;
    online: boolean;
    /** When a department opens next, while all of them are closed. */ back_at: string | null;
    /** The owner's text of a holiday that is today, while all are closed. */ closed_text: string | null;
    /** Whether visitors are asked to have answers mailed (`letters.mode` is `ask`). */ mail_answers: boolean;
    letters: ServedLetters;
    features: Features;
    /** Absent if the app is left out. */ rating_form?: RatingForm;
    /** Null while no AI operator answers visitors. */ ai: ServedAi | null;
    /** The sentence to show before the first message that has `ai`. Absent while AI is off and the owner has no wording of it. */ ai_disclosure?: string;
    /** Absent if the app is left out. */ messengers?: Array<ServedMessenger>;
    /** Present if visitors may prove their mailbox by a code. */ email_codes?: ServedProof;
    /** Whether the page may call the widget's API. */ api_enabled: boolean;
    /** Whether a visitor's identity can be proved. */ identity: boolean;
    realtime_url: string;
    /** True where an invitation to chat is live; else the member is absent. */ invitations?: boolean;
    /** The site's domain, where its subdomains share a visitor; else the member is absent. */ widget_cookie_domain?: string;
    /** The articles in the chat; absent where it shows none. */ help?: ServedHelp;
    /** The questions as a chat begins; absent where nothing is asked. */ questions?: ServedQuestions;
};
export type Consent = {
    /** The question's. */ key: string;
    given: boolean;
    /** SHA-256 of the text as it was shown, in UTF-8, in hexadecimal. */ text_sha256: string;
    /** The text's language. */ lang: string;
    at: string;
};
export type Contact = {
    id: string;
    name: string | null;
    email: string | null;
    phone: string | null;
    /** The `user_id` of your website, as `identity_hmac` has proved it; null while none is proved. */ external_id: string | null;
    attributes: Record<string, unknown>;
    /** The newest first, at most 100. */ consents: Array<Consent>;
    /** Sorted by code point. */ tags: Array<string>;
    /** The contact whom operators say to be the same person, and who comes first; null for none. */ merged_into: string | null;
    /** The contacts that are joined to this one. Each keeps its chats, values and identity. */ merged: Array<string>;
    created_at: string;
    updated_at: string;
};
export type ContactInput = {
    name?: string | null;
    email?: string | null;
    phone?: string | null;
    /** Merged by key: a null removes its key, a null in place of the object removes all. At most 64 keys of 1 to 64 characters; values are strings up to 1,000 characters, numbers, true or false. */ attributes?: Record<string, unknown> | null;
};
export type ContactNote = {
    id: number;
    text: string;
    agent_id: number | null;
    by: string | null;
    created_at: string;
};
export type ContactNoteInput = {
    text: string;
};
export type ContactUpdatedEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "contact.updated";
    /** The names of what changed, and none of it. */ data: {
        /** The contact's guid. */ client_id: string;
        /** Names of the contact's members. */ changed_fields: Array<string>;
        /** The widget's guid. */ button_guid: string;
    };
};
export type Continuation = {
    url: string;
};
export type ContinueInput = {
    /** * `tg` - tg */ channel: "tg";
};
export type Coords = {
    lat: number;
    lng: number;
};
export type CoordsInput = {
    lat?: number;
    lng?: number;
    /** The same as `lat`. */ latitude?: number;
    /** The same as `lng`. */ longitude?: number;
};
export type Copies = {
    /** To whom answers go; null in a chat that is no mailbox's. */ address: string | null;
    /** The people who get a copy. */ copies: Array<string>;
    /** Others who wrote into the chat or were named in its e-mails, and may be given a copy. */ others: Array<string>;
};
export type CopiesInput = {
    copies: Array<string>;
};
export type CountFigure = {
    value: number;
    /** Out of how many. */ of: number | null;
    /** `value` of `of`, to four places; null of none. */ rate: number | null;
    /** The address of the list, which has exactly so many rows. */ chats: string;
};
export type CrawlPages = {
    found: number;
    fetched: number;
    changed: number;
    unchanged: number;
    skipped: number;
    failed: number;
    removed: number;
};
export type CrawlProblem = {
    url: string;
    /** `robots`, `noindex`, `off_host`, `too_deep`, `excluded`, `status_NNN`, `timeout`, `unreachable`, `blocked_address`, `too_large`, `not_text`, `empty`, `duplicate`, `redirects` or `login`. */ reason: string;
};
export type CrawlRun = {
    id: number;
    /** * `queued` - queued * `running` - running * `done` - done * `failed` - failed * `cancelled` - cancelled */ state: "queued" | "running" | "done" | "failed" | "cancelled";
    /** * `put` - put * `schedule` - schedule */ trigger: "put" | "schedule";
    queued_at: string;
    started_at: string | null;
    finished_at: string | null;
    pages: CrawlPages;
    rules_written: number;
    error: Error | null;
    /** The first 50. */ problems: Array<CrawlProblem>;
};
export type Crawler = {
    config: CrawlerConfig | null;
    run: CrawlRun | null;
};
export type CrawlerConfig = {
    start_urls: Array<string>;
    max_pages: number;
    max_depth: number;
    include_paths: Array<string>;
    exclude_paths: Array<string>;
    use_sitemap: boolean;
    recrawl_every_hours: number | null;
    created_at: string;
    updated_at: string;
    next_run_at: string | null;
};
export type CrawlerInput = {
    /** 1 to 10 distinct https addresses; only their hosts are crawled. */ start_urls: Array<string>;
    /** Pages fetched in a run. Without it: `200`. */ max_pages?: number;
    /** Links away from a start URL; a sitemap's pages are at 1. Without it: `3`. */ max_depth?: number;
    /** Prefixes of paths, of which one must fit. Start URLs are always fetched. */ include_paths?: Array<string>;
    /** Prefixes of paths that are not fetched; they win. */ exclude_paths?: Array<string>;
    /** Without it: `true`. */ use_sitemap?: boolean;
    /** Null: never by itself. Without it: `168`. */ recrawl_every_hours?: number | null;
};
export type CrawlerStatus = {
    configured: boolean;
    /** * `queued` - queued * `running` - running * `done` - done * `failed` - failed * `cancelled` - cancelled */ state: "queued" | "running" | "done" | "failed" | "cancelled" | null;
    last_finished_at: string | null;
};
export type CreatedIntegration = {
    /** The driver that answers turns. */ provider: string;
    /** The only token that may sign calls. */ api_token_id: number;
    turn_endpoint: string;
    has_secret: boolean;
    /** 48 letters and digits. Store it: it is not shown again. */ signing_secret: string;
};
export type CreatedSubscription = {
    id: number;
    url: string;
    events: Array<string>;
    /** The events among `events` that are not enabled platform-wide now: they are not delivered until they are. `GET /v1/webhook-events` tells of every event whether it is. */ disabled_events: Array<string>;
    is_active: boolean;
    is_legacy_compat: boolean;
    created_at: string;
    updated_at: string;
    secret: string;
};
export type Credential = {
    id: number;
    /** * `openai_compatible` - openai_compatible * `openai` - openai * `anthropic` - anthropic * `gemini` - gemini */ provider: "openai_compatible" | "openai" | "anthropic" | "gemini";
    /** * `widget` - widget * `assistant` - assistant * `operator` - operator */ scope: "widget" | "assistant" | "operator";
    assistant_id: number | null;
    operator_id: number | null;
    /** The base URL in use. */ endpoint: string;
    /** The credential's own. */ base_url: string | null;
    model: string | null;
    /** The uses that it is for. */ uses: Array<"answers" | "knowledge">;
    /** Null: it is found out by itself. */ embedding_model: string | null;
    /** The seconds that one call may take. */ timeout_s: number;
    /** The context of the model; null: not known. */ context_tokens: number | null;
    is_active: boolean;
    has_api_key: boolean;
    has_signing_secret: boolean;
    backup_credential_id: number | null;
    /** At most three; inactive ones are passed over. */ backup_chain: Array<Backup>;
    created_at: string;
    updated_at: string;
};
export type CredentialChangesInput = {
    /** Never shown again, to anybody. */ api_key?: string;
    /** https, on a public address. Required for `openai_compatible`; of the others, a gateway's. */ base_url?: string | null;
    model?: string | null;
    /** The uses that it is for; without it, both. */ uses?: Array<"answers" | "knowledge"> | null;
    /** The model for the knowledge base; without it, it is found out by itself. */ embedding_model?: string | null;
    /** The seconds that one call may take; a reply may take twice as many, and 45 at least. */ timeout_s?: number | null;
    /** The context of the model: what is sent fits into it. Null: not known. */ context_tokens?: number | null;
    /** Signs each request: `X-Service-Signature` of the raw body. Never shown. */ signing_secret?: string | null;
    is_active?: boolean;
    /** Only for this assistant. */ assistant_id?: number | null;
    /** Only for this AI operator. */ operator_id?: number | null;
    /** The credential that is used when this one fails. */ backup_credential_id?: number | null;
};
export type CredentialInput = {
    /** A driver's code; it never changes. * `openai_compatible` - openai_compatible * `openai` - openai * `anthropic` - anthropic * `gemini` - gemini */ provider: "openai_compatible" | "openai" | "anthropic" | "gemini";
    /** Never shown again, to anybody. */ api_key: string;
    /** https, on a public address. Required for `openai_compatible`; of the others, a gateway's. */ base_url?: string | null;
    model?: string | null;
    /** The uses that it is for; without it, both. */ uses?: Array<"answers" | "knowledge"> | null;
    /** The model for the knowledge base; without it, it is found out by itself. */ embedding_model?: string | null;
    /** The seconds that one call may take; a reply may take twice as many, and 45 at least. */ timeout_s?: number | null;
    /** The context of the model: what is sent fits into it. Null: not known. */ context_tokens?: number | null;
    /** Signs each request: `X-Service-Signature` of the raw body. Never shown. */ signing_secret?: string | null;
    is_active?: boolean;
    /** Only for this assistant. */ assistant_id?: number | null;
    /** Only for this AI operator. */ operator_id?: number | null;
    /** The credential that is used when this one fails. */ backup_credential_id?: number | null;
};
export type Criterion = {
    key: string;
    title: string;
    about: string;
    /** `yes_no`: 0 and 1; `five`: 1 to 5. * `yes_no` - yes_no * `five` - five */ scale: "yes_no" | "five";
    weight: number;
    /** At its lowest value the whole score is 0. */ is_critical: boolean;
    /** * `person` - person * `ai` - ai * `both` - both */ applies: "person" | "ai" | "both";
};
export type CriterionInput = {
    key: string;
    title: string;
    /** Without it: `""`. */ about?: string;
    /** * `yes_no` - yes_no * `five` - five */ scale: "yes_no" | "five";
    /** Without it: `1`. */ weight?: number;
    /** Without it: `false`. */ is_critical?: boolean;
    /** * `person` - person * `ai` - ai * `both` - both Without it: `"both"`. */ applies?: "person" | "ai" | "both";
};
export type CursorInput = {
    number: number;
    after_message_id: number;
};
export type CustomChannel = {
    id: number;
    name: string;
    /** The channel's name in chats and events: `ch` and its id. */ code: string;
    /** False: it is disabled, and takes no messages. */ is_active: boolean;
    has_secret: boolean;
};
export type CustomChannelInput = {
    /** The name for operators. */ name: string;
    /** The address of operators' messages: https, on a public address, at most 2048 characters. */ outbound_url: string;
    /** Without it: `true`. */ is_active?: boolean;
};
export type Cycle = {
    id: number;
    assistant_id: number;
    /** * `manual` - manual * `schedule` - schedule */ trigger: "manual" | "schedule";
    /** * `queued` - queued * `running` - running * `applied` - applied * `no_change` - no_change * `refused` - refused * `failed` - failed */ state: "queued" | "running" | "applied" | "no_change" | "refused" | "failed";
    /** Why nothing was applied; a guard rail's name where it was refused. */ reason: string | null;
    base_version: number;
    /** The version that it made. */ version: number | null;
    summary: string;
    patch: Patch | null;
    evidence: Evidence;
    evaluation: Evaluation | null;
    provider_http_operations: number;
    queued_at: string;
    started_at: string | null;
    finished_at: string | null;
};
export type Decision = {
    at: string;
    /** * `submitted` - submitted * `approved` - approved * `rejected` - rejected * `reverted` - reverted * `kept` - kept * `rolled_back` - rolled_back */ action: "submitted" | "approved" | "rejected" | "reverted" | "kept" | "rolled_back";
    actor: Actor;
    version: number | null;
    reason: string | null;
};
export type DeclaredAttribute = {
    key: string;
    /** * `text` - text * `number` - number * `boolean` - boolean * `date` - date * `link` - link * `choice` - choice */ kind: "text" | "number" | "boolean" | "date" | "link" | "choice";
    /** The values of a `choice`. */ choices: Array<string>;
};
export type DeclaredAttributeInput = {
    key: string;
    /** * `text` - text * `number` - number * `boolean` - boolean * `date` - date * `link` - link * `choice` - choice */ kind: "text" | "number" | "boolean" | "date" | "link" | "choice";
    /** The values of a `choice`, 1 to 50. */ choices?: Array<string>;
};
export type DeletedSource = {
    source_ref: string;
    deleted: number;
};
export type DeletedUpload = {
    id: number;
    deleted_rules: number;
};
export type Delivery = {
    /** The value of `X-Service-Delivery`. */ delivery_id: string;
    /** The event's: the body's `id`, and `X-Service-Idempotency-Key`. */ event_id: string;
    /** The native name, whatever the envelope. */ event_type: string;
    /** `skipped`: the subscription was not active, or the event type not enabled, when its turn came. * `pending` - pending * `delivered` - delivered * `failed` - failed * `skipped` - skipped */ status: "pending" | "delivered" | "failed" | "skipped";
    /** The whole body as it was sent, with `[скрыто]` in place of phone numbers, e-mail addresses and card-like runs of digits. Empty where the key that it was encrypted with is lost. */ payload: Record<string, unknown>;
    is_redeliverable: boolean;
    /** How many attempts have ended. */ attempts: number;
    /** The status of the last attempt; null if there was no answer. */ response_status: number | null;
    /** Why the last attempt failed. */ last_error: string | null;
    created_at: string;
    delivered_at: string | null;
};
export type DeliveryTestEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "delivery.test";
    /** A test: answer 2xx with the JSON `{"challenge": "<the same>", "proof": "sha256=v1:<hex>"}`. The proof is the HMAC-SHA256 of the challenge; the key is the secret's text. A test that names another `endpoint_url` than your own was sent on to you by somebody else: refuse it. */ data: {
        /** The widget's guid. */ button_guid: string;
        /** The operator's agent id. */ operator_id: number;
        /** The operator's public id. */ operator_public_id: string;
        /** The test's public id. */ test_id: string;
        /** The challenge to prove. */ challenge: string;
        /** The address that is tested. */ endpoint_url: string;
    };
};
export type Demand = {
    /** In Europe/Moscow; inclusive. */ from: string;
    /** In Europe/Moscow; exclusive. */ to: string;
    /** The totals of all categories, whatever the filter. */ totals: DemandTotals;
    /** The most frequent first, then the newest. */ signals: Array<DemandSignal>;
};
export type DemandSignal = {
    /** * `knowledge_gap` - knowledge_gap * `escalation` - escalation * `dissatisfaction` - dissatisfaction * `missed_contact` - missed_contact */ category: "knowledge_gap" | "escalation" | "dissatisfaction" | "missed_contact";
    /** The first question. */ topic: string;
    count: number;
    chats: number;
    /** In the window before, of equal length. */ previous_count: number;
    /** The newest three that differ; no personal data. */ samples: Array<string>;
    first_seen_at: string;
    last_seen_at: string;
};
export type DemandTotals = {
    /** Knowledge was looked for, and there was none. */ knowledge_gap: number;
    /** A chat of AI went to a person. */ escalation: number;
    /** A rating of 1 or 2, or a thumb down under an answer. */ dissatisfaction: number;
    /** A form while no operator was online. */ missed_contact: number;
};
export type Department = {
    id: number;
    name: string;
    channels: Array<string>;
    agent_ids: Array<number>;
    schedule: Record<string, unknown>;
    avatar_url: string | null;
    created_at: string;
    updated_at: string;
};
export type DepartmentAgentsInput = {
    agent_ids: Array<number>;
};
export type DepartmentChangesInput = {
    name?: string;
    channels?: Array<string>;
};
export type DepartmentHoursInput = {
    /** Such as `Europe/Moscow`. */ time_zone: string | null;
    week: Record<string, unknown>;
    exceptions: Array<unknown>;
};
export type DepartmentInput = {
    name: string;
    channels?: Array<string>;
    agent_ids?: Array<number>;
    /** A day that is omitted is closed. Without a schedule: open all week. */ schedule?: Record<string, unknown>;
};
export type DepartmentPlaces = {
    department_id: number;
    capacity: number | null;
    load: number;
};
export type DepartmentPlacesInput = {
    department_id: number;
    /** Null: no limit of its own. */ capacity: number | null;
};
export type DepartmentReference = {
    id: number;
    name: string;
};
export type DepartmentRouting = {
    /** `manual`: a chat rings for all; `routed`: it is offered. * `manual` - manual * `routed` - routed */ mode: "manual" | "routed" | null;
    accept_seconds: number | null;
    silent_minutes: number | null;
    prefer_last: boolean | null;
    /** How operators count who read the visitor's language. * `ignore` - ignore * `prefer` - prefer * `only` - only */ languages: "ignore" | "prefer" | "only" | null;
    overflow: Overflow | null;
    answer_times: Array<AnswerTime> | null;
    warn_percent: number | null;
    /** Whether answer times run in open time alone. * `open` - open * `always` - always */ clock: "open" | "always" | null;
    effective: EffectiveRouting;
};
export type DepartmentRoutingInput = {
    /** `manual`: a chat rings for all; `routed`: it is offered. * `manual` - manual * `routed` - routed */ mode?: "manual" | "routed" | null;
    /** An offer stands for so long, then the next operator has it; 0: a chat is theirs at once. */ accept_seconds?: number | null;
    /** After so many minutes of a visitor's wait for an owner who is here others are asked; 0: never. */ silent_minutes?: number | null;
    /** A chat that comes back is its last operator's, if they are here. */ prefer_last?: boolean | null;
    /** How operators count who read the visitor's language. * `ignore` - ignore * `prefer` - prefer * `only` - only */ languages?: "ignore" | "prefer" | "only" | null;
    overflow?: OverflowInput | null;
    answer_times?: Array<AnswerTimeInput> | null;
    /** An answer time is warned of after so much of it. */ warn_percent?: number | null;
    /** Whether answer times run in open time alone. * `open` - open * `always` - always */ clock?: "open" | "always" | null;
};
export type DepartmentScheduleInput = {
    /** A day that is omitted is closed. */ schedule: Record<string, unknown>;
};
export type DeskAccount = {
    /** * `anonymous` - anonymous * `awaiting_code` - awaiting_code * `verified` - verified * `none` - none */ link: "anonymous" | "awaiting_code" | "verified" | "none";
    /** Confirmed; in details alone. */ email: string | null;
    app_user_id: string | null;
    /** * `email_code` - email_code * `agent_code` - agent_code * `cabinet` - cabinet * `telegram_link` - telegram_link * `app_ticket` - app_ticket */ link_source: "email_code" | "agent_code" | "cabinet" | "telegram_link" | "app_ticket" | null;
    identity_expires_at: string | null;
    regrant_needed: boolean;
    code_pending: boolean;
    code_expires_at: string | null;
    last_code_result: string | null;
    last_code_at: string | null;
    email_requested: boolean;
};
export type DeskAi = {
    /** * `off` - off * `paused` - paused * `active` - active */ state: "off" | "paused" | "active";
    handling: string;
};
export type DeskAttachmentReference = {
    name: string;
    content_type: string;
    size: number;
    /** * `image` - image * `text` - text * `file` - file */ readable: "image" | "text" | "file" | null;
};
export type DeskChat = {
    id: number;
    channel: string;
    status: string;
    /** Null where a reply would be refused. */ delivery: string | null;
    account: DeskAccount;
    locale: string | null;
    contact: DeskContact;
    ai: DeskAi;
    last_message: DeskLastMessage | null;
    /** The customer's messages since the last answer. */ unanswered: number;
    waiting_since: string | null;
    open_ticket: number | null;
    lease: DeskLease | null;
    created_at: string;
    updated_at: string;
};
export type DeskChatList = {
    data: Array<DeskChat>;
    /** Always null. */ next_cursor: string | null;
    truncated: boolean;
};
export type DeskChatReference = {
    id: number;
    channel: string;
    status: string;
    /** Null where a reply would be refused. */ delivery: string | null;
    account: DeskAccount;
};
export type DeskClaimInput = {
    /** Without it: `600`. */ ttl_sec?: number;
    /** The id of the live lease, to extend it. */ claim_id?: string;
    note?: string;
};
export type DeskCloseInput = {
    /** * `resolved` - resolved * `answered_by_email` - answered_by_email * `duplicate` - duplicate * `false_positive` - false_positive */ reason: "resolved" | "answered_by_email" | "duplicate" | "false_positive";
    /** With `duplicate` alone: another ticket of the widget. */ duplicate_of?: number;
    claim_id?: string;
    note?: string;
};
export type DeskContact = {
    id: string;
    name: string | null;
};
export type DeskLastMessage = {
    id: number;
    kind: string;
    type: string;
    /** Its first 500 characters. */ text: string;
    at: string;
};
export type DeskLease = {
    agent: string;
    claimed_at: string;
    expires_at: string;
    /** Whether this token holds it. */ mine: boolean;
};
export type DeskMessage = {
    id: number;
    type: string;
    text: string;
    sender: DeskSender;
    created_at: string;
    attachment: DeskAttachmentReference | null;
    keyboard: Record<string, unknown> | null;
    is_note: boolean;
    /** Whether the text is hidden, as a code's. */ redacted: boolean;
};
export type DeskMessageList = {
    data: Array<DeskMessage>;
    /** The next `after_id`. */ next_cursor: string | null;
    chat: DeskChatReference;
};
export type DeskMovedTicket = {
    number: number;
    /** * `open` - open * `closed` - closed */ state: "open" | "closed";
    /** * `app_request` - app_request * `offline_form` - offline_form * `customer_request` - customer_request * `safety` - safety * `ai_failed` - ai_failed * `ai_handoff` - ai_handoff * `unanswered` - unanswered */ reason: "app_request" | "offline_form" | "customer_request" | "safety" | "ai_failed" | "ai_handoff" | "unanswered";
    /** * `resolved` - resolved * `answered_by_email` - answered_by_email * `duplicate` - duplicate * `false_positive` - false_positive * `answered` - answered */ close_reason: "resolved" | "answered_by_email" | "duplicate" | "false_positive" | "answered" | null;
    /** * `urgent` - urgent * `high` - high * `normal` - normal * `low` - low */ priority: "urgent" | "high" | "normal" | "low";
    /** * `question` - question * `bug` - bug * `billing` - billing * `refund` - refund * `account` - account * `complaint` - complaint * `feedback` - feedback * `other` - other */ category: "question" | "bug" | "billing" | "refund" | "account" | "complaint" | "feedback" | "other" | null;
    subject: string | null;
    /** * `app` - app * `assistant` - assistant * `web_cabinet` - web_cabinet * `email` - email * `widget` - widget * `ai` - ai */ source: "app" | "assistant" | "web_cabinet" | "email" | "widget" | "ai";
    held_for_owner: boolean;
    opened_at: string;
    queued_at: string;
    updated_at: string;
    closed_at: string | null;
    closed_by: ClosedBy | null;
    reopen_until: string | null;
    duplicate_of: number | null;
    chat: DeskChat;
    opening_transcript: Array<TranscriptLine>;
    previous_numbers: Array<number>;
    agent_notes: Array<AgentNote>;
    context: Record<string, unknown> | null;
    client: Record<string, unknown> | null;
    refund: Record<string, unknown> | null;
    action_id: number;
};
export type DeskReleaseInput = {
    claim_id: string;
};
export type DeskReopenInput = {
    note?: string;
    claim_id?: string;
};
export type DeskReplyInput = {
    /** Plain text, 1 to 3,500 characters once it is normalised; links of the owner's catalogue alone. */ text: string;
    /** `last_message.id` as it was read; 0 without one. */ expected_last_message_id: number;
    /** A ticket of the chat, which the answer closes or holds. */ ticket?: number;
    /** False: the ticket is held for the owner. Without it: `true`. */ close_ticket?: boolean;
    claim_id?: string;
    note?: string;
};
export type DeskSender = {
    /** * `client` - client * `ai` - ai * `support` - support * `external_operator` - external_operator * `system` - system */ kind: "client" | "ai" | "support" | "external_operator" | "system";
    name: string | null;
    /** * `support_api` - support_api * `console` - console */ via: "support_api" | "console" | null;
};
export type DeskSettings = {
    /** When AI drafts an answer for an operator. * `off` - off * `asked` - asked * `waiting` - waiting */ drafts: "off" | "asked" | "waiting";
    /** Answers of people may be sources of drafts. */ past_answers: boolean;
    /** When AI sums a chat up. * `off` - off * `handover` - handover * `auto` - auto */ summaries: "off" | "handover" | "auto";
    /** Whether chats are translated. * `off` - off * `offer` - offer * `auto` - auto */ translation: "off" | "offer" | "auto";
    /** After so many minutes of its owner's absence a waiting chat rings for all; 0: never. */ away_minutes: number;
};
export type DeskSettingsInput = {
    /** When AI drafts an answer for an operator. * `off` - off * `asked` - asked * `waiting` - waiting */ drafts?: "off" | "asked" | "waiting";
    /** Answers of people may be sources of drafts. */ past_answers?: boolean;
    /** When AI sums a chat up. * `off` - off * `handover` - handover * `auto` - auto */ summaries?: "off" | "handover" | "auto";
    /** Whether chats are translated. * `off` - off * `offer` - offer * `auto` - auto */ translation?: "off" | "offer" | "auto";
    /** After so many minutes of its owner's absence a waiting chat rings for all; 0: never. */ away_minutes?: number;
};
export type DeskTicket = {
    number: number;
    /** * `open` - open * `closed` - closed */ state: "open" | "closed";
    /** * `app_request` - app_request * `offline_form` - offline_form * `customer_request` - customer_request * `safety` - safety * `ai_failed` - ai_failed * `ai_handoff` - ai_handoff * `unanswered` - unanswered */ reason: "app_request" | "offline_form" | "customer_request" | "safety" | "ai_failed" | "ai_handoff" | "unanswered";
    /** * `resolved` - resolved * `answered_by_email` - answered_by_email * `duplicate` - duplicate * `false_positive` - false_positive * `answered` - answered */ close_reason: "resolved" | "answered_by_email" | "duplicate" | "false_positive" | "answered" | null;
    /** * `urgent` - urgent * `high` - high * `normal` - normal * `low` - low */ priority: "urgent" | "high" | "normal" | "low";
    /** * `question` - question * `bug` - bug * `billing` - billing * `refund` - refund * `account` - account * `complaint` - complaint * `feedback` - feedback * `other` - other */ category: "question" | "bug" | "billing" | "refund" | "account" | "complaint" | "feedback" | "other" | null;
    subject: string | null;
    /** * `app` - app * `assistant` - assistant * `web_cabinet` - web_cabinet * `email` - email * `widget` - widget * `ai` - ai */ source: "app" | "assistant" | "web_cabinet" | "email" | "widget" | "ai";
    held_for_owner: boolean;
    opened_at: string;
    queued_at: string;
    updated_at: string;
    closed_at: string | null;
    closed_by: ClosedBy | null;
    reopen_until: string | null;
    duplicate_of: number | null;
    chat: DeskChatReference;
};
export type DeskTicketDetail = {
    number: number;
    /** * `open` - open * `closed` - closed */ state: "open" | "closed";
    /** * `app_request` - app_request * `offline_form` - offline_form * `customer_request` - customer_request * `safety` - safety * `ai_failed` - ai_failed * `ai_handoff` - ai_handoff * `unanswered` - unanswered */ reason: "app_request" | "offline_form" | "customer_request" | "safety" | "ai_failed" | "ai_handoff" | "unanswered";
    /** * `resolved` - resolved * `answered_by_email` - answered_by_email * `duplicate` - duplicate * `false_positive` - false_positive * `answered` - answered */ close_reason: "resolved" | "answered_by_email" | "duplicate" | "false_positive" | "answered" | null;
    /** * `urgent` - urgent * `high` - high * `normal` - normal * `low` - low */ priority: "urgent" | "high" | "normal" | "low";
    /** * `question` - question * `bug` - bug * `billing` - billing * `refund` - refund * `account` - account * `complaint` - complaint * `feedback` - feedback * `other` - other */ category: "question" | "bug" | "billing" | "refund" | "account" | "complaint" | "feedback" | "other" | null;
    subject: string | null;
    /** * `app` - app * `assistant` - assistant * `web_cabinet` - web_cabinet * `email` - email * `widget` - widget * `ai` - ai */ source: "app" | "assistant" | "web_cabinet" | "email" | "widget" | "ai";
    held_for_owner: boolean;
    opened_at: string;
    queued_at: string;
    updated_at: string;
    closed_at: string | null;
    closed_by: ClosedBy | null;
    reopen_until: string | null;
    duplicate_of: number | null;
    chat: DeskChat;
    opening_transcript: Array<TranscriptLine>;
    previous_numbers: Array<number>;
    agent_notes: Array<AgentNote>;
    context: Record<string, unknown> | null;
    client: Record<string, unknown> | null;
    refund: Record<string, unknown> | null;
};
export type DeviceOverrides = {
    /** The bottom corner. * `right` - right * `left` - left */ widget_position?: "right" | "left";
    /** The launcher's distance from the side, in pixels. */ widget_offset_x?: number;
    /** The launcher's distance from the bottom, in pixels. */ widget_offset_y?: number;
    /** The open chat's distance from the side, in pixels. */ widget_chat_offset_x?: number;
    /** The open chat's distance from the bottom, in pixels. */ widget_chat_offset_y?: number;
    /** At most, in pixels. */ widget_chat_width?: number;
    /** At most, in pixels. */ widget_chat_height?: number;
    /** A launcher of 48, 56 or 64 pixels. */ widget_button_size?: number;
    widget_z_index?: number;
    /** A preset's id, or `custom:N` of an icon of this widget. */ icon_preset?: string;
    /** How the icon moves: turns; turns and breathes. * `static` - static * `spin` - spin * `spiral` - spiral */ icon_custom_animated?: "static" | "spin" | "spiral";
    /** Off: opened by `Parley.open()` alone. */ widget_show_launcher?: boolean;
};
export type DeviceOverridesInput = {
    /** The bottom corner. * `right` - right * `left` - left */ widget_position?: "right" | "left" | null;
    /** The launcher's distance from the side, in pixels. */ widget_offset_x?: number | null;
    /** The launcher's distance from the bottom, in pixels. */ widget_offset_y?: number | null;
    /** The open chat's distance from the side, in pixels. */ widget_chat_offset_x?: number | null;
    /** The open chat's distance from the bottom, in pixels. */ widget_chat_offset_y?: number | null;
    /** At most, in pixels. */ widget_chat_width?: number | null;
    /** At most, in pixels. */ widget_chat_height?: number | null;
    /** A launcher of 48, 56 or 64 pixels. */ widget_button_size?: number | null;
    widget_z_index?: number | null;
    /** A preset's id, or `custom:N` of an icon of this widget. */ icon_preset?: string | null;
    /** How the icon moves: turns; turns and breathes. */ icon_custom_animated?: "static" | "spin" | "spiral" | boolean | null;
    /** Off: opened by `Parley.open()` alone. */ widget_show_launcher?: boolean | null;
};
export type DeviceProfiles = {
    enabled: boolean;
    desktop: DeviceOverrides;
    mobile: DeviceOverrides;
};
export type DeviceProfilesInput = {
    /** While false, what is kept is not served. */ enabled?: boolean | null;
    desktop?: DeviceOverridesInput | null;
    mobile?: DeviceOverridesInput | null;
};
export type DraftInput = {
    persona?: string | null;
    system_prompt?: string | null;
    temperature?: number | null;
    rag_enabled?: boolean;
    /** Words at which a visitor is handed to people; a trailing `*` matches a beginning. */ escalation_triggers?: Array<string> | null;
    /** * `openai_compatible` - openai_compatible * `openai` - openai * `anthropic` - anthropic * `gemini` - gemini */ provider?: "openai_compatible" | "openai" | "anthropic" | "gemini" | null;
    model?: string | null;
};
export type DraftSource = {
    n: number;
    /** * `knowledge` - knowledge * `past` - past * `card` - card */ kind: "knowledge" | "past" | "card";
    title: string;
    url: string | null;
    ref: string;
    /** Visitors may be told of it. */ is_public: boolean;
};
export type DrainedOperator = {
    public_id: string;
    /** The operator that it is among the widget's agents. */ agent_id: number;
    name: string;
    /** The address to which turns are posted. */ endpoint_url: string;
    /** * `draft` - draft * `active` - active * `paused` - paused * `killed` - killed * `revoked` - revoked * `rotating` - rotating */ state: "draft" | "active" | "paused" | "killed" | "revoked" | "rotating";
    /** Whether the present URL has proved that it knows the operator's secret. */ verified: boolean;
    verified_at: string | null;
    has_secret: boolean;
    has_bearer: boolean;
    requires_signed_replies: boolean;
    /** A person writes its replies, says the cabinet: its messages are not marked `ai`. False at first. */ answers_by_person: boolean;
    reply_timeout_sec: number;
    /** The outcome of a turn without an answer. * `handoff` - handoff * `model` - model */ fallback: "handoff" | "model";
    department_ids: Array<number>;
    rotation: Rotation | null;
    queue: OperatorQueue;
    health: Health;
    last_test: ProbeTest | null;
    created_at: string;
    updated_at: string;
    state_changed_at: string;
    /** Events that will not be delivered. */ abandoned: number;
};
export type DueAnswer = {
    /** * `first_reply` - first_reply * `next_reply` - next_reply * `resolution` - resolution */ metric: "first_reply" | "next_reply" | "resolution";
    due_at: string;
    warned_at: string | null;
    breached_at: string | null;
};
export type EditInput = {
    body?: string;
    /** In place of `body`: the text with marks. */ markdown?: string;
    source?: OwnWordsInput;
};
export type Effect = {
    difference: number;
    low: number;
    high: number;
};
export type EffectiveRouting = {
    /** `manual`: a chat rings for all; `routed`: it is offered. * `manual` - manual * `routed` - routed */ mode: "manual" | "routed";
    accept_seconds: number;
    silent_minutes: number;
    prefer_last: boolean;
    /** How operators count who read the visitor's language. * `ignore` - ignore * `prefer` - prefer * `only` - only */ languages: "ignore" | "prefer" | "only";
    overflow: Overflow | null;
    answer_times: Array<AnswerTime>;
    warn_percent: number;
    /** Whether answer times run in open time alone. * `open` - open * `always` - always */ clock: "open" | "always";
};
export type Elsewhere = {
    guid: string;
    name: string;
    unanswered: number;
};
export type Embed = {
    /** The lines to paste: a stub that takes the page's calls, and the script tag. */ snippet: string;
    /** The stub's line, as the `script-src` of a Content-Security-Policy names it. */ snippet_hash: string;
    /** The script tag alone: enough for a page whose scripts call nothing. */ script_tag: string;
    script_url: string;
    /** The origins that a Content-Security-Policy has to allow, by directive. */ csp: Record<string, unknown>;
};
export type EmbeddingCounts = {
    ready: number;
    pending: number;
    failed: number;
    none: number;
};
export type EmbeddingModel = {
    provider: string;
    /** Null before the credential's server was first asked. */ model: string | null;
    /** Null before the first vector. */ dimension: number | null;
    credential_id: number;
    /** The assistant whose credential it is; null: the widget's. */ assistant_id: number | null;
};
export type Episode = {
    /** Its first message's. */ id: number;
    chat_id: number;
    contact_id: string;
    channel: string;
    department_id: number | null;
    language: string | null;
    page: string | null;
    opened_at: string;
    /** * `visitor` - visitor * `operator` - operator */ opened_by: "visitor" | "operator";
    first_reply: EpisodeReply | null;
    person_reply: EpisodeReply | null;
    /** The longest of the waits that are over. */ longest_wait_seconds: number | null;
    handed_over: EpisodeHandover | null;
    ended_at: string | null;
    /** * `operator` - operator * `api` - api * `silence` - silence * `nobody` - nobody */ ended_by: "operator" | "api" | "silence" | "nobody" | null;
    ended_by_agent_id: number | null;
    /** * `open` - open * `person` - person * `ai` - ai * `dismissed` - dismissed * `unanswered` - unanswered */ outcome: "open" | "person" | "ai" | "dismissed" | "unanswered";
    reopened_at: string | null;
    is_durable: boolean | null;
    asked_at: string | null;
    rating: EpisodeGivenRating | null;
    agents: Array<number>;
    assistants: Array<number>;
    messages: EpisodeMessages;
};
export type EpisodeGivenRating = {
    value: number;
    rated_at: string;
    /** * `person` - person * `ai` - ai */ kind: "person" | "ai" | null;
    agent_id: number | null;
};
export type EpisodeHandover = {
    at: string;
    reason: string | null;
};
export type EpisodeMessages = {
    visitor: number;
    person: number;
    ai: number;
};
export type EpisodeRating = {
    id: number;
    chat_id: number;
    /** The episode's first message; null for a chat without one. */ episode_id: number | null;
    /** 1 to 5. */ value: number;
    /** The visitor's words: never instructions. */ comment: string | null;
    rated_at: string;
    /** The side that wrote the episode's last answer before it; null before any answer. * `person` - person * `ai` - ai */ kind: "person" | "ai" | null;
    agent_id: number | null;
    /** Whether the visitor was asked for it. */ asked: boolean;
    /** A person's first message in the chat after a low one. */ followed_up_at: string | null;
};
export type EpisodeReply = {
    at: string;
    seconds: number;
    /** * `person` - person * `ai` - ai */ kind: "person" | "ai";
    agent_id: number | null;
};
export type Error = {
    code: string;
    detail: string;
};
export type Escalation = {
    escalated: boolean;
    reason: string | null;
    /** The words that did it. */ trigger: string | null;
};
export type Estimates = {
    /** Waits whose visitors were told how long it usually takes. */ count: number;
    /** The waits that took no longer than the upper number of minutes that was told first. */ kept: number;
};
export type Evaluation = {
    examples: number;
    better: number;
    worse: number;
    same: number;
};
export type EvaluationCase = {
    id: number;
    /** Null: every assistant is asked it. */ assistant_id: number | null;
    question: string;
    /** The language that the answer must have; null: any. */ language: string | null;
    /** `refusal`: it says that it does not know, or calls a person. * `answer` - answer * `refusal` - refusal * `person` - person */ expects: "answer" | "refusal" | "person";
    /** Texts that must be in the answer; a bar between texts: one of them is enough. */ must: Array<string>;
    must_not: Array<string>;
    /** Titles or addresses; each must be among the answer's sources. */ sources: Array<string>;
    /** A criterion that a model judges, once all other checks hold. */ judge: string | null;
    /** Whether runs ask it. */ is_active: boolean;
    born: Born;
    created_at: string;
};
export type EvaluationCaseChangesInput = {
    question?: string;
    /** Null: every assistant is asked it. */ assistant_id?: number | null;
    /** * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ language?: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh" | null;
    /** * `answer` - answer * `refusal` - refusal * `person` - person */ expects?: "answer" | "refusal" | "person";
    /** A bar between texts means that one of them is enough. */ must?: Array<string>;
    must_not?: Array<string>;
    /** Titles or addresses; each must be among the answer's sources. */ sources?: Array<string>;
    /** A criterion that a model judges, once all other checks hold. */ judge?: string | null;
    is_active?: boolean;
};
export type EvaluationCaseInput = {
    question?: string;
    /** A message: the visitor's words that it answers are the question, redacted. */ from_message_id?: number;
    /** Null: every assistant is asked it. */ assistant_id?: number | null;
    /** * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ language?: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh" | null;
    /** * `answer` - answer * `refusal` - refusal * `person` - person */ expects?: "answer" | "refusal" | "person";
    /** A bar between texts means that one of them is enough. */ must?: Array<string>;
    must_not?: Array<string>;
    /** Titles or addresses; each must be among the answer's sources. */ sources?: Array<string>;
    /** A criterion that a model judges, once all other checks hold. */ judge?: string | null;
    is_active?: boolean;
};
export type EvaluationInput = {
    assistant_id: number;
    draft?: DraftInput;
    /** A wish: it is asked with the text that its approval would store. */ wish_id?: number;
};
export type EvaluationResult = {
    case_id: number;
    /** As it was asked. */ question: string;
    answer: string;
    /** `answer`, `refusal` or `person`; null where no vendor answered. */ outcome: string | null;
    /** * `right` - right * `wrong` - wrong * `failed` - failed * `unsure` - unsure */ verdict: "right" | "wrong" | "failed" | "unsure";
    /** Beside the same question of `previous_id`; `reworded`: as right as before, in other words. * `new` - new * `better` - better * `worse` - worse * `reworded` - reworded * `same` - same */ change: "new" | "better" | "worse" | "reworded" | "same";
    /** In their order; the judge last, and only where it was asked. */ checks: Array<Check>;
};
export type EvaluationRun = {
    id: number;
    assistant_id: number;
    /** * `person` - person * `draft` - draft * `by_itself` - by_itself * `cycle` - cycle */ cause: "person" | "draft" | "by_itself" | "cycle";
    /** * `queued` - queued * `running` - running * `finished` - finished * `stopped` - stopped */ state: "queued" | "running" | "finished" | "stopped";
    /** Why it was stopped. * `budget_exhausted` - budget_exhausted * `provider_failure` - provider_failure * `no_credential` - no_credential * `cancelled` - cancelled * `crashed` - crashed * `persona_changed` - persona_changed */ reason: "budget_exhausted" | "provider_failure" | "no_credential" | "cancelled" | "crashed" | "persona_changed" | null;
    /** The members of the assistant that were asked in place of its own. */ draft: Record<string, unknown> | null;
    /** The wish that the draft is of. */ wish_id: number | null;
    model: string;
    persona_version: number | null;
    /** All that are asked. */ cases: number;
    right: number;
    wrong: number;
    /** No vendor answered. */ failed: number;
    /** The judge could not be read: neither right nor wrong. */ unsure: number;
    /** The cases that were right in `previous_id`, and are wrong now. */ lost: Array<number>;
    won: Array<number>;
    /** The run of the live assistant that it is compared with. */ previous_id: number | null;
    prompt_tokens: number;
    completion_tokens: number;
    queued_at: string;
    finished_at: string | null;
};
export type EvaluationWithResults = {
    id: number;
    assistant_id: number;
    /** * `person` - person * `draft` - draft * `by_itself` - by_itself * `cycle` - cycle */ cause: "person" | "draft" | "by_itself" | "cycle";
    /** * `queued` - queued * `running` - running * `finished` - finished * `stopped` - stopped */ state: "queued" | "running" | "finished" | "stopped";
    /** Why it was stopped. * `budget_exhausted` - budget_exhausted * `provider_failure` - provider_failure * `no_credential` - no_credential * `cancelled` - cancelled * `crashed` - crashed * `persona_changed` - persona_changed */ reason: "budget_exhausted" | "provider_failure" | "no_credential" | "cancelled" | "crashed" | "persona_changed" | null;
    /** The members of the assistant that were asked in place of its own. */ draft: Record<string, unknown> | null;
    /** The wish that the draft is of. */ wish_id: number | null;
    model: string;
    persona_version: number | null;
    /** All that are asked. */ cases: number;
    right: number;
    wrong: number;
    /** No vendor answered. */ failed: number;
    /** The judge could not be read: neither right nor wrong. */ unsure: number;
    /** The cases that were right in `previous_id`, and are wrong now. */ lost: Array<number>;
    won: Array<number>;
    /** The run of the live assistant that it is compared with. */ previous_id: number | null;
    prompt_tokens: number;
    completion_tokens: number;
    queued_at: string;
    finished_at: string | null;
    results: Array<EvaluationResult>;
};
export type EventName = {
    name: string;
    /** `legacy` names are those of subscriptions with `is_legacy_compat`. * `native` - native * `legacy` - legacy */ vocabulary: "native" | "legacy";
    /** Whether it is delivered now, platform-wide. Subscriptions to it are accepted anyhow. */ enabled: boolean;
    /** Whether it is one of the seven native names that will never change. */ frozen: boolean;
    /** When it is sent. */ triggered_by: string;
};
export type Evidence = {
    pairs: number;
    chats: number;
    from: string | null;
    to: string | null;
};
export type EvidenceThere = {
    window_days: number;
    pairs: number;
    chats: number;
    min_pairs: number;
};
export type Examination = {
    run_id: number;
    /** * `queued` - queued * `running` - running * `finished` - finished * `stopped` - stopped */ state: "queued" | "running" | "finished" | "stopped";
    /** The questions that were right before, and are wrong with it. */ lost: number;
    /** All that are asked. */ of: number;
};
export type ExpectedWait = {
    from_min: number;
    to_min: number;
};
export type ExternalOperator = {
    public_id: string;
    /** The operator that it is among the widget's agents. */ agent_id: number;
    name: string;
    /** The address to which turns are posted. */ endpoint_url: string;
    /** * `draft` - draft * `active` - active * `paused` - paused * `killed` - killed * `revoked` - revoked * `rotating` - rotating */ state: "draft" | "active" | "paused" | "killed" | "revoked" | "rotating";
    /** Whether the present URL has proved that it knows the operator's secret. */ verified: boolean;
    verified_at: string | null;
    has_secret: boolean;
    has_bearer: boolean;
    requires_signed_replies: boolean;
    /** A person writes its replies, says the cabinet: its messages are not marked `ai`. False at first. */ answers_by_person: boolean;
    reply_timeout_sec: number;
    /** The outcome of a turn without an answer. * `handoff` - handoff * `model` - model */ fallback: "handoff" | "model";
    department_ids: Array<number>;
    rotation: Rotation | null;
    queue: OperatorQueue;
    health: Health;
    last_test: ProbeTest | null;
    created_at: string;
    updated_at: string;
    state_changed_at: string;
};
export type ExternalOperatorChangesInput = {
    name?: string;
    /** https, on a public address. Another one is to be proved by a test before the operator speaks again. */ endpoint_url?: string;
};
export type FactDifference = {
    kind: string;
    source: string | null;
    text: string | null;
};
export type Features = {
    rating: boolean;
    offline_form: boolean;
    files: boolean;
};
export type Figures = {
    episodes: CountFigure;
    people: CountFigure;
    open: CountFigure;
    by_person: CountFigure;
    by_ai: CountFigure;
    dismissed: CountFigure;
    unanswered: CountFigure;
    answered: CountFigure;
    ai_involved: CountFigure;
    handed_over: CountFigure;
    settled: CountFigure;
    reopened: CountFigure;
    durable: CountFigure;
    ai_settled: CountFigure;
    ai_resolved: CountFigure;
    asked: CountFigure;
    responded: CountFigure;
    rated: CountFigure;
    rated_person: CountFigure;
    rated_ai: CountFigure;
    good: CountFigure;
    good_person: CountFigure;
    good_ai: CountFigure;
    low: CountFigure;
    first_reply: TimeFigure;
    person_reply: TimeFigure;
    longest_wait: TimeFigure;
    duration: TimeFigure;
};
export type File = {
    id: number;
    /** The original name. */ name: string;
    /** Bytes. */ size: number;
    /** Found in the content. */ content_type: string;
    /** The file's address, good for an hour without a token. */ url: string;
    created_at: string;
};
export type FileInput = {
    /** https; private and local addresses are refused, one redirect is followed. At most 10 MB. */ url: string;
};
export type FileReference = {
    id: number;
    /** The original name. */ name: string;
    /** Bytes. */ size: number;
    /** Found in the content. */ content_type: string;
};
export type FileReferenceInput = {
    id: number;
};
export type FiledTicket = {
    number: number;
    /** * `open` - open */ state: "open";
    /** The account's room. */ chat_id: number;
    /** The message of the request. */ message_id: number;
    /** Whether the ticket was opened by it. */ created: boolean;
    /** Whether `in_reply_to` was opened again by it. */ reopened: boolean;
    /** Whether this is the answer to the same request before: nothing was done. */ replayed: boolean;
};
export type FilledReply = {
    text: string;
    lang: string;
    /** The variables that nothing is known for, and that have no fallback. */ missing: Array<string>;
};
export type FooterLink = {
    /** By language. */ label: Record<string, unknown>;
    url: string;
};
export type FooterLinkInput = {
    label: Record<string, string>;
    /** https. */ url: string;
};
export type ForgottenBrowserInput = {
    endpoint: string;
};
export type FormerText = {
    /** * `edited` - edited * `deleted` - deleted */ change: "edited" | "deleted";
    body: string;
    markdown: string | null;
    file: FileReference | null;
    /** The operator who changed it. */ agent_id: number | null;
    /** When it was changed. */ at: string;
};
export type FoundChat = {
    id: number;
    /** * `active` - active * `ready` - ready * `expired` - expired * `spam` - spam */ status: "active" | "ready" | "expired" | "spam";
    /** Provider code; `widget` is the on-site widget. */ channel: string;
    /** The routing owner; never an AI operator. */ agent_id: number | null;
    accepted_by: Operator | null;
    handled_by: Operator | null;
    /** * `missed` - missed * `human` - human * `ai` - ai * `ai_to_human` - ai_to_human * `human_to_ai` - human_to_ai */ handling: "missed" | "human" | "ai" | "ai_to_human" | "human_to_ai";
    contact_id: string;
    department_id: number | null;
    /** * `low` - low * `normal` - normal * `high` - high * `urgent` - urgent */ priority: "low" | "normal" | "high" | "urgent";
    /** The invitation to chat that its visitor answered last. */ invitation: AnsweredInvitation | null;
    created_at: string;
    last_message_at: string | null;
    contact: ChatContact;
    /** The last one that the visitor may see; notes of operators do not count. */ last_message: LastMessage | null;
    /** The visitor's answers to the widget's questions as it began last, by key. */ answers: Record<string, unknown>;
    /** Grows with every change: of two rows of a chat, the one with the larger is newer. */ version: number;
    /** Since when it is expired; null for a chat in any other state. */ closed_at: string | null;
    /** Since when it waits for a person, after AI's handover. */ handed_over_at: string | null;
    /** Why it was handed over: a slug of the machine that did it. */ handover_reason: string | null;
    /** Since when the visitor waits for an answer, though the chat may be closed by now; null if nobody waits. */ waits_since: string | null;
    /** The operators that it rings for: its owner; the one that it is offered to; all, where there is none or they are away, or an answer time is missed; the queue of its department, where it waits for a place; nobody while nobody waits, or it is snoozed. * `nobody` - nobody * `all` - all * `offered` - offered * `owner` - owner * `queue` - queue */ rings_for: "nobody" | "all" | "offered" | "owner" | "queue";
    /** Null unless it is snoozed. */ snooze: Snooze | null;
    /** The offer that stands: the chat rings for this operator alone. */ offer: RowOffer | null;
    /** The answer time that is due first. */ sla: DueAnswer | null;
    /** Since when it is back from its snooze, until a person writes. */ back_since: string | null;
    /** The last visible message is the visitor's, and no operator has seen it. */ is_unread: boolean;
    /** Its place in the queue of its department, from 1; null outside of it. */ place: number | null;
    marks: Array<Mark>;
    /** The newest message that says it; null for a chat found by who the visitor is. */ matched: Match | null;
};
export type FoundChunk = {
    rule_id: number;
    content: string;
    title: string;
    doc_id: string | null;
    source_ref: string;
    /** * `manual` - manual * `crawl` - crawl * `upload` - upload * `article` - article */ source_type: "manual" | "crawl" | "upload" | "article";
    url: string | null;
    chunk_index: number;
    /** Falls from chunk to chunk; comparable within one answer only. */ score: number;
    /** The cosine of its vector and the question's. */ similarity: number | null;
    ranks: Ranks;
};
export type Gap = {
    /** For its draft. */ id: string;
    /** * `chat` - chat * `search` - search */ source: "chat" | "search";
    /** The first question, without personal data; of a search its words. */ topic: string;
    /** As of demand signals; null of a search. */ category: string | null;
    lang: string | null;
    /** How often; a search counts once a browser and day. */ count: number;
    /** In how many chats; null of a search. */ chats: number | null;
    /** In as long a window before. */ previous_count: number;
    /** The newest questions. */ samples: Array<string>;
    first_seen_at: string;
    last_seen_at: string;
    /** The article that was written about it here. */ article_id: number | null;
};
export type GapDraftInput = {
    /** Default: the askers', else the help center's. * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ lang?: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
};
export type Gate = {
    /** * `platform` - platform * `widget` - widget * `target` - target */ name: "platform" | "widget" | "target";
    open: boolean;
    /** The first that closes it. */ reason: string | null;
};
export type GivenAddress = {
    letters: SessionLetters;
};
export type GrantInput = {
    token: string;
    expires_at: string;
};
export type GuardRails = {
    max_operations: number;
    max_text: number;
    max_growth: number;
};
export type HandOverInput = {
    /** A human agent of this widget, not banned. */ agent_id?: number;
    /** A department of this widget. */ department_id?: number;
    /** For the chat's next operator to read. */ comment?: string;
};
export type HeaderOperator = {
    name: string;
    avatar_url: string | null;
};
export type Health = {
    /** * `ok` - ok * `degraded` - degraded */ state: "ok" | "degraded";
    /** Turns in a row that ended without an answer. */ consecutive_failures: number;
    degraded_until: string | null;
    last_delivered_at: string | null;
    last_failed_at: string | null;
    /** * `unreachable` - unreachable * `timeout` - timeout * `tls_failed` - tls_failed * `bad_status` - bad_status * `no_echo` - no_echo * `no_proof` - no_proof * `no_reply` - no_reply */ last_error: "unreachable" | "timeout" | "tls_failed" | "bad_status" | "no_echo" | "no_proof" | "no_reply" | null;
};
export type HelpCenter = {
    /** Whether everybody reads the published articles at `url`. */ is_public: boolean;
    /** The pages stand at `/help/{slug}`; one help center's in the installation. */ slug: string;
    /** By language, below the title. */ intro: Record<string, unknown> | null;
    /** The pages lead back there. */ home_url: string | null;
    /** False: `noindex` on every page. */ indexing: boolean;
    /** `suggest`: also while the first message is written. * `off` - off * `search` - search * `suggest` - suggest */ in_widget: "off" | "search" | "suggest";
    /** Published articles are knowledge of AI. */ for_ai: boolean;
    /** Whether the widget is on the public pages. */ show_chat: boolean;
    /** By language; the widget's name unless it has its own. */ title: Record<string, unknown>;
    /** The language of readers whose own an article is not in. * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ default_language: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
    footer: Array<FooterLink>;
    /** The address of the public pages; null without any. */ url: string | null;
    /** Its own domain (`/v1/help-center/domain`). */ domain: HelpDomain | null;
};
export type HelpCenterInput = {
    /** Whether everybody reads the published articles at `url`. */ is_public?: boolean;
    /** The pages stand at `/help/{slug}`; one help center's in the installation. */ slug?: string;
    /** The language of readers whose own an article is not in; null: the widget's fallback. * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ default_language?: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh" | null;
    /** The pages lead back there. */ home_url?: string | null;
    /** False: `noindex` on every page. */ indexing?: boolean;
    /** `suggest`: also while the first message is written. * `off` - off * `search` - search * `suggest` - suggest */ in_widget?: "off" | "search" | "suggest";
    /** Published articles are knowledge of AI. */ for_ai?: boolean;
    /** Whether the widget is on the public pages. */ show_chat?: boolean;
    title?: Record<string, string> | null;
    intro?: Record<string, string> | null;
    footer?: Array<FooterLinkInput>;
};
export type HelpDomain = {
    name: string | null;
    /** It answers while `verified`; `lapsed` after seven days without its record. * `pending` - pending * `verified` - verified * `lapsed` - lapsed */ state: "pending" | "verified" | "lapsed" | null;
    /** The name of the TXT record that proves it; null where none is needed. */ txt_name: string | null;
    /** The text of that record. */ txt_value: string | null;
    /** Why the last look did not find the proof. * `no_record` - no_record * `other_value` - other_value * `no_answer` - no_answer */ problem: "no_record" | "other_value" | "no_answer" | null;
    checked_at: string | null;
};
export type HelpDomainInput = {
    /** Such as `help.shop.example`; null takes the domain away. */ domain: string | null;
};
export type History = {
    id: number;
    at: string;
    assistant_id: number;
    /** * `created` - created * `edited` - edited * `wish_approved` - wish_approved * `wish_reverted` - wish_reverted * `tuned` - tuned * `refused` - refused * `reverted` - reverted * `kept` - kept * `rolled_back` - rolled_back */ action: "created" | "edited" | "wish_approved" | "wish_reverted" | "tuned" | "refused" | "reverted" | "kept" | "rolled_back";
    from_version: number | null;
    to_version: number;
    actor: Actor;
    wish_id: number | null;
    cycle_id: number | null;
    patch: Patch | null;
    reason: string | null;
    metrics: Record<string, unknown> | null;
};
export type HistoryItemInput = {
    /** * `user` - user * `assistant` - assistant */ role: "user" | "assistant";
    content: string;
};
export type Hours = {
    /** Null: a department has that of its widget. */ time_zone: string | null;
    /** Null: a widget is open while one of its departments is. */ week: Record<string, unknown> | null;
    /** Dates of every year are told for the next 400 days. */ exceptions: Array<unknown>;
};
export type HoursInput = {
    /** Such as `Europe/Moscow`. */ time_zone: string;
    week: Record<string, unknown> | null;
    exceptions: Array<unknown>;
};
export type HoursNow = {
    is_open: boolean;
    /** Null while it is open, and where it stays closed for 400 days. */ opens_at: string | null;
    /** The next moment at which it closes; null where it does not. */ closes_at: string | null;
    /** * `week` - week * `exception` - exception */ source: "week" | "exception";
    /** The words for visitors, while a date with other hours holds. */ text: string | null;
    time_zone: string;
};
export type HoursSaved = {
    hours: number;
    /** The answers of machines, without the phrases of handovers. */ replies: number;
    /** The assumption; the cabinet has it. */ minutes_per_reply: number;
};
export type Icon = {
    /** `custom:N`, for `icon_preset`. */ id: string;
    url: string;
    /** Its first frame, for those who want no motion. */ still_url: string;
    animated: boolean;
    width: number;
    height: number;
    size: number;
    content_type: string;
    created_at: string;
};
export type IconPreset = {
    id: string;
    name: string;
    url: string;
};
export type ImportProblem = {
    /** The path of the file or the picture, or the page's address. */ path: string;
    /** `bad_path`, `duplicate`, `not_a_picture`, `no_such_picture`, `no_title`, `too_long`, `bad_language`, `bad_text`, `unreadable`, `too_many`, `kb_full`, `empty`; of a page also why a crawl leaves it out. */ reason: string;
};
export type InboundDeliveryInput = {
    /** The client's id, in your words. */ external_client_id: string;
    /** By what they write, in your words; replies name it. */ external_channel_id: string;
    message: InboundMessageInput;
};
export type InboundMessageInput = {
    /** * `text` - text */ type: "text";
    text?: string;
    /** The same as `text`: send one of the two. */ body?: string;
    /** Your id of the message. Delivered again under this id, it is not stored again. */ id?: string;
};
export type InboxChat = {
    id: number;
    /** * `active` - active * `ready` - ready * `expired` - expired * `spam` - spam */ status: "active" | "ready" | "expired" | "spam";
    /** Provider code; `widget` is the on-site widget. */ channel: string;
    /** The routing owner; never an AI operator. */ agent_id: number | null;
    accepted_by: Operator | null;
    handled_by: Operator | null;
    /** * `missed` - missed * `human` - human * `ai` - ai * `ai_to_human` - ai_to_human * `human_to_ai` - human_to_ai */ handling: "missed" | "human" | "ai" | "ai_to_human" | "human_to_ai";
    contact_id: string;
    department_id: number | null;
    /** * `low` - low * `normal` - normal * `high` - high * `urgent` - urgent */ priority: "low" | "normal" | "high" | "urgent";
    /** The invitation to chat that its visitor answered last. */ invitation: AnsweredInvitation | null;
    created_at: string;
    last_message_at: string | null;
    contact: ChatContact;
    /** The last one that the visitor may see; notes of operators do not count. */ last_message: LastMessage | null;
    /** The visitor's answers to the widget's questions as it began last, by key. */ answers: Record<string, unknown>;
    /** Grows with every change: of two rows of a chat, the one with the larger is newer. */ version: number;
    /** Since when it is expired; null for a chat in any other state. */ closed_at: string | null;
    /** Since when it waits for a person, after AI's handover. */ handed_over_at: string | null;
    /** Why it was handed over: a slug of the machine that did it. */ handover_reason: string | null;
    /** Since when the visitor waits for an answer, though the chat may be closed by now; null if nobody waits. */ waits_since: string | null;
    /** The operators that it rings for: its owner; the one that it is offered to; all, where there is none or they are away, or an answer time is missed; the queue of its department, where it waits for a place; nobody while nobody waits, or it is snoozed. * `nobody` - nobody * `all` - all * `offered` - offered * `owner` - owner * `queue` - queue */ rings_for: "nobody" | "all" | "offered" | "owner" | "queue";
    /** Null unless it is snoozed. */ snooze: Snooze | null;
    /** The offer that stands: the chat rings for this operator alone. */ offer: RowOffer | null;
    /** The answer time that is due first. */ sla: DueAnswer | null;
    /** Since when it is back from its snooze, until a person writes. */ back_since: string | null;
    /** The last visible message is the visitor's, and no operator has seen it. */ is_unread: boolean;
    /** Its place in the queue of its department, from 1; null outside of it. */ place: number | null;
    marks: Array<Mark>;
};
export type Inspection = {
    assistant_id: number;
    /** Null: no AI operator runs the assistant. */ operator_id: number | null;
    assistant_enabled: boolean;
    /** * `openai_compatible` - openai_compatible * `openai` - openai * `anthropic` - anthropic * `gemini` - gemini */ configured_provider: "openai_compatible" | "openai" | "anthropic" | "gemini";
    configured_model: string;
    configuration_resolved: boolean;
    provider_verified: boolean;
    provider_http_operations: number;
    chat_created: boolean;
    limits: TestLimits;
    limitations: Array<string>;
};
export type Integration = {
    /** The driver that answers turns. */ provider: string;
    /** The only token that may sign calls. */ api_token_id: number;
    turn_endpoint: string;
    has_secret: boolean;
};
export type IntegrationInput = {
    /** A driver's code. * `openai_compatible` - openai_compatible * `openai` - openai * `anthropic` - anthropic * `gemini` - gemini */ provider: "openai_compatible" | "openai" | "anthropic" | "gemini";
    /** The assistant whose persona, prompt and credential are used. */ assistant_id?: number;
};
export type Invitation = {
    id: number;
    email: string;
    /** * `pending` - pending * `accepted` - accepted * `revoked` - revoked * `expired` - expired */ status: "pending" | "accepted" | "revoked" | "expired";
    created_at: string;
    expires_at: string;
};
export type InvitationAnsweredEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "invitation.answered";
    /** The invitation, and the chat that it began. */ data: {
        /** The invitation's id, as in `/v1/chat-invitations`. */ invitation_id: number;
        /** The chat's id. */ chat_id: number;
        /** The contact's guid. */ client_id: string;
        /** The widget's guid. */ button_guid: string;
    };
};
export type InvitationDay = {
    /** In UTC, such as `2026-11-29`. */ day: string;
    shown: number;
    held: number;
    dismissed: number;
    opened: number;
    answered: number;
    converted: Arms;
};
export type InvitationInput = {
    /** Gets a mail with a link, which works once and for 7 days. */ email: string;
};
export type InvitationOffer = {
    offer_id: number | null;
    show: boolean;
    /** * `off` - off * `blocked` - blocked * `in_chat` - in_chat * `answering` - answering * `hours` - hours * `seen` - seen * `per_visit` - per_visit * `per_day` - per_day * `holdout` - holdout */ reason: "off" | "blocked" | "in_chat" | "answering" | "hours" | "seen" | "per_visit" | "per_day" | "holdout" | null;
    text: string | null;
    buttons: Array<string> | null;
    from: OfferedFrom | null;
};
export type InvitationResults = {
    round: number;
    /** Since when the round runs. */ since: string | null;
    /** Offers that were shown. */ shown: number;
    /** Offers that were held back. */ held: number;
    dismissed: number;
    opened: number;
    answered: number;
    /** Visitors who reached the goal in its hours. */ converted: Arms;
    /** Converted of the visitors who were enrolled, each once. */ rate: Rates;
    /** Null until both groups have 100 visitors. */ effect: Effect | null;
    /** Whether both groups have 100 visitors. */ is_enough: boolean;
    days: Array<InvitationDay>;
};
export type InvitationSettings = {
    is_on: boolean;
    /** Pages on which no visitor is invited. */ never_on: Array<string>;
    per_visit: number;
    gap_s: number;
};
export type InvitationSettingsInput = {
    is_on?: boolean;
    /** At most 50 patterns of pages. */ never_on?: unknown;
    /** Shown in a visit at most. */ per_visit?: number;
    /** Seconds between two. */ gap_s?: number;
};
export type Invoice = {
    id: number;
    number: string;
    /** * `issued` - issued * `paid` - paid * `cancelled` - cancelled * `unknown` - unknown */ status: "issued" | "paid" | "cancelled" | "unknown";
    legal_entity_id: number;
    amount_minor: number;
    currency: string;
    /** Digits behind the decimal point: 12345 with 2 is 123.45. */ minor_unit_scale: number;
    has_document: boolean;
    /** The document, under `GET /v1/files/{id}` with `files:read` and `billing:read`. */ document_id: number | null;
    due_at: string | null;
    paid_at: string | null;
    created_at: string;
};
export type InvoiceItem = {
    name: string;
    quantity: number;
    price_minor: number;
    amount_minor: number;
};
export type InvoiceWithItems = {
    id: number;
    number: string;
    /** * `issued` - issued * `paid` - paid * `cancelled` - cancelled * `unknown` - unknown */ status: "issued" | "paid" | "cancelled" | "unknown";
    legal_entity_id: number;
    amount_minor: number;
    currency: string;
    /** Digits behind the decimal point: 12345 with 2 is 123.45. */ minor_unit_scale: number;
    has_document: boolean;
    /** The document, under `GET /v1/files/{id}` with `files:read` and `billing:read`. */ document_id: number | null;
    due_at: string | null;
    paid_at: string | null;
    created_at: string;
    items: Array<InvoiceItem>;
};
export type JoinInput = {
    contact: string;
};
export type JudgementInput = {
    /** * `dismissed` - dismissed */ outcome?: "dismissed";
    helpful?: boolean | null;
    comment?: string;
};
export type KeptAct = {
    do: string;
    /** `changed_since` or `cannot`. */ why: string;
};
export type Keyboard = {
    buttons: Array<Button>;
};
export type KeyboardInput = {
    buttons: Array<ButtonInput>;
};
export type KillSwitch = {
    assistant_id: number | null;
    may_run: boolean;
    gates: Array<Gate>;
};
export type KnowledgeStatus = {
    /** There are rules, none waits for a vector, and no document or page is on its way. */ indexed: boolean;
    /** The assistant is given what fits a visitor's question. */ in_use: boolean;
    /** Why it is not in use. * `empty` - empty * `ai_disabled` - ai_disabled * `rag_disabled` - rag_disabled * `no_assistant` - no_assistant */ reason: "empty" | "ai_disabled" | "rag_disabled" | "no_assistant" | null;
    /** `text`: there are no vectors to compare with. * `hybrid` - hybrid * `text` - text */ retrieval: "hybrid" | "text";
    rules: number;
    sources: number;
    embeddings: EmbeddingCounts;
    /** Null without a credential that embeds. */ embedding: EmbeddingModel | null;
    crawler: CrawlerStatus;
    uploads: UploadCounts;
    last_indexed_at: string | null;
    limits: Limits;
};
export type Language = {
    /** * `auto` - auto * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ widget_default_language: "auto" | "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
    /** Whether it is what a widget has that chose none. */ is_default: boolean;
    /** The fixed language; of `auto`, the one that is fallen back on. */ effective_language: string;
};
export type LanguageInput = {
    /** * `auto` - auto * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ widget_default_language: "auto" | "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
};
export type LastMessage = {
    id: number;
    /** * `text` - text * `image` - image * `file` - file * `location` - location * `sticker` - sticker * `keyboard` - keyboard */ type: "text" | "image" | "file" | "location" | "sticker" | "keyboard";
    /** The first 100 characters of the message's body. */ preview: string;
    sender: Sender;
    created_at: string;
};
export type LearningSettings = {
    assistant_id: number | null;
    learning_target: LearningTarget | null;
    autonomous_tuning_enabled: boolean;
    may_run: boolean;
    gates: Array<Gate>;
    live_version: number | null;
    /** The one that runs. */ probation: Probation | null;
    /** The last that ended, however. */ last_cycle: Cycle | null;
    running_cycle: Cycle | null;
    /** Null while a gate is closed. */ next_cycle_at: string | null;
    evidence: EvidenceThere;
    guard_rails: GuardRails;
    probation_rules: ProbationRules;
    wishes: WishCounts;
    cycles_applied: number;
    cycles_rolled_back: number;
};
export type LearningTarget = {
    /** * `assistant` - assistant */ kind: "assistant";
    assistant_id: number;
};
export type LeftOut = {
    /** They asked over 90 days ago. */ old: number;
    spam: number;
    blocked: number;
    /** A person has answered since, or a thumb up says that AI has. */ answered: number;
    /** They are told of this article in that chat already. */ told: number;
    /** No message reaches them now: a messenger's window is closed, an address is dead. */ no_way: number;
};
export type LegacyBotAnswer = {
    /** * `sent` - sent * `transferred` - transferred * `rating_requested` - rating_requested * `no_agent_online` - no_agent_online */ status: "sent" | "transferred" | "rating_requested" | "no_agent_online";
    chat_id: number;
    /** The message, if one was sent. */ message_id: number | null;
    /** The agent who wrote it, or who has the chat now. */ agent_id: number | null;
};
export type LegacyBotInput = {
    /** The requested action: required, as this or as `event`. * `BOT_MESSAGE` - BOT_MESSAGE * `INVITE_AGENT` - INVITE_AGENT * `INIT_RATE` - INIT_RATE */ message_type?: "BOT_MESSAGE" | "INVITE_AGENT" | "INIT_RATE";
    /** A synonym: `message_type` comes before it. * `BOT_MESSAGE` - BOT_MESSAGE * `INVITE_AGENT` - INVITE_AGENT * `INIT_RATE` - INIT_RATE */ event?: "BOT_MESSAGE" | "INVITE_AGENT" | "INIT_RATE";
    /** The chat's id. */ chat_id: number | string;
    /** The message of BOT_MESSAGE. */ message?: LegacyBotMessageInput | null;
};
export type LegacyBotMessageInput = {
    /** Without it: `"TEXT"`. */ type?: "TEXT" | "MARKDOWN" | "BUTTONS";
    /** Without it: `""`. */ text?: string;
    /** The Markdown of MARKDOWN. Without it: `""`. */ content?: string;
    /** Without it: `""`. */ title?: string;
    buttons?: Array<LegacyButtonInput>;
};
export type LegacyButtonInput = {
    text: string;
};
export type LegacyChannelInput = {
    sender: LegacySenderInput;
    recipient?: LegacyRecipientInput | null;
    message: LegacyChannelMessageInput;
};
export type LegacyChannelMessageInput = {
    /** `text`, which it is without one. */ type?: string;
    /** Your id of the message. Delivered again under this id, it is not stored again. */ id?: number | string | null;
    text: string;
};
export type LegacyChatAcceptedEvent = {
    event_name: "chat_accepted";
    /** The widget's guid. */ widget_id: string;
    /** The chat's id. */ chat_id: number;
    /** The agent of the event. */ agent: {
        /** The agent's id. */ id: number;
    };
    /** The agent's id. */ operator_id: number;
    /** Whether a person or the AI operator answers. */ operator_type: "human" | "ai";
    /** The contact's guid. */ client_id: string;
};
export type LegacyChatClosedEvent = {
    event_name: "chat_finished";
    /** The widget's guid. */ widget_id: string;
    /** The chat's id. */ chat_id: number;
    /** `expired`, or what the caller who closed it gave as the reason. */ reason: string;
};
export type LegacyChatTransferredEvent = {
    event_name: "chat_updated";
    /** The widget's guid. */ widget_id: string;
    /** The chat's id. */ chat_id: number;
    /** The agent of the event. */ agent: {
        /** The agent who has it now. */ id: number;
    };
    /** The contact's guid. */ client_guid: string;
    /** The agent who had it; null if it had no owner. */ from_operator_id: number | null;
    /** The agent who has it now. */ to_operator_id: number;
    /** The side that did it: the visitor's (`USER`) or the operators' (`OPERATOR`). */ author_type: "USER" | "OPERATOR";
    /** The channel's code. */ source: string;
};
export type LegacyContactUpdatedEvent = {
    event_name: "client_updated";
    /** The widget's guid. */ widget_id: string;
    /** The contact's guid. */ client_id: string;
    /** Names of the contact's members. */ changed_fields: Array<string>;
};
export type LegacyOfflineMessageCreatedEvent = {
    event_name: "offline_message";
    /** The widget's guid. */ widget_id: string;
    /** The chat's id. */ chat_id: number;
    /** The contact's guid. */ client_id: string;
    /** The message's id. */ message_id: number;
    /** As the visitor gave it; null if they did not. */ name: string | null;
    /** As the visitor gave it; null if they did not. */ email: string | null;
    /** As the visitor gave it; null if they did not. */ phone: string | null;
};
export type LegacyRecipientInput = {
    id?: number | string | null;
};
export type LegacySenderInput = {
    id: number | string;
};
export type LegalEntity = {
    id: number;
    short_name: string;
    full_name: string;
    representative: string;
    legal_address: string;
    postal_address: string;
    contact_person: string;
    bank_name: string;
    contact_phone: string;
    inn: string;
    kpp: string;
    ogrn: string;
    bik: string;
    checking_account: string;
    correspondent_account: string;
    created_at: string;
    updated_at: string;
};
export type LegalEntityChangesInput = {
    short_name?: string;
    full_name?: string;
    representative?: string;
    legal_address?: string;
    postal_address?: string;
    contact_person?: string;
    bank_name?: string;
    contact_phone?: string;
    /** 10 digits of an organisation, 12 of an entrepreneur; the check digits must be right. */ inn?: string;
    /** 9 digits; an entrepreneur, who has none, sends nine zeros. */ kpp?: string;
    /** 13 digits of an organisation, 15 of an entrepreneur; the check digit must be right. */ ogrn?: string;
    /** 9 digits. */ bik?: string;
    /** 20 digits, a JSON string; its key must be right with the `bik`. */ checking_account?: string;
    /** 20 digits, a JSON string; its key must be right with the `bik`. */ correspondent_account?: string;
};
export type LegalEntityInput = {
    short_name: string;
    full_name: string;
    representative: string;
    legal_address: string;
    postal_address: string;
    contact_person: string;
    bank_name: string;
    contact_phone: string;
    /** 10 digits of an organisation, 12 of an entrepreneur; the check digits must be right. */ inn: string;
    /** 9 digits; an entrepreneur, who has none, sends nine zeros. */ kpp: string;
    /** 13 digits of an organisation, 15 of an entrepreneur; the check digit must be right. */ ogrn: string;
    /** 9 digits. */ bik: string;
    /** 20 digits, a JSON string; its key must be right with the `bik`. */ checking_account: string;
    /** 20 digits, a JSON string; its key must be right with the `bik`. */ correspondent_account: string;
};
export type Letter = {
    from: string;
    to: Array<string>;
    cc: Array<string>;
    subject: string;
    /** When it came. */ at: string;
    /** * `pass` - pass * `fail` - fail * `none` - none */ proof: "pass" | "fail" | "none";
    text: string;
    /** Its markup, without scripts, styles, pictures and forms. */ html: string | null;
    files: Array<LetterFile>;
    /** The address of the letter as it came, good for an hour. */ raw: string;
};
export type LetterFile = {
    name: string;
    size: number;
    content_type: string;
};
export type LifecycleInput = {
    /** * `activate` - activate * `pause` - pause * `rotate` - rotate * `kill` - kill * `revoke` - revoke */ action: "activate" | "pause" | "rotate" | "kill" | "revoke";
    /** Kept with the move, for people. */ reason?: string;
    /** How long both secrets count after a `rotate`; 3,600 unless it is sent. */ overlap_sec?: number;
};
export type Limits = {
    rules: number;
    rule_characters: number;
    upload_bytes: number;
    /** The pages that one run fetches at most. */ crawl_pages: number;
};
export type LinkedAccountInput = {
    app_user_id: string;
    /** A mailbox that the application has confirmed. */ email?: string;
};
export type ListedArticle = {
    id: number;
    category_id: number | null;
    /** Among the articles of its category, the lower first. */ position: number;
    /** The question in vain, if it was written for one. */ asked: Asked | null;
    texts: Record<string, ListedText>;
    created_at: string;
    updated_at: string;
};
export type ListedText = {
    /** * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ lang: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
    /** The last part of its address. */ slug: string;
    title: string;
    summary: string;
    /** * `draft` - draft * `published` - published */ state: "draft" | "published";
    /** The newest one. */ version: number;
    /** The one that readers see. */ published_version: number | null;
    /** Whether it is published, and a newer version is there. */ has_changes: boolean;
    /** When a version is published by itself. */ publish_at: string | null;
    published_at: string | null;
    updated_at: string;
    /** Its public address; null unless readers see it there. */ url: string | null;
    /** How far a worker's draft is. * `none` - none * `pending` - pending * `ready` - ready * `failed` - failed */ draft_state: "none" | "pending" | "ready" | "failed";
    /** Facts of a worker's draft that nothing proves. */ unsupported: Array<Record<string, unknown>>;
};
export type LocaleTextsInput = {
    widget_name?: string;
    widget_signature?: string;
    widget_greeting?: string;
};
export type Macro = {
    id: number;
    name: string;
    /** 1 to 9: Alt and this digit run it. */ key: number | null;
    /** The operator whose own it is; null: all operators'. */ agent_id: number | null;
    /** 1 to 10 acts `{do, …}`, done in their order. */ then: Array<Record<string, unknown>>;
    inputs: Array<MacroQuestion>;
    created_at: string;
    updated_at: string;
};
export type MacroChangesInput = {
    name?: string;
    key?: number | null;
    /** 1 to 10 acts `{do, …}`, done in their order. `reply` is the operator's message, and takes `text` or `reply_id`. */ then?: unknown;
    inputs?: Array<MacroQuestionInput>;
};
export type MacroInput = {
    name: string;
    key?: number | null;
    /** The operator whose own it is; null: all operators'. */ agent_id?: number | null;
    /** 1 to 10 acts `{do, …}`, done in their order. `reply` is the operator's message, and takes `text` or `reply_id`. */ then: unknown;
    inputs?: Array<MacroQuestionInput>;
};
export type MacroPreview = {
    /** Its reply, for the composer; null: it has none. */ text: string | null;
    /** The variables and questions that nothing is known for. */ missing: Array<string>;
    /** Its other acts, in the caller's language. */ does: Array<string>;
};
export type MacroQuestion = {
    /** Its text says `{input.<key>}`. */ key: string;
    label: string;
    is_required: boolean;
};
export type MacroQuestionInput = {
    key: string;
    label: string;
    /** Without it: `false`. */ is_required?: boolean;
};
export type MacroRun = {
    run: Run;
    message: OperatorMessage | null;
};
export type Mark = {
    /** * `ticket` - ticket * `held` - held * `lease` - lease */ kind: "ticket" | "held" | "lease";
    /** The ticket's number, or the name of the agent that works on the chat. */ about: string;
    /** When a lease ends by itself; null of a ticket. */ until: string | null;
};
export type Match = {
    message_id: number;
    excerpt: string;
};
export type Me = {
    /** The break is null while the caller is at work. */ break: Break | null;
    letters: NoticeLetters;
    /** Codes of the languages that they read, best first; at first the console's. */ reads: Array<string>;
    /** A translation is shown to them before it goes. */ show_translation: boolean;
    /** After closing, the next chat of the view is opened. */ next_after_close: boolean;
    /** Marks in what they write are sent as formatting. */ formatting: boolean;
};
export type MeInput = {
    letters?: NoticeLettersInput;
    reads?: Array<string>;
    show_translation?: boolean;
    next_after_close?: boolean;
    formatting?: boolean;
};
export type Message = {
    id: number;
    chat_id: number;
    /** * `text` - text * `image` - image * `file` - file * `location` - location * `sticker` - sticker * `keyboard` - keyboard */ type: "text" | "image" | "file" | "location" | "sticker" | "keyboard";
    body: string;
    markdown: string | null;
    file: FileReference | null;
    /** The attachment's original name. */ name: string | null;
    /** The attachment's address, good for an hour without a token. */ url: string | null;
    /** All files of the message, `file` the first; several came as one album. */ files: Array<AttachedFile>;
    coords: Coords | null;
    sticker: Sticker | null;
    keyboard: Keyboard | null;
    /** Set where the customer sent something of a kind that is not known here; `body` says so in words. */ unsupported: Unsupported | null;
    /** When its writer changed it. */ edited_at: string | null;
    /** When its writer deleted it. A visitor's text in a messenger stays readable for operators; an operator's message is a text without words since. */ deleted_at: string | null;
    origin: string | null;
    sender: MessageSender;
    /** Whether AI speaks: an AI operator, or an external one that is no person. */ ai: boolean;
    /** The knowledge that an AI operator's answer rests on; empty for any other message. */ sources: Array<PublicSource>;
    /** The language in which a person wrote it, where `body` is a translation. */ translated_from: string | null;
    agent_id: number | null;
    created_at: string;
    seen_at: string | null;
};
export type MessageCreatedEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "message.created";
    /** Ids only: neither the text, nor what kind of message it is. */ data: {
        /** The chat's id. */ chat_id: number;
        /** The message's id. */ message_id: number;
        /** The contact's guid. */ client_id: string;
        /** The side that did it: the visitor's (`USER`) or the operators' (`OPERATOR`). */ author_type: "USER" | "OPERATOR";
        /** The channel's code. */ source: string;
        /** The widget's guid. */ button_guid: string;
    };
};
export type MessageDelivery = {
    /** * `queued` - queued * `sent` - sent * `delivered` - delivered * `read` - read * `failed` - failed */ state: "queued" | "sent" | "delivered" | "read" | "failed";
    /** Why it has not gone out, or does not; null while nothing went wrong. */ code: string | null;
    /** The provider's own words. */ detail: string | null;
    attempts: number;
    /** How its attachment went, where the messenger does not take it as what it is. * `file` - file * `link` - link * `video` - video * `audio` - audio */ sent_as?: "file" | "link" | "video" | "audio" | null;
    at: string;
};
export type MessageInput = {
    /** * `text` - text * `image` - image * `file` - file * `location` - location * `sticker` - sticker * `keyboard` - keyboard */ type: "text" | "image" | "file" | "location" | "sticker" | "keyboard";
    /** Required for `text` and `keyboard`. */ body?: string;
    /** The text again, as Markdown. */ markdown?: string;
    /** Required for `image` and `file`. */ file?: FileReferenceInput;
    /** Required for `location`. */ coords?: CoordsInput;
    /** Required for `sticker`. */ sticker?: StickerInput;
    /** Required for `keyboard`. */ keyboard?: KeyboardInput;
    /** The message's origin, in your words. */ origin?: string;
    /** The human agent who sends; required while the chat has no owner. */ agent_id?: number;
};
export type MessageLetter = {
    /** The sender that it names. */ from: string;
    subject: string;
    /** Whether it is from that address. * `pass` - pass * `fail` - fail * `none` - none */ proof: "pass" | "fail" | "none";
    /** Whether a third person wrote it, who had the letter. */ third: boolean;
    /** Whether what it quotes, or a signature, is left out. */ cut: boolean;
};
export type MessageSender = {
    /** * `client` - client * `agent` - agent * `ai` - ai * `external_operator` - external_operator * `system` - system */ kind: "client" | "agent" | "ai" | "external_operator" | "system";
    agent_id: number | null;
    name: string | null;
};
export type MessageTranslation = {
    /** The language's code. */ lang: string;
    text: string;
    /** These are the words that a person wrote; `body` is their translation. */ is_source: boolean;
};
export type MessageUpdatedEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "message.updated";
    /** The members of `message.created`, and the change that was made to the message. */ data: {
        /** The chat's id. */ chat_id: number;
        /** The message's id. */ message_id: number;
        /** The contact's guid. */ client_id: string;
        /** The side that did it: the visitor's (`USER`) or the operators' (`OPERATOR`). */ author_type: "USER" | "OPERATOR";
        /** The channel's code. */ source: string;
        /** The change that was made to the message. */ change: "edited" | "deleted";
        /** The widget's guid. */ button_guid: string;
    };
};
export type MessengerAccount = {
    id: string;
    name: string;
};
export type MessengerProblem = {
    /** * `credential_rejected` - credential_rejected * `webhook_lost` - webhook_lost * `conflict` - conflict * `subscription_needed` - subscription_needed */ code: "credential_rejected" | "webhook_lost" | "conflict" | "subscription_needed";
    detail: string;
    at: string;
};
export type MessengerWebhook = {
    /** Whether this write, or on a read the last one, made a registration call. */ attempted: boolean;
    /** `registered` and `long_poll`: confirmed. `failed`: the credential is saved, nothing comes in; verify tries again. `unconfirmed_provider_api`: the provider never says. `manual`: you paste the address. `pending`: not tried yet. * `registered` - registered * `long_poll` - long_poll * `failed` - failed * `unconfirmed_provider_api` - unconfirmed_provider_api * `manual` - manual * `pending` - pending */ status: "registered" | "long_poll" | "failed" | "unconfirmed_provider_api" | "manual" | "pending";
    /** A sentence, never an address or a secret. */ detail: string | null;
    at: string | null;
};
export type Metrics = {
    /** Chats opened in the window. */ chats_total?: number;
    /** The number of these chats without an answer. */ chats_missed?: number;
    /** `chats_total` minus `chats_missed`. */ chats_accepted?: number;
    /** Answered first by an AI operator. */ chats_accepted_ai?: number;
    /** Answered first by a person. */ chats_accepted_human?: number;
    /** Handled by an AI operator now. */ chats_handled_ai?: number;
    /** Handled by a person now. */ chats_handled_human?: number;
    chats_ai_to_human?: number;
    chats_human_to_ai?: number;
    /** Messages written in the window, but for system messages and what is for operators only. */ messages_total?: number;
    /** From the chat's creation to its acceptance. */ avg_response_time_seconds?: number | null;
    /** The average of the ratings given in the window. */ rating_average?: number | null;
    /** From the visitor's first message to the first answer after it; only when asked for. */ avg_first_response_seconds?: number | null;
};
export type Migrated = {
    assistant: Assistant | null;
    /** Whether this very call made it. */ created: boolean;
};
export type Model = {
    id: string;
    label: string;
    is_recommended: boolean;
};
export type MoneyGroup = {
    calls: number;
    prompt_tokens: number;
    completion_tokens: number;
    /** The tokens of calls whose price nobody had entered: their money is not known. */ unpriced_tokens: number;
    /** One entry a currency. */ money: Array<Amount>;
    /** A day, the assistant's id, a model or a purpose; or `none`. */ key: string;
    /** The name, where there is one, else the key. */ label: string;
    answered: number | null;
    resolved: number | null;
    per_answered: Array<Amount>;
    per_resolved: Array<Amount>;
};
export type MoneyReport = {
    calls: number;
    prompt_tokens: number;
    completion_tokens: number;
    /** The tokens of calls whose price nobody had entered: their money is not known. */ unpriced_tokens: number;
    /** One entry a currency. */ money: Array<Amount>;
    /** With the zone's offset; inclusive. */ from: string;
    /** With the zone's offset; exclusive. */ to: string;
    zone: string;
    /** The address of this report in the cabinet. */ page: string;
    /** * `day` - day * `assistant` - assistant * `model` - model * `purpose` - purpose */ group: "day" | "assistant" | "model" | "purpose" | null;
    /** The episodes of the window with AI: the report's `ai_involved`. */ answered: number;
    /** The episodes that AI resolved for good: the report's `ai_resolved`. */ resolved: number;
    /** `money` for each of `answered`; empty of none. */ per_answered: Array<Amount>;
    /** `money` for each of `resolved`; empty of none. */ per_resolved: Array<Amount>;
    hours_saved: HoursSaved;
    groups: Array<MoneyGroup>;
    rest: MoneyRest;
};
export type MoneyRest = {
    groups: number;
    calls: number;
};
export type MovedOperator = {
    public_id: string;
    /** The operator that it is among the widget's agents. */ agent_id: number;
    name: string;
    /** The address to which turns are posted. */ endpoint_url: string;
    /** * `draft` - draft * `active` - active * `paused` - paused * `killed` - killed * `revoked` - revoked * `rotating` - rotating */ state: "draft" | "active" | "paused" | "killed" | "revoked" | "rotating";
    /** Whether the present URL has proved that it knows the operator's secret. */ verified: boolean;
    verified_at: string | null;
    has_secret: boolean;
    has_bearer: boolean;
    requires_signed_replies: boolean;
    /** A person writes its replies, says the cabinet: its messages are not marked `ai`. False at first. */ answers_by_person: boolean;
    reply_timeout_sec: number;
    /** The outcome of a turn without an answer. * `handoff` - handoff * `model` - model */ fallback: "handoff" | "model";
    department_ids: Array<number>;
    rotation: Rotation | null;
    queue: OperatorQueue;
    health: Health;
    last_test: ProbeTest | null;
    created_at: string;
    updated_at: string;
    state_changed_at: string;
    /** Only where the move was `rotate`, and only here. */ signing_secret?: string;
};
export type Note = {
    /** `page 3`, `sheet Prices`, or empty for the whole document. */ place: string;
    /** `picture`: a scanned page; `unreadable`: a page whose fonts map to no text; `hidden`, `hidden_rows`, `hidden_columns`: a reader does not see it; `struck_out`; `deleted`: by a tracked change. * `picture` - picture * `unreadable` - unreadable * `hidden` - hidden * `hidden_rows` - hidden_rows * `hidden_columns` - hidden_columns * `struck_out` - struck_out * `deleted` - deleted * `recognised` - recognised */ reason: "picture" | "unreadable" | "hidden" | "hidden_rows" | "hidden_columns" | "struck_out" | "deleted" | "recognised";
    /** How often at that place. */ count: number;
};
export type NoticeLetters = {
    waiting: boolean;
    /** The figures of the week, each Monday; for owners and managers. */ weekly: boolean;
    /** `{from, to, zone}`, such as 22:00, 07:00, Europe/Moscow; null: never quiet. A zone of null is the widget's. */ quiet: Record<string, unknown> | null;
};
export type NoticeLettersInput = {
    waiting?: boolean;
    weekly?: boolean;
    quiet?: QuietInput | null;
};
export type Offer = {
    agent_id: number;
    since: string;
    until: string | null;
    why: Why;
};
export type OfferInput = {
    key: string;
    /** It is not kept. Without it: `""`. */ page_url?: string;
    /** Without it: `""`. */ lang?: string;
    preview?: string;
    /** The places in the rule's `any` whose conditions hold in the page. */ any?: Array<number>;
    /** The page asks for it: its rule and caps do not count. Without it: `false`. */ now?: boolean;
};
export type OfferedFrom = {
    name: string;
    avatar_url: string | null;
    ai: boolean;
};
export type OfflineMessageCreatedEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "offline_message.created";
    /** Alone of all, it carries what the visitor filled in. */ data: {
        /** The chat's id. */ chat_id: number;
        /** The contact's guid. */ client_id: string;
        /** The message's id. */ message_id: number;
        /** As the visitor gave it; null if they did not. */ name: string | null;
        /** As the visitor gave it; null if they did not. */ email: string | null;
        /** As the visitor gave it; null if they did not. */ phone: string | null;
        /** The widget's guid. */ button_guid: string;
    };
};
export type OfflineMessageInput = {
    name?: string;
    email?: string;
    phone?: string;
    message?: string;
    /** In place of `message`: a message that the visitor has written already. */ message_id?: number;
    /** Answers that stay unseen may be mailed, where the widget does it. */ mail_answers?: boolean;
    /** Makes sending it again harmless. */ client_id?: string;
    /** Answers to the config's `questions`, by key: as a chat begins, the required ones may not lack. */ answers?: Record<string, unknown>;
};
export type OpenedArticle = {
    id: number;
    lang: string;
    title: string;
    markdown: string;
    /** The public page; null where the help center is not public. */ url: string | null;
    /** The languages in which it is published. */ languages: Array<string>;
    updated_at: string;
};
export type Operator = {
    agent_id: number;
    /** * `human` - human * `ai` - ai */ type: "human" | "ai";
    at: string | null;
};
export type OperatorChangesInput = {
    /** The assistant that it runs. */ assistant_id?: number;
    /** The assistant's, unless it is sent. */ name?: string;
    show_in_header?: boolean;
    /** On a break it does not answer. * `active` - active * `relaxation` - relaxation */ status?: "active" | "relaxation";
};
export type OperatorInput = {
    /** The assistant that it runs. */ assistant_id: number;
    /** The assistant's, unless it is sent. */ name?: string;
    show_in_header?: boolean;
    /** On a break it does not answer. * `active` - active * `relaxation` - relaxation */ status?: "active" | "relaxation";
};
export type OperatorMessage = {
    id: number;
    chat_id: number;
    /** * `text` - text * `image` - image * `file` - file * `location` - location * `sticker` - sticker * `keyboard` - keyboard */ type: "text" | "image" | "file" | "location" | "sticker" | "keyboard";
    body: string;
    markdown: string | null;
    file: FileReference | null;
    /** The attachment's original name. */ name: string | null;
    /** The attachment's address, good for an hour without a token. */ url: string | null;
    /** All files of the message, `file` the first; several came as one album. */ files: Array<AttachedFile>;
    coords: Coords | null;
    sticker: Sticker | null;
    keyboard: Keyboard | null;
    /** Set where the customer sent something of a kind that is not known here; `body` says so in words. */ unsupported: Unsupported | null;
    /** When its writer changed it. */ edited_at: string | null;
    /** When its writer deleted it. A visitor's text in a messenger stays readable for operators; an operator's message is a text without words since. */ deleted_at: string | null;
    origin: string | null;
    sender: MessageSender;
    /** Whether AI speaks: an AI operator, or an external one that is no person. */ ai: boolean;
    /** The knowledge that an AI operator's answer rests on; empty for any other message. */ sources: Array<PublicSource>;
    /** The language in which a person wrote it, where `body` is a translation. */ translated_from: string | null;
    agent_id: number | null;
    created_at: string;
    seen_at: string | null;
    /** Only in a messenger's chat, for messages of the operators' side; visitors never see it. */ delivery: MessageDelivery | null;
    /** The message in other languages, as operators read or wrote it. */ translations: Array<OperatorTranslation>;
    /** For operators only. */ is_note: boolean;
    /** The operator who deleted it in the console. */ deleted_by: number | null;
    /** Set at the first message of a letter. */ letter: MessageLetter | null;
};
export type OperatorQueue = {
    /** Events, tests apart, that the endpoint has not taken yet. */ undelivered: number;
    /** Open turns. */ awaiting_reply: number;
};
export type OperatorTranslation = {
    /** The language's code. */ lang: string;
    text: string;
    /** These are the words that a person wrote; `body` is their translation. */ is_source: boolean;
    /** * `pending` - pending * `done` - done * `failed` - failed */ state: "pending" | "done" | "failed";
    /** The places to check. */ differs: Array<FactDifference>;
};
export type OperatorsBreak = {
    /** * `own` - own * `missed` - missed */ reason: "own" | "missed";
    since: string | null;
    note: string;
    pass_on: boolean;
};
export type OperatorsState = {
    /** * `online` - online * `offline` - offline * `unknown` - unknown */ state: "online" | "offline" | "unknown";
    /** * `request` - request * `presence` - presence * `disabled` - disabled */ source: "request" | "presence" | "disabled";
};
export type OperatorsWishInput = {
    text: string;
    /** The answer that it is about. The wish is for who wrote it. */ message_id?: number;
};
export type Option = {
    value: string;
    /** By language. */ label: Record<string, unknown>;
};
export type OptionInput = {
    value: string;
    label: Record<string, string>;
};
export type OrderInput = {
    /** All of the widget's, once each. */ ids: Array<number>;
};
export type OtherChat = {
    id: number;
    /** * `active` - active * `ready` - ready * `expired` - expired * `spam` - spam */ status: "active" | "ready" | "expired" | "spam";
    channel: string;
    created_at: string;
    last_message_at: string | null;
};
export type Overflow = {
    department_id: number;
    minutes: number;
};
export type OverflowInput = {
    department_id: number;
    minutes: number;
};
export type OwnReport = {
    /** With the zone's offset; inclusive. */ from: string;
    /** With the zone's offset; exclusive. */ to: string;
    zone: string;
    /** * `always` - always * `open` - open */ clock: "always" | "open";
    /** All that was stored by then is counted. */ as_of: string;
    /** Episodes that were opened later may still move. */ settled_until: string;
    /** After how many days chats are removed; null: never. */ kept_days: number | null;
    /** The address of this report in the cabinet. */ page: string;
    /** * `day` - day * `week` - week * `month` - month * `weekday_hour` - weekday_hour * `channel` - channel * `department` - department * `assistant` - assistant * `agent` - agent * `tag` - tag * `language` - language * `page` - page * `handover` - handover * `outcome` - outcome * `ended_by` - ended_by * `rating` - rating */ group: "day" | "week" | "month" | "weekday_hour" | "channel" | "department" | "assistant" | "agent" | "tag" | "language" | "page" | "handover" | "outcome" | "ended_by" | "rating" | null;
    figures: Figures;
    before: ReportBefore | null;
    groups: Array<ReportGroup>;
    /** Whether an episode may be in several groups. */ overlaps: boolean;
    rest: ReportRest;
    team: Team;
};
export type OwnWordsInput = {
    text: string;
    lang: string;
};
export type Partner = {
    /** The account's referral code. */ code: string;
    /** The address to recommend: who opens an account with it counts as referred. */ link: string;
    /** How many accounts were opened on the recommendation. */ referred_accounts: number;
    earned_minor: number;
    paid_minor: number;
    /** Earned, and not paid out yet. */ available_minor: number;
    currency: string;
    minor_unit_scale: number;
};
export type Patch = {
    operations: Array<PatchOperation>;
};
export type PatchOperation = {
    /** * `append` - append * `replace` - replace * `remove` - remove */ op: "append" | "replace" | "remove";
    /** * `persona` - persona * `system_prompt` - system_prompt */ field: "persona" | "system_prompt";
    /** The text to replace or remove; null for `append`. */ find: string | null;
    /** The new text; null for `remove`. */ text: string | null;
};
export type PerVisitor = {
    times: number;
    days: number;
};
export type PerVisitorInput = {
    times: number;
    days: number;
};
export type Person = {
    contact: PersonRow;
    /** The latest first, with those of the joined contacts. */ chats: Array<OtherChat>;
    /** The newest first, with those of the joined contacts. */ notes: Array<ContactNote>;
    /** The joined contacts as they are. */ joined: Array<Contact>;
};
export type PersonRow = {
    id: string;
    name: string | null;
    email: string | null;
    phone: string | null;
    /** The `user_id` of your website, as `identity_hmac` has proved it; null while none is proved. */ external_id: string | null;
    attributes: Record<string, unknown>;
    /** The newest first, at most 100. */ consents: Array<Consent>;
    /** Sorted by code point. */ tags: Array<string>;
    /** The contact whom operators say to be the same person, and who comes first; null for none. */ merged_into: string | null;
    /** The contacts that are joined to this one. Each keeps its chats, values and identity. */ merged: Array<string>;
    created_at: string;
    updated_at: string;
    open_chats: number;
    /** When they were last on the website, or wrote. */ last_seen_at: string | null;
    /** The contacts that are joined to it. */ joined: Array<string>;
};
export type Phrase = {
    /** The text of the phrase. */ text: string;
    /** * `override` - override * `default` - default */ source: "override" | "default";
    default: string;
};
export type PhraseLanguages = {
    ru: Phrase;
    en: Phrase;
    el: Phrase;
    de: Phrase;
    es: Phrase;
    ar: Phrase;
    zh: Phrase;
};
export type PhraseLanguagesInput = {
    ru?: string | null;
    en?: string | null;
    el?: string | null;
    de?: string | null;
    es?: string | null;
    ar?: string | null;
    zh?: string | null;
};
export type Phrases = {
    handoff_to_human: PhraseLanguages;
    handover_notice: PhraseLanguages;
    handover_offline: PhraseLanguages;
    handover_unknown: PhraseLanguages;
    social_reply: PhraseLanguages;
    handoff_to_ai: PhraseLanguages;
    pii_restore_fallback: PhraseLanguages;
};
export type PhrasesInput = {
    handoff_to_human?: PhraseLanguagesInput;
    handover_notice?: PhraseLanguagesInput;
    handover_offline?: PhraseLanguagesInput;
    handover_unknown?: PhraseLanguagesInput;
    social_reply?: PhraseLanguagesInput;
    handoff_to_ai?: PhraseLanguagesInput;
    pii_restore_fallback?: PhraseLanguagesInput;
};
export type Place = {
    place: number;
    of: number;
};
export type Places = {
    capacity: number | null;
    departments: Array<DepartmentPlaces>;
    reads: Array<string>;
    effective_capacity: number;
    load: number;
    is_available: boolean;
    /** `full`: nowhere a place; `excluded`: a capacity of 0. * `offline` - offline * `on_break` - on_break * `full` - full * `excluded` - excluded */ why_not: "offline" | "on_break" | "full" | "excluded" | null;
    last_given_at: string | null;
    /** Offers missed in a row. */ misses: number;
};
export type PlacesInput = {
    /** Null: the widget's. */ capacity?: number | null;
    departments?: Array<DepartmentPlacesInput>;
};
export type PlanSubscription = {
    id: number;
    plan: string;
    name: string;
    /** * `product` - product * `package` - package * `unknown` - unknown */ kind: "product" | "package" | "unknown";
    /** * `active` - active * `expired` - expired * `cancelled` - cancelled * `unknown` - unknown */ status: "active" | "expired" | "cancelled" | "unknown";
    price_minor: number;
    currency: string;
    /** Digits behind the decimal point: 12345 with 2 is 123.45. */ minor_unit_scale: number;
    ad_slots: number;
    started_at: string;
    ends_at: string | null;
    created_at: string;
};
export type PlannedCall = {
    /** For `tool_results`. */ id: string;
    name: string;
    /** True to the tool's schema. */ arguments: Record<string, unknown>;
    /** As the tool's `confirmation` said. */ confirmation_required: boolean;
};
export type PostedMessage = {
    message_id: number;
    chat_id: number;
};
export type PresentOperator = {
    name: string;
    avatar_url: string | null;
};
export type PriorityInput = {
    /** * `low` - low * `normal` - normal * `high` - high * `urgent` - urgent */ priority: "low" | "normal" | "high" | "urgent";
};
export type Probation = {
    /** * `running` - running * `kept` - kept * `rolled_back` - rolled_back * `cancelled` - cancelled */ state: "running" | "kept" | "rolled_back" | "cancelled";
    /** * `wish` - wish * `cycle` - cycle */ kind: "wish" | "cycle";
    version: number;
    base_version: number;
    started_at: string;
    ends_at: string;
    /** The figures of the version before, in the 30 days before. */ baseline: ChatMetrics;
    /** As of the last review. */ current: ChatMetrics;
};
export type ProbationAhead = {
    hours: number;
    min_chats: number;
};
export type ProbationRules = {
    hours: number;
    min_chats: number;
    min_ratings: number;
    max_escalation_rise: number;
    max_rating_fall: number;
};
export type ProbeTest = {
    public_id: string;
    operator_public_id: string;
    /** * `queued` - queued * `delivered` - delivered * `failed` - failed */ status: "queued" | "delivered" | "failed";
    /** Whether the endpoint proved that it knows the secret. Null: no 2xx came. */ challenge_ok: boolean | null;
    /** The address that was asked. */ endpoint_url: string;
    response_status: number | null;
    /** * `unreachable` - unreachable * `timeout` - timeout * `tls_failed` - tls_failed * `bad_status` - bad_status * `no_echo` - no_echo * `no_proof` - no_proof */ error: "unreachable" | "timeout" | "tls_failed" | "bad_status" | "no_echo" | "no_proof" | null;
    duration_ms: number | null;
    created_at: string;
    finished_at: string | null;
};
export type Problem = {
    /** The page that explains the problem. */ type: string;
    title: string;
    status: number;
    /** The remedy. */ detail: string;
    /** The path that was called. */ instance: string;
    /** Stable; the last part of `type`. */ code: string;
    /** Messages by the dotted path of the field that was refused. */ errors?: Record<string, Array<string>>;
    /** Told by `invalid_transition`. */ action?: string;
    /** At the support desk the record of a refused write. */ action_id?: number;
    /** Told by `link_not_allowed`. */ allowed?: {
        hosts: Array<string>;
        links: Array<string>;
        app_store: {
            app_store_id: string | null;
            play_package: string | null;
        } | null;
        ipv4: Array<string>;
        handles: Array<string>;
        emails: Array<string>;
    };
    /** Told by `not_found`. An address that is nearly the one called. */ did_you_mean?: string;
    /** Told by `translation_differs`. */ differs?: Array<{
        kind: string;
        source: string | null;
        text: string | null;
    }>;
    /** Told by `idempotency_key_reused`, `idempotency_reused`. */ first_used_at?: string;
    /** Told by `learning_gate_closed`. */ gate?: string;
    /** Told by `learning_gate_closed`. */ gate_reason?: string;
    /** Told by `chat_changed`. */ last_message_id?: number;
    /** Told by `chat_claimed`. */ lease?: {
        agent: string;
        expires_at: string;
    };
    /** Told by `loses_cases`. */ lost?: number;
    /** Told by `missing`. */ missing?: Array<string>;
    /** Told by `loses_cases`. */ of?: number;
    /** Told by `link_not_allowed`. */ offending?: Array<{
        token: string;
        kind: string;
        view: string;
    }>;
    /** Told by `assistant_in_use`. */ operators?: Array<{
        id: number;
        name: string;
    }>;
    /** Told by `idempotency_key_reused`, `idempotency_reused`, `reply_already_consumed`. At the support desk, of `idempotency_key_reused`: the action that used the key. */ previous?: {
        operation?: string | null;
        status?: unknown;
        id?: unknown;
        at?: string | null;
        causation_id?: string;
        room_id?: number;
        outcome?: string;
        handoff_reason?: string | null;
        message_id?: number | null;
        visible?: boolean;
        action_id?: number;
        kind?: string;
        ticket_effect?: {
            ticket: number | null;
            effect: string;
        } | null;
    } | null;
    /** Told by `kb_embed_provider_failed`, `provider_failure`. */ provider_reason?: string;
    /** Told by `turn_closed`. At the support desk the same as `code`. */ reason?: string;
    /** Told by `rate_limited`. Seconds to wait, in the frames of sockets alone. */ retry_after?: number;
    /** Told by `idempotency_key_reused`, `idempotency_reused`. */ same_request?: boolean | null;
    /** Told by `invalid_transition`. */ state?: string;
    /** Told by `article_changed`. */ version?: number;
    /** Told by `wish_state`. */ wish_status?: string;
};
export type ProblemPlace = {
    /** As in a refusal, such as `then.0.agent_id`. */ path: string;
    /** `gone`. */ code: string;
};
export type ProfileInput = {
    name?: string | null;
    surname?: string | null;
    /** An optional +, a digit, then digits, spaces, parentheses or hyphens. */ phone?: string | null;
};
export type Provider = {
    /** * `tg` - tg * `vk` - vk * `wa` - wa * `vb` - vb * `fb` - fb * `ok` - ok * `mx` - mx * `cian` - cian * `ali` - ali * `apple` - apple * `custom` - custom */ provider: "tg" | "vk" | "wa" | "vb" | "fb" | "ok" | "mx" | "cian" | "ali" | "apple" | "custom";
    name: string;
    connected: boolean;
    /** False: not connected by PUT. */ writable: boolean;
    /** The members that PUT takes, all of them required; `wa` and `fb` may lack `url`. */ fields: Array<string>;
    has_token: boolean;
    /** Only for `wa` and `apple`. */ has_sid?: boolean;
    /** Only for `wa` and `fb`: whether your own app's is kept. */ has_app_secret?: boolean;
    /** Only for `wa` and `fb`: when an update came last that no secret proved, if none came since that one did. It is of another app: give its secret. */ unproved_at?: string | null;
    has_url: boolean;
    /** The link for visitors. */ link: string | null;
    /** `wa` and `fb`: the one address at which the installation's app at Meta delivers for all numbers or pages, each call signed by Meta. Null for others. */ callback_url: string | null;
    account: MessengerAccount | null;
    webhook: MessengerWebhook | null;
    problem: MessengerProblem | null;
    last_inbound_at: string | null;
    last_outbound_at: string | null;
    /** Messages that did not go out in the last 24 hours. */ failed_24h: number;
    connected_at: string | null;
    updated_at: string | null;
};
export type ProviderInput = {
    /** The link for visitors, https (`vb` also viber://), or null. For `apple` the address of the gateway. */ url?: string | null;
    /** The provider's token. Never shown again. */ token: string;
    /** `wa`: the phone number's id; `apple`: the provider's id. */ sid?: string;
    /** `wa` and `fb`: the secret of an app of your own at Meta, which proves its updates. Left out: the one that is kept stays; null: there is none, and the installation's app delivers. Never shown again. */ app_secret?: string | null;
};
export type PublicHoliday = {
    /** Such as `2027-05-09`. */ date: string;
    /** In the country's language. */ name: string;
    name_en: string;
};
export type PublicSource = {
    title: string;
    /** The address for visitors; null for a piece without a public one. */ url: string | null;
    /** The article that it is of; absent for other knowledge. */ article_id?: number;
};
export type PublishingInput = {
    /** Default: the newest. */ version?: number | null;
    /** Default: now. Within a year. */ at?: string | null;
};
export type Purged = {
    purged_at: string;
};
export type PushKey = {
    /** The `applicationServerKey`: a point of P-256, uncompressed, in base64url. */ subscribe_with: string;
};
export type Question = {
    key: string;
    /** * `name` - name * `email` - email * `phone` - phone * `department` - department * `text` - text * `long_text` - long_text * `number` - number * `date` - date * `choice` - choice * `yes_no` - yes_no * `consent` - consent */ kind: "name" | "email" | "phone" | "department" | "text" | "long_text" | "number" | "date" | "choice" | "yes_no" | "consent";
    /** By language. */ label: Record<string, unknown>;
    /** By language. */ help: Record<string, unknown> | null;
    required: boolean;
    /** Null, or `{key: [values]}` of questions before it: it is asked where the answer to each is one of them. */ when: Record<string, Array<unknown>> | null;
    options: Array<Option>;
    /** For so many days an answer is not asked for again; 0: whenever a chat begins. Default 365 for name, e-mail and phone, else 0. */ ask_again_days: number;
};
export type QuestionInput = {
    /** The attribute's name: `[a-z][a-z0-9_]{0,39}`. */ key: string;
    /** * `name` - name * `email` - email * `phone` - phone * `department` - department * `text` - text * `long_text` - long_text * `number` - number * `date` - date * `choice` - choice * `yes_no` - yes_no * `consent` - consent */ kind: "name" | "email" | "phone" | "department" | "text" | "long_text" | "number" | "date" | "choice" | "yes_no" | "consent";
    /** Plain text; a consent's is Markdown with links to https. */ label: Record<string, string>;
    /** Markdown with links to https. */ help?: Record<string, string> | null;
    /** No chat begins without an answer; of a consent, without true. Without it: `false`. */ required?: boolean;
    /** Null, or `{key: [values]}` of questions before it: it is asked where the answer to each is one of them. */ when?: Record<string, Array<unknown>> | null;
    /** A choice has 2 to 20; other kinds none. */ options?: Array<OptionInput>;
    /** For so many days an answer is not asked for again; 0: whenever a chat begins. Default 365 for name, e-mail and phone, else 0. */ ask_again_days?: number;
};
export type QuestionSet = {
    /** Whether visitors are asked. */ is_on: boolean;
    /** By language. */ intro: Record<string, unknown> | null;
    questions: Array<Question>;
};
export type QuestionSetInput = {
    /** Without it: `false`. */ is_on?: boolean;
    /** Above the questions: Markdown with links to https. */ intro?: Record<string, string> | null;
    questions?: Array<QuestionInput>;
};
export type QuestionsAnsweredEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "questions.answered";
    /** The chat whose visitor answered, and which questions; the answers are the chat's. */ data: {
        /** The chat's id. */ chat_id: number;
        /** The contact's guid. */ client_id: string;
        /** The questions' keys; what was answered has the chat. */ keys: Array<string>;
        /** The channel's code. */ source: string;
        /** The widget's guid. */ button_guid: string;
    };
};
export type Queue = {
    at: string;
    departments: Array<QueueDepartment>;
    operators: Array<QueueOperator>;
    /** At most 100, in the queue's order. */ chats: Array<QueuedChat>;
    answered: Answered;
};
export type QueueDepartment = {
    department_id: number | null;
    name: string | null;
    is_open: boolean;
    opens_at: string | null;
    /** The chats whose visitors wait for an answer. */ waiting: number;
    longest_since: string | null;
    /** The waiting chats whose answer time was warned of, and is not missed. */ due_soon: number;
    /** The waiting chats whose answer time is missed. */ breached: number;
    /** Its operators who are online and at work. */ online: number;
    on_break: number;
    /** The free places of those who are at work. */ places: number;
    estimates: Estimates;
};
export type QueueOperator = {
    agent_id: number;
    /** * `active` - active * `relaxation` - relaxation */ status: "active" | "relaxation";
    /** Their open chats that are not snoozed, and offers. */ load: number;
    capacity: number;
    offered: number;
    break: OperatorsBreak | null;
};
export type QueuePlace = {
    place: number;
    of: number;
    /** Null where too little is known, or over an hour. */ expects: ExpectedWait | null;
};
export type QueuedChat = {
    chat_id: number;
    /** In the queue of its department, from 1. */ place: number | null;
    department_id: number | null;
    /** * `low` - low * `normal` - normal * `high` - high * `urgent` - urgent */ priority: "low" | "normal" | "high" | "urgent";
    waits_since: string;
    offered_to: number | null;
};
export type QuietInput = {
    from: string;
    to: string;
    /** Null: the widget's. */ zone?: string | null;
};
export type Ranks = {
    /** By meaning. */ vector: number | null;
    /** By words. */ text: number | null;
    /** By the spelling of words that the knowledge base does not hold. */ trigram: number | null;
};
export type Rates = {
    shown: number | null;
    held: number | null;
};
export type Rating = {
    value: number;
    comment: string | null;
    rated_at: string;
};
export type RatingCreatedEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "rating.created";
    /** A rating was given; its value is not told. */ data: {
        /** The contact's guid. */ chat_client_id: string;
        /** The agent who handled the chat; null if none did. */ operator_id: number | null;
        /** The side that did it: the visitor's (`USER`) or the operators' (`OPERATOR`). */ author_type: "USER" | "OPERATOR";
        /** The channel's code. */ source: string;
        /** The widget's guid. */ button_guid: string;
    };
};
export type RatingForm = {
    /** `thumbs` gives 5 and 1, the others 1 to 5. * `stars` - stars * `faces` - faces * `thumbs` - thumbs */ scale: "stars" | "faces" | "thumbs";
    question: string;
    thanks: string;
    /** When the visitor is asked for words, too. * `never` - never * `low` - low * `always` - always */ comment: "never" | "low" | "always";
    /** Up to which value a rating is low. */ low: number;
};
export type RatingInput = {
    value: number;
    /** Without it: `""`. */ comment?: string;
};
export type RatingPolicy = {
    /** `after_end`: the service asks, too, about episodes that end from then on. * `manual` - manual * `after_end` - after_end */ ask: "manual" | "after_end";
    /** The outcomes of episodes that are asked about. */ outcomes: Array<string>;
    /** The ends of episodes that are asked about. */ ended_by: Array<string>;
    /** Null: in all channels. */ channels: Array<string> | null;
    delay_minutes: number;
    /** The same person is not asked again within so many days. */ again_days: number;
    valid_days: number;
    /** `thumbs` gives 5 and 1. * `stars` - stars * `faces` - faces * `thumbs` - thumbs */ scale: "stars" | "faces" | "thumbs";
    /** By language; each has a default of its own. */ question_i18n: Record<string, unknown>;
    /** By language; each has a default of its own. */ thanks_i18n: Record<string, unknown>;
    /** * `never` - never * `low` - low * `always` - always */ comment: "never" | "low" | "always";
    low: number;
    /** `waits`: the chat is open again and waits for a person, with the reason `low_rating`. * `none` - none * `waits` - waits */ on_low: "none" | "waits";
};
export type RatingPolicyInput = {
    /** `after_end`: the service asks, too, about episodes that end from then on. * `manual` - manual * `after_end` - after_end */ ask?: "manual" | "after_end";
    /** The outcomes of episodes that are asked about. */ outcomes?: Array<"person" | "ai">;
    /** The ends of episodes that are asked about. */ ended_by?: Array<"operator" | "api" | "silence">;
    /** Null: in all channels. */ channels?: Array<string> | null;
    delay_minutes?: number;
    /** The same person is not asked again within so many days. */ again_days?: number;
    valid_days?: number;
    /** `thumbs` gives 5 and 1. * `stars` - stars * `faces` - faces * `thumbs` - thumbs */ scale?: "stars" | "faces" | "thumbs";
    /** By language; each has a default of its own. */ question_i18n?: unknown;
    /** By language; each has a default of its own. */ thanks_i18n?: unknown;
    /** * `never` - never * `low` - low * `always` - always */ comment?: "never" | "low" | "always";
    low?: number;
    /** `waits`: the chat is open again and waits for a person, with the reason `low_rating`. * `none` - none * `waits` - waits */ on_low?: "none" | "waits";
};
export type Reach = {
    /** * `here` - here * `mail` - mail * `messenger` - messenger * `push` - push * `nothing` - nothing */ by: "here" | "mail" | "messenger" | "push" | "nothing";
    /** The address that e-mails go to, or would go to, whole. */ address: string | null;
    /** Until a letter goes about what is unseen, or would be written now. */ minutes: number | null;
    /** A letter came from the address, a code, or it is the owner's word. */ proven: boolean;
    /** Why nothing goes. * `no_address` - no_address * `off` - off * `not_asked` - not_asked * `no_server` - no_server * `dead` - dead * `stopped` - stopped * `no_sign` - no_sign */ reason: "no_address" | "off" | "not_asked" | "no_server" | "dead" | "stopped" | "no_sign" | null;
    /** The mail server's words about a dead address. */ detail: string | null;
    /** How many others get a copy, in a mailbox's chat. */ copies: number;
};
export type ReadingInput = {
    key: string;
    /** The language of the text that was read; by default, the one that the visitor is served. Without it: `""`. */ lang?: string;
};
export type Reasons = {
    wrong: number;
    unclear: number;
    missing: number;
    other: number;
};
export type RedeliverFailedInput = {
    /** Inclusive, by the delivery's `created_at`. */ since: string;
};
export type Redelivered = {
    /** Deliveries, each under a name of its own. */ queued: number;
    /** More have failed since then: the same call with a new key goes on. */ has_more: boolean;
};
export type Redelivery = {
    /** The new one's. */ delivery_id: string;
    /** The one that the subscription uses now. * `native` - native * `legacy` - legacy */ envelope: "native" | "legacy";
};
export type RedeliveryInput = {
    /** A delivery of the subscription's log. */ delivery_id: string;
};
export type RefundInput = {
    order_id: string;
    amount_minor?: number;
    currency?: string;
    reason?: string;
};
export type Refusal = {
    rule: string;
    detail: string;
};
export type RegenerateInput = {
    fields: Array<"widget_name" | "widget_signature" | "widget_greeting">;
    locales: Array<"ru" | "en" | "el" | "de" | "es" | "ar" | "zh">;
};
export type Regenerated = {
    revision: number;
    jobs: Array<TranslationJob>;
    reserved: number;
    remaining: number;
};
export type RegisteredChannel = {
    id: number;
    name: string;
    /** The channel's name in chats and events: `ch` and its id. */ code: string;
    /** False: it is disabled, and takes no messages. */ is_active: boolean;
    has_secret: boolean;
    /** Signs what is sent to the channel, and is its address's secret. Shown once. */ secret: string;
};
export type Release = {
    action_id: number;
    chat_id: number;
    released: boolean;
};
export type Reply = {
    id: number;
    shortcut: string;
    body: string;
    /** It is the widget's: every operator of it uses and changes it. */ is_shared: boolean;
    /** It is the caller's own. */ is_mine: boolean;
    translations: Array<ReplyTranslation>;
};
export type ReplyChangeInput = {
    /** No spaces. The widget's shared replies have different ones, and so have each operator's own. */ shortcut?: string;
    /** May have variables with fallbacks, such as `{visitor.name|there}`. */ body?: string;
    /** For all operators of the widget, or for the caller alone. */ is_shared?: boolean;
};
export type ReplyInput = {
    /** No spaces. The widget's shared replies have different ones, and so have each operator's own. */ shortcut: string;
    /** May have variables with fallbacks, such as `{visitor.name|there}`. */ body: string;
    /** For all operators of the widget, or for the caller alone. Without it: `false`. */ is_shared?: boolean;
};
export type ReplyTranslation = {
    lang: string;
    text: string;
    /** A `stale` one was made of another text, and is not used. * `machine` - machine * `approved` - approved * `stale` - stale */ state: "machine" | "approved" | "stale";
};
export type ReplyTranslationInput = {
    /** With the variables and facts of the reply: numbers, prices, dates, times, links and codes. */ text: string;
};
export type Report = {
    /** With the zone's offset; inclusive. */ from: string;
    /** With the zone's offset; exclusive. */ to: string;
    zone: string;
    /** * `always` - always * `open` - open */ clock: "always" | "open";
    /** All that was stored by then is counted. */ as_of: string;
    /** Episodes that were opened later may still move. */ settled_until: string;
    /** After how many days chats are removed; null: never. */ kept_days: number | null;
    /** The address of this report in the cabinet. */ page: string;
    /** * `day` - day * `week` - week * `month` - month * `weekday_hour` - weekday_hour * `channel` - channel * `department` - department * `assistant` - assistant * `agent` - agent * `tag` - tag * `language` - language * `page` - page * `handover` - handover * `outcome` - outcome * `ended_by` - ended_by * `rating` - rating */ group: "day" | "week" | "month" | "weekday_hour" | "channel" | "department" | "assistant" | "agent" | "tag" | "language" | "page" | "handover" | "outcome" | "ended_by" | "rating" | null;
    figures: Figures;
    before: ReportBefore | null;
    groups: Array<ReportGroup>;
    /** Whether an episode may be in several groups. */ overlaps: boolean;
    rest: ReportRest;
};
export type ReportBefore = {
    /** Inclusive. */ from: string;
    /** Exclusive. */ to: string;
    figures: Figures;
};
export type ReportGroup = {
    /** The filter's value, or `none`. */ key: string;
    /** The name, where there is one, else the key. */ label: string;
    figures: Figures;
};
export type ReportRest = {
    groups: number;
    episodes: number;
};
export type RestsOn = {
    message_id: number;
    sources: Array<AnswerSource>;
    /** The visitor's thumb under it: up, down, or null for none. */ helpful: boolean | null;
};
export type RevertInput = {
    reason?: string;
    /** Another one is 409. */ expected_live_version?: number;
};
export type Review = {
    id: number;
    chat_id: number;
    /** The episode's first message. */ episode_id: number;
    subject: ReviewSubject;
    /** * `sample` - sample * `flag` - flag * `person` - person */ origin: "sample" | "flag" | "person";
    flags: Array<string>;
    /** * `open` - open * `done` - done * `answered` - answered * `settled` - settled */ state: "open" | "done" | "answered" | "settled";
    /** Grows with each change; a change names it. */ version: number;
    scorecard_version: number;
    scores: Array<ReviewScore>;
    /** 0 to 100; null without any value. */ score: number | null;
    comment: string;
    reviewer: Reviewer | null;
    /** The model's scores are hidden until a person has scored. */ is_blind: boolean;
    prefill: ReviewSuggestion;
    reply: ReviewReply | null;
    created_at: string;
    done_at: string | null;
};
export type ReviewInput = {
    chat_id: number;
    /** Default: the newest that has ended. */ episode_id?: number;
    /** Default: who wrote its last answer. */ agent_id?: number;
};
export type ReviewQuote = {
    message_id: number;
    text: string;
};
export type ReviewReply = {
    text: string;
    at: string;
};
export type ReviewReplyInput = {
    text: string;
};
export type ReviewRow = {
    id: number;
    chat_id: number;
    /** The episode's first message. */ episode_id: number;
    subject: ReviewSubject;
    /** 0 to 100; null without any value. */ score: number | null;
    /** * `open` - open * `done` - done * `answered` - answered * `settled` - settled */ state: "open" | "done" | "answered" | "settled";
    done_at: string | null;
};
export type ReviewScore = {
    key: string;
    /** Null: the criterion does not apply here. */ value: number | null;
    note: string;
};
export type ReviewSubject = {
    /** * `person` - person * `ai` - ai */ kind: "person" | "ai";
    agent_id: number | null;
    assistant_id: number | null;
};
export type ReviewSuggestion = {
    /** * `none` - none * `pending` - pending * `ready` - ready * `failed` - failed */ state: "none" | "pending" | "ready" | "failed";
    scores: Array<SuggestedScore>;
};
export type Reviewer = {
    id: number;
    name: string;
};
export type Rotation = {
    /** * `overlap` - overlap * `draining` - draining */ phase: "overlap" | "draining";
    started_at: string;
    overlap_ends_at: string;
    /** Events that wait still and are signed by the old secret. */ undelivered: number;
    /** * `active` - active * `paused` - paused */ resumes_to: "active" | "paused";
};
export type RouteInput = {
    department_id: number;
};
export type Routing = {
    /** `manual`: a chat rings for all; `routed`: it is offered. * `manual` - manual * `routed` - routed */ mode: "manual" | "routed";
    accept_seconds: number;
    silent_minutes: number;
    prefer_last: boolean;
    /** How operators count who read the visitor's language. * `ignore` - ignore * `prefer` - prefer * `only` - only */ languages: "ignore" | "prefer" | "only";
    answer_times: Array<AnswerTime>;
    warn_percent: number;
    /** Whether answer times run in open time alone. * `open` - open * `always` - always */ clock: "open" | "always";
    capacity: number;
    misses: number;
    show_place: boolean;
    show_expected: boolean;
};
export type RoutingInput = {
    /** `manual`: a chat rings for all; `routed`: it is offered. * `manual` - manual * `routed` - routed */ mode?: "manual" | "routed";
    /** An offer stands for so long, then the next operator has it; 0: a chat is theirs at once. */ accept_seconds?: number;
    /** After so many minutes of a visitor's wait for an owner who is here others are asked; 0: never. */ silent_minutes?: number;
    /** A chat that comes back is its last operator's, if they are here. */ prefer_last?: boolean;
    /** How operators count who read the visitor's language. * `ignore` - ignore * `prefer` - prefer * `only` - only */ languages?: "ignore" | "prefer" | "only";
    answer_times?: Array<AnswerTimeInput>;
    /** An answer time is warned of after so much of it. */ warn_percent?: number;
    /** Whether answer times run in open time alone. * `open` - open * `always` - always */ clock?: "open" | "always";
    /** Operators without their own have this one. */ capacity?: number;
    /** After so many missed offers in a row an operator is on a break; 0: never. */ misses?: number;
    /** Visitors see their place in the queue. */ show_place?: boolean;
    /** Visitors see how long it usually takes. */ show_expected?: boolean;
};
export type RowOffer = {
    agent_id: number;
    since: string;
    until: string;
    why: Why | null;
};
export type Rule = {
    id: number;
    /** Exactly as it was sent. */ content: string;
    /** By hand: your name of the document. Else its URL or file name. */ doc_id: string | null;
    /** `manual`, `manual:{doc_id}`, `crawl:{url}`, `upload:{id}` or `article:{id}:{lang}`. */ source_ref: string;
    /** * `manual` - manual * `crawl` - crawl * `upload` - upload * `article` - article */ source_type: "manual" | "crawl" | "upload" | "article";
    /** The page's or document's title and headings, joined by ` › `; `` by hand. */ title: string;
    /** The page's. */ url: string | null;
    /** Its place in the document, from 0; 0 by hand. */ chunk_index: number;
    /** The widget's numeric id. */ button_id: number;
    /** The AI operator that alone may be given the rule; null: all. Set in the cabinet. */ operator_id: number | null;
    /** `ready`: has a vector of the model in use. `pending`: will get one. `failed`: the provider refuses this text. `none`: there is no credential that embeds. All are found by their text. * `ready` - ready * `pending` - pending * `failed` - failed * `none` - none */ embedding_status: "ready" | "pending" | "failed" | "none";
    /** Its page is crawled by itself: an edit holds until that changes. */ regenerates: boolean;
    created_at: string;
    updated_at: string;
};
export type RuleChangesInput = {
    content?: string;
    doc_id?: string | null;
};
export type RuleInput = {
    content: string;
    doc_id?: string | null;
};
export type Run = {
    id: number;
    automation_id: number | null;
    macro_id: number | null;
    /** The automation's or the macro's, as it was called then. */ name: string;
    version: number | null;
    chat_id: number;
    at: string;
    /** The operator who ran the macro. */ by: number | null;
    /** The event, or the wait. */ trigger: Record<string, unknown>;
    why: Array<Checked>;
    did: Array<ActDone>;
    /** `limit`: automations have acted too often in this chat; nothing was done. * `done` - done * `partly` - partly * `limit` - limit */ state: "done" | "partly" | "limit";
    /** 0, or how many runs led to it. */ depth: number;
    undone_at: string | null;
};
export type RunMacroInput = {
    client_id: string;
    /** The answers to its questions, by their keys. */ inputs?: Record<string, string>;
    /** Its reply as it stands in the composer; without it, as the macro has it. */ body?: string;
};
export type Sample = {
    chat_id: number;
    at: string;
    message_id: number | null;
};
export type ScoreInput = {
    key: string;
    /** Null: it does not apply here. */ value: number | null;
    /** Without it: `""`. */ note?: string;
};
export type Scorecard = {
    version: number;
    criteria: Array<Criterion>;
    /** How many episodes a week are sampled of each operator. */ per_operator: number;
    /** How many episodes a week are sampled of AI. */ ai: number;
    /** The flags whose episodes are all reviewed: low_rating, thumb_down, reopened, slow, untrusted_handoff, facts_removed, safety. */ flags: Array<string>;
    /** A model scores automatically: nothing, open reviews, or also every episode that AI answered in. * `off` - off * `reviews` - reviews * `all_ai` - all_ai */ prefill: "off" | "reviews" | "all_ai";
};
export type ScorecardInput = {
    /** The version that was read. */ version: number;
    /** 1 to 12, each key once. */ criteria?: Array<CriterionInput>;
    per_operator?: number;
    ai?: number;
    flags?: Array<"low_rating" | "thumb_down" | "reopened" | "slow" | "untrusted_handoff" | "facts_removed" | "safety">;
    /** * `off` - off * `reviews` - reviews * `all_ai` - all_ai */ prefill?: "off" | "reviews" | "all_ai";
};
export type ScoresInput = {
    /** The review's version that was read. */ version: number;
    scores: Array<ScoreInput>;
    comment?: string;
};
export type Search = {
    query: string;
    /** `text`: there are no vectors to compare with. * `hybrid` - hybrid * `text` - text */ retrieval: "hybrid" | "text";
    chunks: Array<FoundChunk>;
};
export type SearchFigures = {
    asked: number;
    /** Searches that found an article. */ found: number;
    /** Searches of which a found article was opened within a day. */ opened: number;
    /** Searches that found nothing. */ nothing: number;
};
export type SecretInput = {
    /** Generated when omitted. */ secret?: string;
};
export type Seen = {
    chat_id: number;
    message_id: number;
};
export type SeenInput = {
    /** A message of this chat; all before it count as seen, too. */ message_id: number;
};
export type Sender = {
    /** * `client` - client * `agent` - agent * `ai` - ai * `external_operator` - external_operator * `system` - system */ kind: "client" | "agent" | "ai" | "external_operator" | "system";
    agent_id: number | null;
    name: string | null;
};
export type SentMessage = {
    id: number;
    chat_id: number;
    /** * `text` - text * `image` - image * `file` - file * `location` - location * `sticker` - sticker * `keyboard` - keyboard */ type: "text" | "image" | "file" | "location" | "sticker" | "keyboard";
    body: string;
    markdown: string | null;
    file: FileReference | null;
    /** The attachment's original name. */ name: string | null;
    /** The attachment's address, good for an hour without a token. */ url: string | null;
    /** All files of the message, `file` the first; several came as one album. */ files: Array<AttachedFile>;
    coords: Coords | null;
    sticker: Sticker | null;
    keyboard: Keyboard | null;
    /** Set where the customer sent something of a kind that is not known here; `body` says so in words. */ unsupported: Unsupported | null;
    /** When its writer changed it. */ edited_at: string | null;
    /** When its writer deleted it. A visitor's text in a messenger stays readable for operators; an operator's message is a text without words since. */ deleted_at: string | null;
    origin: string | null;
    sender: MessageSender;
    /** Whether AI speaks: an AI operator, or an external one that is no person. */ ai: boolean;
    /** The knowledge that an AI operator's answer rests on; empty for any other message. */ sources: Array<PublicSource>;
    /** The language in which a person wrote it, where `body` is a translation. */ translated_from: string | null;
    agent_id: number | null;
    created_at: string;
    seen_at: string | null;
    /** Only in a messenger's chat, for messages of the operators' side; visitors never see it. */ delivery: MessageDelivery | null;
    /** The message in other languages, as operators read or wrote it; visitors see none. */ translations: Array<MessageTranslation>;
};
export type Sentence = {
    text: string;
    /** Numbers of `sources`. */ sources: Array<number>;
};
export type Series = {
    /** In Europe/Moscow; inclusive. */ from: string;
    /** In Europe/Moscow; exclusive. */ to: string;
    /** * `day` - day * `week` - week * `month` - month */ interval: "day" | "week" | "month";
    buckets: Array<Bucket>;
};
export type ServedAi = {
    greeting: string | null;
    quick_phrases: Array<string>;
    operator: ServedAiOperator;
};
export type ServedAiOperator = {
    id: number;
    name: string;
    avatar_url: string | null;
};
export type ServedDepartment = {
    id: number;
    name: string;
    open: boolean;
};
export type ServedHelp = {
    /** `suggest`: also while the first message is written. * `search` - search * `suggest` - suggest */ mode: "search" | "suggest";
    /** The help center; null where it is not public. */ url: string | null;
};
export type ServedIcon = {
    path: string | null;
    url: string | null;
    /** Its first frame, for those who want no motion. */ still_url: string | null;
};
export type ServedInvitation = {
    id: number;
    /** Conditions that must all hold, and in `any` 1 to 5 objects of which one must; `{}` holds everywhere. */ rule: Record<string, unknown>;
    priority: number;
    per_visitor: PerVisitor;
    /** `{event, hours}` or `{page, hours}`, 72 hours if not said; null: none. */ goal: unknown;
    /** With a preview's token alone. */ name?: string;
    /** With a preview's token alone. * `draft` - draft * `live` - live * `paused` - paused */ state?: "draft" | "live" | "paused";
    /** With a preview's token alone: a sentence by condition, `any.0.page`. */ sentences?: Record<string, unknown>;
};
export type ServedInvitations = {
    /** Pages on which no visitor is invited. */ never_on: Array<string>;
    per_visit: number;
    gap_s: number;
    invitations: Array<ServedInvitation>;
};
export type ServedLetters = {
    /** * `off` - off * `ask` - ask * `on` - on */ mode: "off" | "ask" | "on";
};
export type ServedMessenger = {
    code: string;
    url: string;
    /** The messenger's name. */ name: string;
    /** Drawn in a square of 24: the `d` of an SVG path. */ picture: string;
    /** Whether a chat can be carried over (`POST …/continue`). */ continues: boolean;
};
export type ServedOption = {
    value: string;
    label: string;
};
export type ServedProfiles = {
    desktop: Record<string, unknown>;
    mobile: Record<string, unknown>;
};
export type ServedProof = {
    ask: string;
    code: string;
};
export type ServedQuestion = {
    key: string;
    /** * `name` - name * `email` - email * `phone` - phone * `department` - department * `text` - text * `long_text` - long_text * `number` - number * `date` - date * `choice` - choice * `yes_no` - yes_no * `consent` - consent */ kind: "name" | "email" | "phone" | "department" | "text" | "long_text" | "number" | "date" | "choice" | "yes_no" | "consent";
    /** Plain text; a consent's is Markdown. */ label: string;
    /** Markdown. */ help: string | null;
    required: boolean;
    /** Null, or `{key: [values]}` of questions before it: it is asked where the answer to each is one of them. */ when: Record<string, Array<unknown>> | null;
    /** A choice's; a department's are the config's `departments`. */ options: Array<ServedOption>;
};
export type ServedQuestions = {
    /** Markdown. */ intro: string | null;
    questions: Array<ServedQuestion>;
};
export type Session = {
    visitor_token: string;
    contact_id: string;
    /** Null before the first message. */ chat_id: number | null;
    /** Whether an operator is there to answer. */ online: boolean;
    /** The operators who can answer, the operator of the chat first. */ present: Array<PresentOperator>;
    messages: Array<Message>;
    /** The newest of the chat, oldest first. */ steps: Array<VisitorStep>;
    letters: SessionLetters;
    /** The place while the visitor waits in a queue whose places are told. */ queue: QueuePlace | null;
    /** The keys of the questions that are not asked: the page told it, the contact has it, or it was answered lately. Absent where nothing is asked. */ known_answers?: Array<string>;
    realtime_url: string;
};
export type SessionInput = {
    visitor_token?: string;
    name?: string;
    email?: string;
    phone?: string;
    attributes?: Record<string, unknown> | null;
    /** Without it: `""`. */ page_url?: string;
    /** Without it: `""`. */ lang?: string;
    /** Without it: `""`. */ referrer?: string;
    /** Such as `Europe/Moscow`. Without it: `""`. */ time_zone?: string;
    /** The website's own id of its user. */ user_id?: string;
    /** The HMAC-SHA256 that proves it, in hexadecimal. */ identity_hmac?: string;
    /** The answer to a challenge, base64 of JSON. Without it: `""`. */ proof?: string;
    /** The browser's own: what invitations it was offered is its visitor's from now on. */ key?: string;
    /** The token of a letter's link: it opens the chat from the message on that the letter quotes. */ letter?: string;
    /** With `letter`: the visitor was asked, and opens another chat than that of their `visitor_token`. Without it: `false`. */ letter_agreed?: boolean;
};
export type SessionLetters = {
    /** * `off` - off * `ask` - ask * `on` - on */ mode: "off" | "ask" | "on";
    /** Masked unless the visitor told it here. */ address: string | null;
    /** * `will` - will * `none` - none * `stopped` - stopped * `dead` - dead */ state: "will" | "none" | "stopped" | "dead";
};
export type Settings = {
    /** The widget's guid. */ widget_id: string;
    /** Whether the widget's API may be used. */ api_enabled: boolean;
    /** The bottom corner. * `right` - right * `left` - left */ widget_position: "right" | "left";
    /** The launcher's distance from the side, in pixels. */ widget_offset_x: number;
    /** The launcher's distance from the bottom, in pixels. */ widget_offset_y: number;
    /** The open chat's distance from the side, in pixels. */ widget_chat_offset_x: number;
    /** The open chat's distance from the bottom, in pixels. */ widget_chat_offset_y: number;
    /** At most, in pixels. */ widget_chat_width: number;
    /** At most, in pixels. */ widget_chat_height: number;
    /** A launcher of 48, 56 or 64 pixels. */ widget_button_size: number;
    widget_z_index: number;
    /** A preset's id, or `custom:N` of an icon of this widget. */ icon_preset: string;
    /** How the icon moves: turns; turns and breathes. * `static` - static * `spin` - spin * `spiral` - spiral */ icon_custom_animated: "static" | "spin" | "spiral";
    /** Colours. A premium skin needs a plan that has it when it is chosen. * `classic` - classic * `slate` - slate * `sand` - sand * `contrast` - contrast * `aurora` - aurora * `ocean` - ocean * `orchid` - orchid * `noir` - noir */ widget_skin: "classic" | "slate" | "sand" | "contrast" | "aurora" | "ocean" | "orchid" | "noir";
    /** The color of the launcher, the visitor's bubbles and buttons, such as `#2f6b3c`; null: the skin's. */ widget_accent_color: string | null;
    /** `auto`: the system's. * `auto` - auto * `light` - light * `dark` - dark */ widget_color_scheme: "auto" | "light" | "dark";
    /** How the header shows operators. * `faces_and_names` - faces_and_names * `faces` - faces * `names` - names * `hidden` - hidden */ operators_display_mode: "faces_and_names" | "faces" | "names" | "hidden";
    /** The header's title. Null: the widget's name. */ widget_name: string | null;
    /** Below the title. Null: none. */ widget_signature: string | null;
    /** The first bubble, which is no message. Null: a text of ours. */ widget_greeting: string | null;
    /** A tone for an answer while the chat is closed or hidden. */ widget_sound: boolean;
    /** Off: opened by `Parley.open()` alone. */ widget_show_launcher: boolean;
    /** The greeting. */ widget_show_greeting: boolean;
    /** Online, or away. */ widget_show_status: boolean;
    /** Shows that an operator is typing. */ widget_show_typing: boolean;
    /** An unread answer beside the launcher. */ widget_show_preview: boolean;
    /** The count of unread answers in a hidden tab's title. */ widget_show_title_count: boolean;
    /** Visitors may send files. */ widget_show_files: boolean;
    /** Visitors may rate the chat. */ widget_show_rating: boolean;
    /** A form while no operator is online. */ widget_show_offline_form: boolean;
    /** The choice of a department before the first message. */ widget_show_departments: boolean;
    /** Links to messengers. */ widget_show_messengers: boolean;
    /** The menu of languages. */ widget_show_lang_switcher: boolean;
    /** `auto`: the best supported of the visitor's. * `auto` - auto * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ widget_default_language: "auto" | "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
    /** In the menu's order, each once. */ widget_supported_languages: Array<string>;
    /** A supported language. * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ widget_fallback_language: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
    /** The language of name, signature and greeting. * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ widget_content_source_language: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
    /** Have them translated by the widget's model. */ widget_auto_translate_custom_texts: boolean;
    /** Own translations, by language. */ widget_text_translations: Record<string, Record<string, string>>;
    /** The site's domain, such as `shop.example`: over its subdomains a visitor is one person, whose token a cookie of the site keeps. Null: on each host another. */ widget_cookie_domain: string | null;
    /** The overrides by device while `enabled`. */ device_profiles: DeviceProfiles;
    /** Rises with each change of the language policy. */ widget_language_policy_revision: number;
    /** The same. */ widget_translation_revision: number;
    widget_translation_status: TranslationStatus;
    /** When the settings last changed. */ updated_at: string;
};
export type SettingsChangesInput = {
    /** The bottom corner. * `right` - right * `left` - left */ widget_position?: "right" | "left" | null;
    /** The launcher's distance from the side, in pixels. */ widget_offset_x?: number | null;
    /** The launcher's distance from the bottom, in pixels. */ widget_offset_y?: number | null;
    /** The open chat's distance from the side, in pixels. */ widget_chat_offset_x?: number | null;
    /** The open chat's distance from the bottom, in pixels. */ widget_chat_offset_y?: number | null;
    /** At most, in pixels. */ widget_chat_width?: number | null;
    /** At most, in pixels. */ widget_chat_height?: number | null;
    /** A launcher of 48, 56 or 64 pixels. */ widget_button_size?: number | null;
    widget_z_index?: number | null;
    /** A preset's id, or `custom:N` of an icon of this widget. */ icon_preset?: string | null;
    /** How the icon moves: turns; turns and breathes. */ icon_custom_animated?: "static" | "spin" | "spiral" | boolean | null;
    /** Colours. A premium skin needs a plan that has it when it is chosen. * `classic` - classic * `slate` - slate * `sand` - sand * `contrast` - contrast * `aurora` - aurora * `ocean` - ocean * `orchid` - orchid * `noir` - noir */ widget_skin?: "classic" | "slate" | "sand" | "contrast" | "aurora" | "ocean" | "orchid" | "noir" | null;
    /** The color of the launcher, the visitor's bubbles and buttons, such as `#2f6b3c`; null: the skin's. */ widget_accent_color?: string | null;
    /** `auto`: the system's. * `auto` - auto * `light` - light * `dark` - dark */ widget_color_scheme?: "auto" | "light" | "dark" | null;
    /** How the header shows operators. * `faces_and_names` - faces_and_names * `faces` - faces * `names` - names * `hidden` - hidden */ operators_display_mode?: "faces_and_names" | "faces" | "names" | "hidden" | null;
    /** The header's title. Null: the widget's name. */ widget_name?: string | null;
    /** Below the title. Null: none. */ widget_signature?: string | null;
    /** The first bubble, which is no message. Null: a text of ours. */ widget_greeting?: string | null;
    /** A tone for an answer while the chat is closed or hidden. */ widget_sound?: boolean | null;
    /** Off: opened by `Parley.open()` alone. */ widget_show_launcher?: boolean | null;
    /** The greeting. */ widget_show_greeting?: boolean | null;
    /** Online, or away. */ widget_show_status?: boolean | null;
    /** Shows that an operator is typing. */ widget_show_typing?: boolean | null;
    /** An unread answer beside the launcher. */ widget_show_preview?: boolean | null;
    /** The count of unread answers in a hidden tab's title. */ widget_show_title_count?: boolean | null;
    /** Visitors may send files. */ widget_show_files?: boolean | null;
    /** Visitors may rate the chat. */ widget_show_rating?: boolean | null;
    /** A form while no operator is online. */ widget_show_offline_form?: boolean | null;
    /** The choice of a department before the first message. */ widget_show_departments?: boolean | null;
    /** Links to messengers. */ widget_show_messengers?: boolean | null;
    /** The menu of languages. */ widget_show_lang_switcher?: boolean | null;
    /** `auto`: the best supported of the visitor's. * `auto` - auto * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ widget_default_language?: "auto" | "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
    /** In the menu's order, each once. */ widget_supported_languages?: Array<"ru" | "en" | "el" | "de" | "es" | "ar" | "zh">;
    /** A supported language. * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ widget_fallback_language?: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
    /** The language of name, signature and greeting. * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ widget_content_source_language?: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
    /** Have them translated by the widget's model. */ widget_auto_translate_custom_texts?: boolean;
    /** Own translations, by language. */ widget_text_translations?: TextTranslationsInput;
    /** The site's domain, such as `shop.example`: over its subdomains a visitor is one person, whose token a cookie of the site keeps. Null: on each host another. */ widget_cookie_domain?: string | null;
    /** The overrides by device while `enabled`. */ device_profiles?: DeviceProfilesInput | null;
};
export type SettingsSchema = {
    /** Raised with every change of a field. */ schema_version: number;
    /** By member: `type`, `read_only`, `nullable`, `strict_json_type`, `accepted_types`, `validation_rules`, `patch`, `default_semantics`, `effective_default`, `device_profile`, `translatable` and, where it applies, `enum`, `accepted_values`, `range`, `min_length`, `max_length`, `pattern` (PCRE), `catalog_url`, `fields`. */ fields: Record<string, unknown>;
};
export type SettleInput = {
    /** The review's version that was read. */ version: number;
    scores?: Array<ScoreInput>;
    comment?: string;
};
export type ShopCard = {
    key: string;
    title: string;
    /** `stale`: it is asked for again. `failed`: what is shown, if anything, is of before. * `loading` - loading * `fresh` - fresh * `stale` - stale * `failed` - failed */ state: "loading" | "fresh" | "stale" | "failed";
    /** As the guide “Cards from your system” names them; addresses are https. */ components: Array<Record<string, unknown>>;
    /** It was proved who the visitor is when the card was read. */ is_proved: boolean;
    fetched_at: string | null;
    /** Why it failed: a slug, or the path of what is wrong, such as `components[3].url`. */ error: string | null;
    last_action: CardAction | null;
};
export type SignalInput = {
    /** * `opened` - opened * `dismissed` - dismissed * `goal` - goal */ kind: "opened" | "dismissed" | "goal";
    offer_id?: number;
    invitation_id?: number;
};
export type SignalsInput = {
    key: string;
    signals: Array<SignalInput>;
};
export type SinceInput = {
    /** Inclusive; of the last 90 days. */ since: string;
};
export type Skin = {
    id: string;
    name: string;
    premium: boolean;
    /** Whether the widget's plan has it. */ available: boolean;
};
export type SlaBreachedEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "sla.breached";
    /** The answer that was due, and whose chat it is. */ data: {
        /** The chat's id. */ chat_id: number;
        /** The contact's guid. */ client_id: string;
        /** The answer time that it is about. */ metric: "first_reply" | "next_reply" | "resolution";
        /** When it is, or was, due (UTC). */ due_at: string;
        /** The chat's department; null without one. */ department_id: number | null;
        /** The agent who owns the chat; null: nobody does. */ operator_id: number | null;
        /** The chat's priority. */ priority: "low" | "normal" | "high" | "urgent";
        /** The widget's guid. */ button_guid: string;
    };
};
export type SlaWarningEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "sla.warning";
    /** The answer that is due, and whose chat it is. */ data: {
        /** The chat's id. */ chat_id: number;
        /** The contact's guid. */ client_id: string;
        /** The answer time that it is about. */ metric: "first_reply" | "next_reply" | "resolution";
        /** When it is, or was, due (UTC). */ due_at: string;
        /** The chat's department; null without one. */ department_id: number | null;
        /** The agent who owns the chat; null: nobody does. */ operator_id: number | null;
        /** The chat's priority. */ priority: "low" | "normal" | "high" | "urgent";
        /** The widget's guid. */ button_guid: string;
    };
};
export type Snooze = {
    /** Null: until the visitor writes. */ until: string | null;
    /** The operator's id. */ by: number | null;
    at: string;
};
export type SnoozeInput = {
    /** Null: until the visitor writes. */ until: string | null;
};
export type Source = {
    source_ref: string;
    /** * `manual` - manual * `crawl` - crawl * `upload` - upload * `article` - article */ type: "manual" | "crawl" | "upload" | "article";
    /** By hand: the `doc_id`, or empty. */ title: string;
    doc_id: string | null;
    url: string | null;
    upload_id: number | null;
    /** How many rules it has. */ chunks: number;
    /** Whether it is crawled again by itself. */ regenerates: boolean;
    created_at: string;
    updated_at: string;
};
export type Speaker = {
    /** * `widget` - widget * `ai` - ai * `agent` - agent */ kind: "widget" | "ai" | "agent";
    agent_id: number | null;
};
export type SpeakerInput = {
    /** * `widget` - widget * `ai` - ai * `agent` - agent */ kind: "widget" | "ai" | "agent";
    agent_id?: number | null;
};
export type Spoken = {
    audio_base64: string;
    mime_type: string;
    format: string;
};
export type SpokenInput = {
    text: string;
    /** * `alloy` - alloy * `ash` - ash * `ballad` - ballad * `coral` - coral * `echo` - echo * `fable` - fable * `nova` - nova * `onyx` - onyx * `sage` - sage * `shimmer` - shimmer * `verse` - verse Without it: `"alloy"`. */ voice?: "alloy" | "ash" | "ballad" | "coral" | "echo" | "fable" | "nova" | "onyx" | "sage" | "shimmer" | "verse";
    /** * `mp3` - mp3 * `opus` - opus * `aac` - aac * `flac` - flac * `wav` - wav Without it: `"mp3"`. */ format?: "mp3" | "opus" | "aac" | "flac" | "wav";
};
export type StateInput = {
    /** Without one: `expired`. */ reason?: string;
    /** * `active` - active * `ready` - ready * `expired` - expired * `spam` - spam */ state: "active" | "ready" | "expired" | "spam";
};
export type Stats = {
    /** In Europe/Moscow; inclusive. */ from: string;
    /** In Europe/Moscow; exclusive. */ to: string;
    metrics: Metrics;
};
export type Status = {
    /** * `active` - active * `relaxation` - relaxation */ status: "active" | "relaxation";
};
export type StatusAccountInput = {
    user_id: string;
};
export type StatusInput = {
    /** * `active` - active * `relaxation` - relaxation */ status: "active" | "relaxation";
    /** Words for colleagues during the break. */ note?: string;
    /** The visitors who wait for the caller go on to others at once. */ pass_on?: boolean;
};
export type Step = {
    id: number;
    /** * `accepted` - accepted * `assigned` - assigned * `transferred` - transferred * `returned` - returned * `closed` - closed * `reopened` - reopened * `rated` - rated * `waits` - waits * `translated` - translated * `untranslated` - untranslated * `routed` - routed * `priority` - priority * `automation` - automation * `dealt_with` - dealt_with * `card` - card */ kind: "accepted" | "assigned" | "transferred" | "returned" | "closed" | "reopened" | "rated" | "waits" | "translated" | "untranslated" | "routed" | "priority" | "automation" | "dealt_with" | "card";
    /** The agent who did it; null for the visitor, and for calls of the API. */ agent_id: number | null;
    to_agent_id: number | null;
    department_id: number | null;
    /** The actor's comment; of a rating its value, of a handover its reason, of an automation its name. */ comment: string | null;
    /** The run of an automation or macro; null for any other step. */ run_id: number | null;
    /** The automation's version that acted. */ version: number | null;
    /** The message after which it stands, 0 for none. */ after_message_id: number;
    at: string;
};
export type Sticker = {
    id: string;
    url?: string;
};
export type StickerInput = {
    id: string;
    /** An absolute https URL. */ url?: string;
};
export type StoredReply = {
    action_id: number;
    /** * `stored` - stored * `unconfirmed` - unconfirmed */ status: "stored" | "unconfirmed";
    chat_id: number;
    message_id: number | null;
    delivery: string | null;
    /** As it is stored. */ text: string;
    ticket_effect: TicketEffect | null;
    at: string;
};
export type Subscription = {
    id: number;
    url: string;
    events: Array<string>;
    /** The events among `events` that are not enabled platform-wide now: they are not delivered until they are. `GET /v1/webhook-events` tells of every event whether it is. */ disabled_events: Array<string>;
    is_active: boolean;
    is_legacy_compat: boolean;
    created_at: string;
    updated_at: string;
};
export type SubscriptionChangesInput = {
    /** https, on a public address, at most 2048 characters; unique in the widget. */ url?: string;
    /** Native names, or the five legacy names when `is_legacy_compat` is true. Required when `is_legacy_compat` changes: no name is of both kinds. */ events?: Array<string>;
    is_legacy_compat?: boolean;
    /** While false, nothing is queued, and what is queued is dropped. */ is_active?: boolean;
};
export type SubscriptionInput = {
    /** https, on a public address, at most 2048 characters; unique in the widget. */ url: string;
    /** Native names, or the five legacy names when `is_legacy_compat` is true. */ events: Array<string>;
    /** Signs the deliveries. Generated when omitted. */ secret?: string;
    /** Without it: `false`. */ is_legacy_compat?: boolean;
};
export type SuggestedScore = {
    key: string;
    /** Null: no quote stands in the chat. */ value: number | null;
    reason: string;
    quotes: Array<ReviewQuote>;
};
export type SummaryText = {
    wants: string;
    done: string;
    open: Array<string>;
    promised: Array<string>;
};
export type SupportedLanguage = {
    code: string;
    name: string;
};
export type TagList = {
    data: Array<string>;
    /** Always null. */ next_cursor: string | null;
};
export type TagsInput = {
    /** Kept as they are sent: `VIP` and `vip` are two tags. */ tags: Array<string>;
};
export type TargetInput = {
    chat_id?: number;
    /** A ticket's number: its chat. */ ticket?: number;
    /** A contact's id: each of their chats. */ widget_visitor?: string;
};
export type Team = {
    first_reply: TeamTimes;
    person_reply: TeamTimes;
};
export type TeamTimes = {
    n: number;
    p50: number | null;
    p90: number | null;
};
export type TellInput = {
    agent_id: number;
    /** Only count. Without it: `false`. */ dry_run?: boolean;
};
export type Telling = {
    queued: number;
    left_out: LeftOut;
};
export type Template = {
    slug: string;
    version: number;
    /** * `retail` - retail * `logistics` - logistics * `software` - software * `health` - health * `beauty` - beauty * `real_estate` - real_estate * `hospitality` - hospitality * `education` - education * `services` - services */ category: "retail" | "logistics" | "software" | "health" | "beauty" | "real_estate" | "hospitality" | "education" | "services";
    name: string;
    description: string;
    /** The language of these texts. * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ locale: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
    /** The languages that there are. */ locales: Array<string>;
    persona: string;
    system_prompt: string;
    escalation_triggers: Array<string>;
    /** As an assistant made of it would have them. */ effective_escalation_triggers: Array<string>;
    greeting: string;
    quick_phrases: Array<string>;
    temperature: number;
    rag_enabled: boolean;
};
export type TemplateRow = {
    slug: string;
    version: number;
    /** * `retail` - retail * `logistics` - logistics * `software` - software * `health` - health * `beauty` - beauty * `real_estate` - real_estate * `hospitality` - hospitality * `education` - education * `services` - services */ category: "retail" | "logistics" | "software" | "health" | "beauty" | "real_estate" | "hospitality" | "education" | "services";
    name: string;
    description: string;
    /** The language of these texts. * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ locale: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
    /** The languages that there are. */ locales: Array<string>;
};
export type TestInput = {
    question: string;
    history?: Array<HistoryItemInput>;
    /** The operator that would speak; needed if several operators run the assistant. */ operator_id?: number;
    /** The question's language, unless it is sent. * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ locale?: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
    /** Whether people are there; presence is read, unless it is sent. * `online` - online * `offline` - offline * `unknown` - unknown */ operators?: "online" | "offline" | "unknown";
};
export type TestLimits = {
    body_bytes: number;
    question_characters: number;
    history_items: number;
    total_characters: number;
    starts_per_minute: number;
    in_flight: number;
    provider_http_operations: number;
    provider_seconds: number;
};
export type TestResult = {
    assistant_id: number;
    /** Null: no AI operator runs the assistant. */ operator_id: number | null;
    assistant_enabled: boolean;
    /** * `openai_compatible` - openai_compatible * `openai` - openai * `anthropic` - anthropic * `gemini` - gemini */ configured_provider: "openai_compatible" | "openai" | "anthropic" | "gemini";
    configured_model: string;
    answer: string;
    /** * `primary` - primary * `fallback` - fallback * `none` - none */ provider_path: "primary" | "fallback" | "none";
    /** * `ru` - ru * `en` - en * `el` - el * `de` - de * `es` - es * `ar` - ar * `zh` - zh */ locale: "ru" | "en" | "el" | "de" | "es" | "ar" | "zh";
    operators: OperatorsState;
    presence_context_enabled: boolean;
    /** * `disabled` - disabled * `unavailable` - unavailable * `empty` - empty * `included` - included */ rag_status: "disabled" | "unavailable" | "empty" | "included";
    /** * `answer` - answer * `social_reply` - social_reply * `empty_response` - empty_response * `answer_only_recovery` - answer_only_recovery * `untrusted_handoff_fallback` - untrusted_handoff_fallback * `escalation_outcome` - escalation_outcome */ transformation: "answer" | "social_reply" | "empty_response" | "answer_only_recovery" | "untrusted_handoff_fallback" | "escalation_outcome";
    /** * `not_needed` - not_needed * `unavailable` - unavailable * `escalate` - escalate * `no_escalation` - no_escalation */ classifier: "not_needed" | "unavailable" | "escalate" | "no_escalation";
    escalation: Escalation;
    /** * `handover_notice` - handover_notice * `handover_offline` - handover_offline * `handover_unknown` - handover_unknown */ outcome: "handover_notice" | "handover_offline" | "handover_unknown" | null;
    offline_outcome_suppressed: boolean;
    provider_http_operations: number;
    chat_created: boolean;
    limitations: Array<string>;
};
export type TextTranslationsInput = {
    ru?: LocaleTextsInput;
    en?: LocaleTextsInput;
    el?: LocaleTextsInput;
    de?: LocaleTextsInput;
    es?: LocaleTextsInput;
    ar?: LocaleTextsInput;
    zh?: LocaleTextsInput;
};
export type Texts = {
    persona: string;
    system_prompt: string;
};
export type Theme = {
    light: Record<string, unknown>;
    dark: Record<string, unknown>;
};
export type Ticket = {
    ticket: string;
};
export type TicketEffect = {
    ticket: number | null;
    /** * `closed` - closed * `held_for_owner` - held_for_owner * `already_closed` - already_closed * `none` - none */ effect: "closed" | "held_for_owner" | "already_closed" | "none";
};
export type TicketReply = {
    id: number;
    text: string;
    at: string;
};
export type TicketStatus = {
    number: number;
    /** * `open` - open * `closed` - closed */ state: "open" | "closed";
    /** * `resolved` - resolved * `answered_by_email` - answered_by_email * `duplicate` - duplicate * `false_positive` - false_positive * `answered` - answered */ close_reason: "resolved" | "answered_by_email" | "duplicate" | "false_positive" | "answered" | null;
    /** * `question` - question * `bug` - bug * `billing` - billing * `refund` - refund * `account` - account * `complaint` - complaint * `feedback` - feedback * `other` - other */ category: "question" | "bug" | "billing" | "refund" | "account" | "complaint" | "feedback" | "other" | null;
    subject: string | null;
    opened_at: string;
    updated_at: string;
    closed_at: string | null;
    replies: Array<TicketReply>;
    /** The next `after_message_id`. */ last_message_id: number;
    has_more: boolean;
};
export type TicketStatuses = {
    tickets: Array<TicketStatus>;
    /** Numbers that are not the account's. */ not_found: Array<number>;
};
export type TimeFigure = {
    n: number;
    p50: number | null;
    p90: number | null;
    /** The address of the list, which has `n` rows. */ chats: string;
    /** The address of the list of those that are at least `p90`. */ slowest: string;
};
export type Tokens = {
    input_tokens: number;
    output_tokens: number;
};
export type Tool = {
    id: string;
    name: string;
    is_builtin: boolean;
};
export type ToolCallInput = {
    id: string;
    name: string;
    arguments: Record<string, unknown>;
    /** As the plan had it; it says nothing here. */ confirmation_required?: boolean;
};
export type ToolInput = {
    name: string;
    description: string;
    /** A JSON Schema of an object, without `$ref` and `pattern`, nested at most 8 deep. */ parameters: Record<string, unknown>;
    /** Comes back as `confirmation_required`. Without it: `false`. */ confirmation?: boolean;
};
export type ToolResultInput = {
    call_id: string;
    /** Any JSON, null too. */ content: unknown;
    is_error?: boolean;
};
export type Transaction = {
    id: number;
    /** * `top_up` - top_up * `invoice_payment` - invoice_payment * `plan_purchase` - plan_purchase * `withdrawal` - withdrawal * `partner_reward` - partner_reward * `partner_payout` - partner_payout * `unknown` - unknown */ type: "top_up" | "invoice_payment" | "plan_purchase" | "withdrawal" | "partner_reward" | "partner_payout" | "unknown";
    /** * `pending` - pending * `completed` - completed * `cancelled` - cancelled * `unknown` - unknown */ state: "pending" | "completed" | "cancelled" | "unknown";
    /** * `credit` - credit * `debit` - debit * `unknown` - unknown */ direction: "credit" | "debit" | "unknown";
    amount_minor: number;
    currency: string;
    /** Digits behind the decimal point: 12345 with 2 is 123.45. */ minor_unit_scale: number;
    description: string | null;
    legal_entity_id: number | null;
    invoice_id: number | null;
    subscription_id: number | null;
    created_at: string;
    /** When a withdrawal was paid or cancelled, all else was done. */ settled_at: string | null;
};
export type TranscriptLine = {
    id: number;
    kind: string;
    text: string;
    at: string;
};
export type Transcription = {
    text: string;
};
export type TranscriptionInput = {
    /** At most 6 MiB, decoded. */ audio_base64: string;
    mime_type: string;
    language?: string;
};
export type TransferInput = {
    /** A human agent of this widget, not banned. */ agent_id: number;
};
export type Translation = {
    field: string;
    locale: string;
    /** * `manual` - manual * `ready` - ready * `stale` - stale * `pending` - pending * `failed` - failed * `missing` - missing */ state: "manual" | "ready" | "stale" | "pending" | "failed" | "missing";
    /** The source of the text that visitors see. * `manual` - manual * `ai` - ai * `source` - source * `catalogue` - catalogue */ shown: "manual" | "ai" | "source" | "catalogue";
    /** The length of the text that visitors see. */ characters: number;
    error: string | null;
    updated_at: string | null;
};
export type TranslationBudget = {
    limit: number;
    window_seconds: number;
    used: number;
    remaining: number;
};
export type TranslationCounts = {
    ready: number;
    stale: number;
    pending: number;
    failed: number;
};
export type TranslationInput = {
    on: boolean;
    /** The visitor's language, where the operator knows better. */ visitor_language?: string;
    /** The newest 30 messages that have none, too. Without it: `false`. */ earlier?: boolean;
};
export type TranslationJob = {
    field: string;
    locale: string;
    state: string;
};
export type TranslationStatus = {
    /** Whether translations can be made: their table and a credential are there. */ available: boolean;
    /** The switch `widget_auto_translate_custom_texts`. */ enabled: boolean;
    /** Why none are made; null while they are. * `schema_unavailable` - schema_unavailable * `credential_missing` - credential_missing * `auto_translate_disabled` - auto_translate_disabled */ reason: "schema_unavailable" | "credential_missing" | "auto_translate_disabled" | null;
    revision: number;
    /** Texts that are to be translated, each in each language. */ total: number;
    counts: TranslationCounts;
};
export type Translations = {
    revision: number;
    status: TranslationStatus;
    translations: Array<Translation>;
    budget: TranslationBudget;
};
export type Trial = {
    /** The version that was tried; null of one that is not kept. */ version: number | null;
    /** How far back it looked. */ from: string;
    to: string;
    chats: number;
    runs: number;
    /** The events and waits that were judged. */ looked_at: number;
    /** Earlier days were left out: ten seconds were over. */ is_sampled: boolean;
    /** Fields without a history, judged as they are now. */ judged_by_now: Array<string>;
    /** By act, how often. */ would: Record<string, unknown>;
    /** At most 50, newest first. */ samples: Array<Sample>;
};
export type TrialDaysInput = {
    /** How far back. Without it: `30`. */ days?: number;
};
export type TrialInput = {
    /** `{event}`, or `{wait, minutes, clock}`. */ when: unknown;
    /** Null, `{all: […]}`, `{any: […]}`, `{not: …}` or `{field, op, value}`; nested 4 deep, 30 comparisons. */ if?: unknown;
    /** 1 to 10 acts `{do, …}`, done in their order. */ then: unknown;
    /** The automations behind it are not asked about the same event. Without it: `false`. */ stop?: boolean;
    /** How far back. Without it: `30`. */ days?: number;
};
export type Tried = {
    /** The version that was tried. */ version: number;
    at: string;
    chats: number;
    runs: number;
};
export type Turn = {
    conversation_id: string;
    request_id: string;
    /** * `reply` - reply * `tool_plan` - tool_plan */ type: "reply" | "tool_plan";
    /** Null in most plans. */ reply: string | null;
    tool_calls: Array<PlannedCall>;
    model: string;
    usage: Tokens | null;
};
export type TurnCancelledEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "turn.cancelled";
    /** A turn that the endpoint had taken has ended without its reply. */ data: {
        /** The widget's guid. */ button_guid: string;
        /** The operator's agent id. */ operator_id: number;
        /** The operator's public id. */ operator_public_id: string;
        /** The chat's id, to be sent back. */ room_id: number;
        /** Names the turn, to be sent back; good once. */ causation_id: string;
        /** Why. */ reason: "human_took_over" | "chat_closed" | "expired";
    };
};
export type TurnCreatedEvent = {
    /** The event's id, also in `X-Service-Idempotency-Key`. */ id: string;
    type: "turn.created";
    /** A visitor waits for an answer. */ data: {
        /** The widget's guid. */ button_guid: string;
        /** The operator's agent id. */ operator_id: number;
        /** The operator's public id. */ operator_public_id: string;
        /** The chat's id, to be sent back. */ room_id: number;
        /** Names the turn, to be sent back; good once. */ causation_id: string;
        /** Until then a reply is good; then others answer. */ deadline_at: string;
        /** The address to which the reply is posted. */ reply_url: string;
        /** `takeover`: the visitor wrote to people, who did not come. */ trigger: "message" | "takeover";
        /** The language of the conversation. */ locale: string | null;
        /** Whether people are there. */ operators: {
            /** Whether a person has a console open. */ state: "online" | "offline" | "unknown";
        };
        /** The chat. */ chat: {
            /** Its id. */ id: number;
            /** The channel's code. */ channel: string;
            /** The side that handled it so far. */ handling: string;
            /** Its department. */ department_id: number | null;
            /** Since when it is there. */ created_at: string;
        };
        /** The visitor who writes. */ contact: {
            /** The contact's guid. */ id: string;
            /** As they gave it. */ name: string | null;
        };
        /** The messages to answer, oldest first. */ messages: Array<Message>;
        /** The messages before, oldest first, 20 at most. */ history: Array<Message>;
    };
};
export type TurnInput = {
    conversation_id: string;
    /** Answers once in 24 hours. */ request_id: string;
    messages: Array<TurnMessageInput>;
    /** The application's facts of its user; at most 16 KiB. */ context: Record<string, unknown>;
    tools: Array<ToolInput>;
    tool_results?: Array<ToolResultInput>;
};
export type TurnMessageInput = {
    /** * `user` - user * `assistant` - assistant */ role: "user" | "assistant";
    content?: string | null;
    tool_calls?: Array<ToolCallInput>;
};
export type Typing = {
    chat_id: number;
    /** * `start` - start * `stop` - stop */ state: "start" | "stop";
};
export type TypingInput = {
    /** * `start` - start * `stop` - stop */ state: "start" | "stop";
};
export type Undoing = {
    runs: number;
};
export type Undone = {
    undone: Array<string>;
    kept: Array<KeptAct>;
};
export type Unsupported = {
    /** The messenger's code. */ provider: string;
    /** The kind's name, as the messenger calls it. */ kind: string;
};
export type Upload = {
    id: number;
    name: string;
    /** Bytes. */ size: number;
    /** Found in its content. * `text/plain` - text/plain * `text/markdown` - text/markdown * `text/csv` - text/csv * `text/html` - text/html * `application/pdf` - application/pdf * `application/vnd.openxmlformats-officedocument.wordprocessingml.document` - application/vnd.openxmlformats-officedocument.wordprocessingml.document * `application/vnd.oasis.opendocument.text` - application/vnd.oasis.opendocument.text * `application/vnd.openxmlformats-officedocument.spreadsheetml.sheet` - application/vnd.openxmlformats-officedocument.spreadsheetml.sheet * `application/vnd.oasis.opendocument.spreadsheet` - application/vnd.oasis.opendocument.spreadsheet */ content_type: "text/plain" | "text/markdown" | "text/csv" | "text/html" | "application/pdf" | "application/vnd.openxmlformats-officedocument.wordprocessingml.document" | "application/vnd.oasis.opendocument.text" | "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" | "application/vnd.oasis.opendocument.spreadsheet";
    /** From `embedding` on its text is found; `ready` says that nothing more is waited for. * `queued` - queued * `extracting` - extracting * `embedding` - embedding * `ready` - ready * `failed` - failed */ state: "queued" | "extracting" | "embedding" | "ready" | "failed";
    /** Set in `failed`: `unreadable`, `encrypted`, `no_text` (a scan), `too_much_text` (over 1,000,000 characters), `limits_exceeded`, `kb_full` or `crashed`. */ error: Error | null;
    /** Rules that are there of it now. */ chunks: number;
    /** The length of its text. */ characters: number;
    /** The parts that were not read, and their places. */ notes: Array<Note>;
    source_ref: string;
    created_at: string;
    updated_at: string;
    finished_at: string | null;
};
export type UploadCounts = {
    queued: number;
    extracting: number;
    embedding: number;
    ready: number;
    failed: number;
};
export type Usage = {
    since: string;
    prompt_tokens: number;
    completion_tokens: number;
    /** Requests to vendors, failed ones too. */ operations: number;
};
export type Verification = {
    chat_id: number;
    email_requested: boolean;
};
export type Version = {
    /** 1 and up, within the assistant. */ version: number;
    assistant_id: number;
    /** * `created` - created * `template` - template * `migrated` - migrated * `edited` - edited * `wish` - wish * `cycle` - cycle * `revert` - revert * `rollback` - rollback */ cause: "created" | "template" | "migrated" | "edited" | "wish" | "cycle" | "revert" | "rollback";
    is_live: boolean;
    /** The version whose text came back. */ restores: number | null;
    wish_id: number | null;
    cycle_id: number | null;
    summary: string;
    actor: Actor;
    created_at: string;
    persona: string;
    system_prompt: string;
    patch: Patch | null;
    previous: VersionBefore | null;
};
export type VersionBefore = {
    version: number;
    persona: string;
    system_prompt: string;
};
export type VersionRow = {
    /** 1 and up, within the assistant. */ version: number;
    assistant_id: number;
    /** * `created` - created * `template` - template * `migrated` - migrated * `edited` - edited * `wish` - wish * `cycle` - cycle * `revert` - revert * `rollback` - rollback */ cause: "created" | "template" | "migrated" | "edited" | "wish" | "cycle" | "revert" | "rollback";
    is_live: boolean;
    /** The version whose text came back. */ restores: number | null;
    wish_id: number | null;
    cycle_id: number | null;
    summary: string;
    actor: Actor;
    created_at: string;
};
export type Views = {
    /** Views of the public page. */ page: number;
    /** Inside the chat. */ widget: number;
    /** Views of the page's Markdown. */ markdown: number;
};
export type VisibleMessages = {
    data: Array<Message>;
};
export type VisitedPage = {
    url: string;
    at: string;
};
export type Visitor = {
    page_url: string | null;
    lang: string | null;
    last_seen_at: string;
    /** Such as `Firefox 133`. */ browser: string | null;
    /** Such as `Android 15`. */ system: string | null;
    /** The page from which they came to the first one of the visit. */ referrer: string | null;
    /** The browser's, as it names it, unchecked. */ time_zone: string | null;
    /** The IP address they came from last; of IPv6 the network of 64 bits. */ address: string | null;
    /** The last pages of the visit, oldest first. */ pages: Array<VisitedPage>;
    /** Their id at the website, which that has proved. */ user_id: string | null;
    presence: VisitorPresence;
};
export type VisitorMessageInput = {
    client_id: string;
    /** * `text` - text * `image` - image * `file` - file */ type: "text" | "image" | "file";
    /** Without it: `""`. */ body?: string;
    file_id?: number;
    department_id?: number;
    /** The page that it is written on; without it, the page that the session told last. */ page_url?: string;
    /** Answers to the config's `questions`, by key: as a chat begins, the required ones may not lack. */ answers?: Record<string, unknown>;
    /** The number of the offered invitation that it answers. */ offer_id?: number | null;
};
export type VisitorPresence = {
    /** * `here` - here * `left` - left * `unknown` - unknown */ state: "here" | "left" | "unknown";
    /** When they left; null while they are here, or nobody knows. */ since: string | null;
};
export type VisitorSeenInput = {
    message_id: number;
};
export type VisitorStep = {
    id: number;
    /** * `joined` - joined * `closed` - closed * `reopened` - reopened */ kind: "joined" | "closed" | "reopened";
    /** The person who did it; null where the widget shows no names. */ name: string | null;
    /** The message after which it stands, 0 for none. */ after_message_id: number;
    at: string;
};
export type VisitorTypingInput = {
    /** * `start` - start * `stop` - stop */ state: "start" | "stop";
};
export type VisitorWishInput = Record<string, unknown>;
export type WaitsFor = {
    name: string;
    since: string;
    /** Then others answer. */ until: string;
};
export type WholeVersion = {
    version: number;
    title: string;
    /** Its writer, by name. */ actor: string | null;
    at: string;
    /** Whether readers see it. */ is_published: boolean;
    slug: string;
    summary: string;
    /** Markdown. */ body: string;
};
export type Why = {
    /** `last_operator`, `language`, `fewest_open`, `longest_idle`, `only_one`, `passed`, `owner_away`, `owner_silent`, `overflow` */ reasons: Array<string>;
    load: number;
    capacity: number;
    department_load: number | null;
    department_capacity: number | null;
    waited_seconds: number;
    /** How many could have had it. */ among: number;
};
export type Wish = {
    id: number;
    assistant_id: number;
    text: string;
    chat_id: number | null;
    /** * `submitted` - submitted * `on_probation` - on_probation * `kept` - kept * `rejected` - rejected * `reverted` - reverted */ status: "submitted" | "on_probation" | "kept" | "rejected" | "reverted";
    /** Whether a model has drafted its patch. * `none` - none * `pending` - pending * `ready` - ready * `failed` - failed */ draft: "none" | "pending" | "ready" | "failed";
    author: Actor;
    /** The version that it made. */ version: number | null;
    base_version: number | null;
    probation: Probation | null;
    created_at: string;
    updated_at: string;
    /** Oldest first. */ decisions: Array<Decision>;
};
export type WishCounts = {
    submitted: number;
    on_probation: number;
};
export type WishInput = {
    text: string;
    /** Default: the widget's default assistant. */ assistant_id?: number;
    /** The chat that it is about. */ chat_id?: number;
};
export type WishOfOperator = {
    id: number;
    chat_id: number;
    assistant_id: number;
    /** `submitted`. */ status: string;
};
export type WishPreview = {
    wish_id: number;
    applicable: boolean;
    refusals: Array<Refusal>;
    /** * `literal` - literal * `model` - model */ source: "literal" | "model";
    patch: Patch;
    base_version: number | null;
    before: Texts;
    /** To the byte what an approval would store; `before` where none is applicable. */ after: Texts;
    fingerprint: string;
    probation: ProbationAhead;
    /** Null: its text was not examined. An approval needs one where questions are active. */ evaluation: Examination | null;
};
export type WishRow = {
    id: number;
    assistant_id: number;
    text: string;
    chat_id: number | null;
    /** * `submitted` - submitted * `on_probation` - on_probation * `kept` - kept * `rejected` - rejected * `reverted` - reverted */ status: "submitted" | "on_probation" | "kept" | "rejected" | "reverted";
    /** Whether a model has drafted its patch. * `none` - none * `pending` - pending * `ready` - ready * `failed` - failed */ draft: "none" | "pending" | "ready" | "failed";
    author: Actor;
    /** The version that it made. */ version: number | null;
    base_version: number | null;
    probation: Probation | null;
    created_at: string;
    updated_at: string;
};
