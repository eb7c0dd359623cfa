/** What a page may say of its visitor; `user_id` counts with its proof alone (guide "Embed it", Identity). */
export interface Person {
  name?: string;
  email?: string;
  phone?: string;
  attributes?: Attributes;
  user_id?: string;
  identity_hmac?: string;
}

/** Names with a text, number or boolean; null removes one. */
export type Attributes = Record<string, string | number | boolean | null>;

/** A message as the chat has it; more members may come. */
export interface Message {
  id: number;
  [name: string]: unknown;
}

/** The events of the chat, each with what its listeners are given. */
export interface Events {
  ready: undefined;
  open: undefined;
  close: undefined;
  message: Message;
  unread: number;
  rating: { value: number; comment?: string };
  language: string;
  identified: { user_id: string | null };
  invitation: { id: number; state: "shown" | "dismissed" | "opened" | "answered" };
  questions: { keys: string[] };
  article: { id: number; state: "opened" | "helpful" | "not_helpful" };
  error: { code: number | null; retry_in: number | null };
}

/** Why an invitation does not show: what of its rule is missing, what is in the way, how the service refused it last. */
export interface Reason {
  id: number;
  holds: boolean;
  missing: { condition: string; wants: unknown; is: unknown }[];
  waits_for: string | null;
  refused: string | null;
}

/** `window.Parley`. Calls made before the chat has loaded wait for it; none throws. */
export interface ParleyWidget {
  open(): void;
  close(): void;
  toggle(): void;
  identify(person: Person): void;
  setAttributes(attributes: Attributes): void;
  setLanguage(code: string): void;
  reset(): void;
  /** Counts an event of the page, `[a-z][a-z0-9_.-]{0,63}`, for invitations and their goals. */
  track(name: string, data?: unknown): void;
  /** Whether things may be kept in the browser: see `Options.consent`. */
  consent(isGiven: boolean): void;
  /** Shows a live invitation now. */
  showInvitation(id: number): void;
  /** Of each live invitation, why it does not show. */
  whyNot(): Promise<Reason[]>;
  /** Opens the chat at an article of the help center. */
  openArticle(id: number): void;
  /** Hears an event; gives the function that ends it. */
  on<Name extends keyof Events>(event: Name, listener: (data: Events[Name]) => void): () => void;
  off<Name extends keyof Events>(event: Name, listener: (data: Events[Name]) => void): void;
  /** True after a refusal that is final: the script may be added again. */
  failed?: boolean;
  /** Of a page with several widgets, each by its guid. */
  widgets?: Record<string, ParleyWidget>;
}

declare global {
  interface Window {
    Parley?: ParleyWidget;
  }
}

export interface Options {
  /** Where the service is, such as `https://chat.example.com`. */
  baseUrl: string;
  /** The widget's guid. */
  widget: string;
  /** A language that the chat begins with. */
  language?: string;
  /** False: nothing is kept in the browser, or read from it, until the page calls `consent(true)`. */
  consent?: boolean;
  /** The nonce of a strict Content-Security-Policy. */
  nonce?: string;
}

/**
 * Loads the chat as the snippet does, once for each widget, and gives `window.Parley`, which can be called at once.
 * On a server it gives an object whose calls do nothing.
 */
export function load(options: Options): ParleyWidget;
