/**
 * The page's own types: its state, what its socket brings, and answers of the server where the page knows more of them
 * than the document says. The others are in `server_types.d.ts`, generated from `docs/openapi-console.yaml`.
 */

import type * as S from "./server_types.js";

export type Status = S.InboxChat["status"];
export type Presence = S.Status["status"];

/** A refusal: a problem of HTTP, or the frame `error`. */
export type Refusal = Pick<S.Problem, "code" | "detail" | "errors"> & { status?: number };
export type Page = { data: any[]; next_cursor: string | null };
export type Frame = { type: string; data?: any };

export type Attributes = Record<string, string | number | boolean>;
export type Contact = Omit<S.Contact, "attributes" | "external_id" | "merged_into" | "merged"> & { attributes: Attributes };
export type Card = Omit<S.Card, "contact" | "operators" | "translation"> & {
  contact: Contact;
  operators: Record<string, string>;
  translation?: S.CardTranslation;
};

/** What happened to a chat between two messages. The page makes one itself: `expired`, by nobody's word. */
export type Step = Omit<S.Step, "kind"> & { kind: S.Step["kind"] | "expired" };

/** What a model was asked for; `words` are those so far. */
export type Assist = S.Assist & { words?: string };

/** A line of a card from the shop's own system. */
export type Component = {
  type: string; label?: string; text?: string; value?: string; tone?: string; copy?: boolean; url?: string; at?: string;
  amount_minor?: number; currency?: string; minor_unit_scale?: number; action?: string; confirm?: string; style?: string;
};
export type ShopCard = Omit<S.ShopCard, "components"> & { components: Component[] };

/** A button as a person writes it; the server adds its style. */
export type Button = Pick<S.Button, "label" | "url"> & Partial<S.Button>;

// What only the socket brings.

export type Agent = {
  id: number; name: string; avatar_url: string | null; status: Presence; online: boolean; department_ids: number[];
  break: S.Break | null;
};
export type Department = { id: number; name: string };
export type Colleague = { agent_id: number; state: "looking" | "typing" };
export type Counts = {
  unanswered: number; mine: number; department: number; open: number; queue: number; due: number; snoozed: number;
  statuses: { active: number; ready: number }; channels: Record<string, number>;
};

// The state.

/** A message that no `ack` came for yet. It is kept over a reload of the tab. */
export type Unsent = {
  client_id: string; chat_id: number; type: "text" | "image" | "file" | "keyboard"; body?: string; file_id?: number; markdown?: string;
  keyboard?: { buttons: Button[] }; is_note?: boolean; and_close?: boolean; source?: S.OwnWordsInput; created_at: string;
  file?: S.FileReference; refusal?: Refusal | null; assist_id?: number; from_message_id?: number;
};

export type View = "open" | "unanswered" | "mine" | "department" | "queue" | "due" | "snoozed" | "closed" | "spam";
export type Filters = { status: "active" | "ready" | null; channel: string | null };
/** A row's place in a list. */
export type Key = [time: string, id: number];

/** The list of a view: all that matches, newest first, down to `boundary` (null: there is nothing below). */
export type List = {
  view: View; filters: Filters; cursor: string | null; boundary: Key | null; isLoaded: boolean; isLoading: boolean;
  refusal: Refusal | null;
};
export type Search = {
  query: string; ids: number[]; matches: Map<number, S.Match>; cursor: string | null; isLoaded: boolean; isLoading: boolean;
  refusal: Refusal | null;
};

/**
 * The chat in the middle. `messages` are in the order of their ids, and whole from the first one shown to the newest;
 * `historyCursor` asks for older ones (null: there are none; undefined: nothing was asked for yet).
 */
export type OpenChat = {
  chatId: number; card: Card | null; shopCards: ShopCard[]; messages: S.OperatorMessage[]; historyCursor: string | null | undefined;
  isLoading: boolean; colleagues: Colleague[]; isVisitorTyping: boolean; typingMachine: string | null; refusal: Refusal | null;
};

/** What was done, said for a moment; `undo` takes it back. */
export type Echo = { text: string; undo?: () => void; undoLabel?: string; stays?: number };

/** How this operator works, as the server keeps it. */
export type Choices = Omit<S.Me, "letters" | "break">;

export type Connection = "connecting" | "online" | "offline";
/** The one that a phone shows. */
export type Pane = "list" | "thread" | "card";
export type Dialog = { name: string; [key: string]: any };
/** What this person wants to be told by. */
export type Habits = { isNotifying: boolean; isSounding: boolean; isAsked: boolean; askedAt?: number };

export type State = {
  me: Agent | null; widget: { id: number; guid: string; name: string } | null; agents: Map<number, Agent>;
  departments: Department[]; rows: Map<number, S.InboxChat>; list: List; search: Search | null; counts: Counts | null;
  selectedId: number | null; open: OpenChat | null; pane: Pane; connection: Connection; outbox: Unsent[];
  replies: S.Reply[] | null; dialog: Dialog | null; habits: Habits; notice: string | null; echo: Echo | null; choices: Choices;
  inSight: { from: number; to: number }; assists: Map<number, Assist>;
};

/** Limits of the server (`page_limits` in console/serializers/page.py): characters, unless the name says otherwise. */
export type Limits = {
  message: number; typing_every_ms: number; editable_ms: number; file_bytes: number; pictures: string[]; buttons: number;
  button_label: number; button_url: number; shortcut: number; reply: number; search_min: number; search: number;
  closed_at_hand_ms: number; contacts_search: number; name: number; email: number; phone: number; tag: number;
  attribute_name: number; attribute: number; note: number; break_note: number; comment: number; reason: number; wish_min: number; wish: number;
  review_note: number; review_text: number;
};

/** What the page is served with (`page_config` in console/views.py). */
export type Config = {
  language: string; socket_url: string; sign_out_url: string; sign_in_url: string; password_url: string;
  cabinet_url: string | null; demo_url: string | null; embed_code: string; has_chats: boolean; has_cards: boolean; has_queue: boolean; has_due: boolean; has_reports: boolean; has_reviews: boolean; capacity: number | null; board_css: string;
  alias_words: [string[], string[]]; two_factor_url: string; assists: string[];
  channels: Record<string, { name: string; takes_changes: boolean }>; channel_names: Record<string, string>; limits: Limits;
  person: { name: string; email: string; is_manager: boolean }; widgets: { guid: string; name: string; is_current: boolean }[];
};
