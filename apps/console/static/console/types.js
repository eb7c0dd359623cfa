/**
 * What the server sends and what the page keeps. Types only.
 *
 * @typedef {"active" | "ready" | "expired" | "spam"} Status
 * @typedef {{agent_id: number, type: "human" | "ai" | "webhook", at: string | null}} Operator
 * @typedef {{kind: "client" | "agent" | "ai" | "external_operator" | "system", agent_id: number | null, name: string | null}} Sender
 * @typedef {{id: number, type: string, preview: string, sender: Sender, created_at: string}} LastMessage
 * @typedef {"missed" | "human" | "ai" | "ai_to_human" | "human_to_ai"} Handling
 *
 * A chat, as the inbox shows it.
 * @typedef {{
 *   id: number, status: Status, channel: string, agent_id: number | null, accepted_by: Operator | null,
 *   handled_by: Operator | null, handling: Handling, contact_id: string, department_id: number | null,
 *   created_at: string, last_message_at: string | null, contact: {id: string, name: string | null},
 *   last_message: LastMessage | null, version: number, closed_at: string | null,
 *   handed_over_at: string | null, handover_reason: string | null, waits_since: string | null, is_unread: boolean,
 *   marks: Mark[], rings_for: "owner" | "all" | "nobody", snooze: Snooze | null, back_since: string | null,
 * }} Row
 *
 * Until when a chat is put aside; null: until its visitor writes.
 * @typedef {{until: string | null, by: number | null, at: string}} Snooze
 *
 * What support agents have in hand of a chat: a ticket by its number, or a lease by the agent's name.
 * @typedef {{kind: "ticket" | "held" | "lease", about: string, until: string | null}} Mark
 *
 * @typedef {{label: string, url: string, style?: "primary" | "secondary"}} Button
 * @typedef {{id: number, name: string, size: number, content_type: string}} FileReference
 * @typedef {{
 *   id: number, chat_id: number, type: "text" | "image" | "file" | "location" | "sticker" | "keyboard", body: string,
 *   markdown: string | null, file: FileReference | null, name: string | null, url: string | null,
 *   coords: {lat: number, lng: number} | null, sticker: {id: string, url?: string} | null,
 *   keyboard: {buttons: Button[]} | null, origin: string | null, sender: Sender, agent_id: number | null,
 *   created_at: string, seen_at: string | null, is_note: boolean, delivery: Delivery | null,
 *   files: FileReference[], unsupported: {provider: string, kind: string} | null,
 *   edited_at: string | null, deleted_at: string | null, deleted_by?: number | null, letter?: MessageLetter | null, translations?: Translation[],
 * }} Message
 *
 * A message in another language, and the places of it to check; of an operator's, the words that they wrote.
 * @typedef {{kind: string, source: string | null, text: string | null}} Difference
 * @typedef {{lang: string, text: string, is_source: boolean, state: "pending" | "done" | "failed", differs: Difference[]}} Translation
 *
 * The letter that a message came by, and the whole of it.
 * @typedef {{from: string, subject: string, proof: "pass" | "fail" | "none", third: boolean, cut: boolean}} MessageLetter
 * @typedef {{
 *   from: string, to: string[], cc: string[], subject: string, at: string, proof: string, text: string, html: string | null,
 *   files: {name: string, size: number, content_type: string}[], raw: string,
 * }} Letter
 *
 * What became of a message on its way to a messenger.
 * @typedef {{
 *   state: "queued" | "sent" | "delivered" | "read" | "failed", code: string | null, detail: string | null,
 *   attempts: number, at: string, sent_as?: string | null,
 * }} Delivery
 *
 * @typedef {{
 *   id: string, name: string | null, email: string | null, phone: string | null,
 *   attributes: Record<string, string | number | boolean>, tags: string[], created_at: string, updated_at: string,
 * }} Contact
 * @typedef {{
 *   contact: Contact,
 *   visitor: {
 *     page_url: string | null, lang: string | null, last_seen_at: string | null, browser: string | null,
 *     system: string | null, referrer: string | null, time_zone: string | null, pages: {url: string, at: string}[],
 *     user_id: string | null, address: string | null,
 *     presence: {state: "here" | "left" | "unknown", since: string | null},
 *   } | null,
 *   reach: {
 *     by: "here" | "mail" | "messenger" | "push" | "nothing", address: string | null, minutes: number | null, proven: boolean,
 *     reason: "no_address" | "off" | "not_asked" | "no_server" | "dead" | "stopped" | "no_sign" | null,
 *     detail: string | null, copies: number,
 *   },
 *   blocks: {id: number, what: "contact" | "address" | "network", network: string | null, reason: string, until: string | null}[],
 *   other_chats: {id: number, status: Status, channel: string, created_at: string, last_message_at: string | null}[],
 *   rating: {requested_at: string | null, value: number | null, comment: string | null, rated_at: string | null},
 *   steps: Step[], seen_by_visitor: number, answering: Answering | null, operators: Record<string, string>,
 *   summary: CardSummary | null, suggested_tags: string[],
 *   translation?: {on: boolean, is_offered: boolean, visitor_language: string, from: string, to: string[]},
 * }} Card
 *
 * What a chat is about, as a model summed it up.
 * @typedef {{
 *   id: number, wants: string, done: string, open: string[], promised: string[], language: string, up_to_message_id: number, at: string,
 * }} CardSummary
 *
 * What a model was asked for; `words` are those so far.
 * @typedef {{n: number, kind: "knowledge" | "past" | "card", title: string, url: string | null, ref: string, is_public: boolean}} AssistSource
 * @typedef {{
 *   id: number, chat_id: number, kind: "draft" | "rewrite" | "translation" | "summary", tool: string | null,
 *   state: "queued" | "running" | "done" | "failed" | "refused", is_stale: boolean, text: string,
 *   sentences: {text: string, sources: number[]}[], sources: AssistSource[], unsupported: string[], differs: Difference[],
 *   summary: object | null, tags: string[], language: string | null, based_on: number, reason: string | null,
 *   outcome: "used" | "edited" | "dismissed" | null, distance: number | null, created_at: string, finished_at: string | null,
 *   words?: string,
 * }} Assist
 *
 * What AI does in a chat; null where it is switched off.
 * @typedef {{ref: string, title: string, url: string | null, score?: number}} Source
 * @typedef {{message_id: number, sources: Source[], helpful: boolean | null}} Answer
 * @typedef {{
 *   mode: "ai" | "waiting" | "offline" | "person", is_shadow: boolean, looks_at: string | null,
 *   waits_for: {name: string, since: string, until: string} | null,
 *   answers: Answer[],
 * }} Answering
 *
 * What happened to a chat between two messages. The page makes one itself: `expired`, by nobody's word.
 * @typedef {{
 *   id: number, kind: "accepted" | "assigned" | "transferred" | "returned" | "closed" | "reopened" | "rated" | "waits" | "expired" | "translated" | "untranslated",
 *   agent_id: number | null, to_agent_id: number | null, department_id: number | null, comment: string | null,
 *   after_message_id: number, at: string,
 * }} Step
 *
 * @typedef {"active" | "relaxation"} Presence
 * @typedef {{
 *   id: number, name: string, avatar_url: string | null, status: Presence, online: boolean, department_ids: number[],
 * }} Agent
 * @typedef {{id: number, name: string}} Department
 * @typedef {{agent_id: number, state: "looking" | "typing"}} Colleague
 * @typedef {{id: number, shortcut: string, body: string, is_shared: boolean, is_mine: boolean, translations: ReplyTranslation[]}} Reply
 * @typedef {{lang: string, text: string, state: "machine" | "approved" | "stale"}} ReplyTranslation
 * @typedef {{
 *   unanswered: number, mine: number, department: number, open: number, snoozed: number,
 *   statuses: {active: number, ready: number}, channels: Record<string, number>,
 * }} Counts
 *
 * A refusal: a problem of HTTP, or the frame `error`.
 * @typedef {{code: string, detail: string, errors?: Record<string, string[]>, status?: number}} Refusal
 *
 * A message that no `ack` came for yet. It is kept over a reload of the tab.
 * @typedef {{
 *   client_id: string, chat_id: number, type: "text" | "image" | "file" | "keyboard", body?: string, file_id?: number, markdown?: string,
 *   keyboard?: {buttons: Button[]}, is_note?: boolean, and_close?: boolean, source?: {text: string, lang: string}, created_at: string,
 *   file?: FileReference, refusal?: Refusal | null, assist_id?: number, from_message_id?: number,
 * }} Unsent
 *
 * @typedef {"open" | "unanswered" | "mine" | "department" | "snoozed" | "closed" | "spam"} View
 * @typedef {{status: "active" | "ready" | null, channel: string | null}} Filters
 * @typedef {[time: string, id: number]} Key  A row's place in a list.
 *
 * The list of a view: all that matches, newest first, down to `boundary` (null: there is nothing below).
 * @typedef {{
 *   view: View, filters: Filters, cursor: string | null, boundary: Key | null, isLoaded: boolean, isLoading: boolean,
 *   refusal: Refusal | null,
 * }} List
 * @typedef {{message_id: number, excerpt: string}} Match  Where it was said, and what stands around it.
 * @typedef {{query: string, ids: number[], matches: Map<number, Match>, cursor: string | null, isLoaded: boolean, isLoading: boolean, refusal: Refusal | null}} Search
 *
 * The chat in the middle. `messages` are in the order of their ids, and whole from the first one shown to the newest;
 * `historyCursor` asks for older ones (null: there are none; undefined: nothing was asked for yet).
 * @typedef {{
 *   type: string, label?: string, text?: string, value?: string, tone?: string, copy?: boolean, url?: string, at?: string,
 *   amount_minor?: number, currency?: string, minor_unit_scale?: number, action?: string, confirm?: string, style?: string,
 * }} Component  A line of a card from the shop's own system.
 * @typedef {{
 *   key: string, title: string, state: "loading" | "fresh" | "stale" | "failed", components: Component[], is_proved: boolean,
 *   fetched_at: string | null, error: string | null,
 *   last_action: {client_id: string, action: string, state: "running" | "done" | "failed" | "unknown", message: string | null} | null,
 * }} ShopCard
 * @typedef {{
 *   chatId: number, card: Card | null, shopCards: ShopCard[], messages: Message[], historyCursor: string | null | undefined, isLoading: boolean,
 *   colleagues: Colleague[], isVisitorTyping: boolean, typingMachine: string | null, refusal: Refusal | null,
 * }} OpenChat
 *
 * What was done, said for a moment; `undo` takes it back.
 * @typedef {{text: string, undo?: () => void, undoLabel?: string}} Echo
 *
 * How this operator works, as the server keeps it.
 * @typedef {{next_after_close: boolean, formatting: boolean, reads: string[], show_translation: boolean}} Choices
 *
 * @typedef {"connecting" | "online" | "offline"} Connection
 * @typedef {"list" | "thread" | "card"} Pane  The one that a phone shows.
 * @typedef {{name: string, [key: string]: any}} Dialog
 * @typedef {{isNotifying: boolean, isSounding: boolean, isAsked: boolean}} Habits  What this person wants to be told by.
 *
 * @typedef {{
 *   me: Agent | null, widget: {id: number, guid: string, name: string} | null, agents: Map<number, Agent>,
 *   departments: Department[], rows: Map<number, Row>, list: List, search: Search | null, counts: Counts | null,
 *   selectedId: number | null, open: OpenChat | null, pane: Pane, connection: Connection, outbox: Unsent[],
 *   replies: Reply[] | null, dialog: Dialog | null, habits: Habits, notice: string | null, echo: Echo | null, choices: Choices,
 *   inSight: {from: number, to: number}, assists: Map<number, Assist>,
 * }} State
 *
 * @typedef {{data: any[], next_cursor: string | null}} Page
 * @typedef {{type: string, data?: any}} Frame
 * @typedef {{
 *   language: string, socket_url: string, sign_out_url: string, sign_in_url: string, password_url: string,
 *   cabinet_url: string | null, demo_url: string | null, embed_code: string, has_chats: boolean, has_cards: boolean, alias_words: [string[], string[]],
 *   two_factor_url: string, assists: string[],
 *   person: {name: string, email: string}, widgets: {guid: string, name: string, is_current: boolean}[],
 * }} Config
 */
export {};
