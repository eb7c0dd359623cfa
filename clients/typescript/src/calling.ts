// Sending a call: the token, retries with the same idempotency key, answers and refusals.

import type { Problem } from "./types.js";

/** A page of a list. `next_cursor` is null on the last one; `total` is told by lists that are paged by number. */
export interface Page<Row> {
  data: Row[];
  next_cursor?: string | null;
  total?: number;
}

/** Of a write: its idempotency key, a new UUID unless you give one. */
export interface Write {
  key?: string;
}

export interface Options {
  /** Where the service is, such as `https://chat.example.com`. */
  baseUrl: string;
  /** An API token (`pt_…`). */
  token: string;
  /** How often a call that may be repeated is; 4 unless told. */
  retries?: number;
  /** Milliseconds for one attempt; 30 000 unless told. */
  timeout?: number;
  /** Another `fetch`. */
  fetch?: typeof fetch;
  /** Waits; a test gives another. */
  sleep?: (milliseconds: number) => Promise<void>;
}

export interface Call {
  kind: "object" | "list" | "literal" | "text" | "none";
  body?: unknown;
  form?: FormData;
  query?: object;
  headers?: object;
  key?: string;
}

const RETRIED = [429, 500, 502, 503, 504];
const LONGEST_WAIT = 60_000;

/**
 * A refusal. `code` never changes; `problem` has all that the service said.
 *
 * `afterRetry`: the call had been sent before without an answer. With the code `idempotency_key_reused` it was done then.
 */
export class ParleyError extends Error {
  readonly status: number;
  readonly code: string;
  readonly problem: Problem;
  readonly afterRetry: boolean;

  constructor(status: number, problem: Problem, afterRetry: boolean) {
    super(`${status} ${problem.code}: ${problem.detail}`);
    this.name = "ParleyError";
    this.status = status;
    this.code = problem.code;
    this.problem = problem;
    this.afterRetry = afterRetry;
  }
}

/** What calls stand on. */
export abstract class Caller {
  readonly #options: Required<Options>;

  constructor(options: Options) {
    const sleep = (milliseconds: number) => new Promise<void>((done) => setTimeout(done, milliseconds));
    this.#options = { retries: 4, timeout: 30_000, fetch: globalThis.fetch, sleep, ...options };
  }

  /**
   * What a success has. Throws ParleyError for a refusal, and what `fetch` throws if no answer came.
   *
   * Sent again, with the same key, after a lost connection, a 429 and a 5xx, if that can do no harm: a write without a
   * key is sent once.
   */
  async request(method: string, path: string, call: Call): Promise<unknown> {
    const { baseUrl, retries, timeout, fetch, sleep } = this.#options;
    const url = new URL(baseUrl.replace(/\/$/, "") + path);
    for (const [name, value] of Object.entries(call.query ?? {})) if (value != null) url.searchParams.set(name, String(value));
    const headers = this.#headers(call);
    const body = call.form ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
    const isSafe = ["GET", "DELETE"].includes(method) || call.key !== undefined;
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= retries || !isSafe;
      let answer: Response;
      try {
        answer = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(timeout) });
      } catch (error) {
        if (isLast) throw error;
        await sleep(backoff(attempt));
        continue;
      }
      if (answer.ok) return read(answer, call.kind);
      if (isLast || !RETRIED.includes(answer.status) || !passes(answer)) {
        throw new ParleyError(answer.status, await problemOf(answer, path), attempt > 0);
      }
      await answer.body?.cancel();
      await sleep(waitOf(answer, attempt));
    }
  }

  #headers(call: Call): Record<string, string> {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.#options.token}` };
    for (const [name, value] of Object.entries(call.headers ?? {})) if (value != null) headers[name] = String(value);
    if (call.key !== undefined) headers["X-Service-Idempotency-Key"] = call.key;
    if (call.body !== undefined) headers["Content-Type"] = "application/json";
    return headers;
  }
}

/** The calls of one tag. */
export abstract class Group {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  protected key(write: Write): string {
    return write.key ?? crypto.randomUUID();
  }

  protected call<Answer>(method: string, path: string, call: Call): Promise<Answer> {
    return this.#caller.request(method, path, call) as Promise<Answer>;
  }
}

/** Every row of a list, page after page: `for await (const chat of every((query) => parley.chats.chatList(query)))`. */
export async function* every<Row>(
  list: (place: { cursor?: string; page?: number }) => Promise<Page<Row>>,
): AsyncGenerator<Row, void, undefined> {
  let page = await list({});
  yield* page.data;
  for (let number = 2, seen = page.data.length; page.total !== undefined && page.data.length && seen < page.total; number++) {
    page = await list({ page: number });
    seen += page.data.length;
    yield* page.data;
  }
  while (page.next_cursor) {
    page = await list({ cursor: page.next_cursor });
    yield* page.data;
  }
}

async function read(answer: Response, kind: Call["kind"]): Promise<unknown> {
  const text = await answer.text();
  if (kind === "text") return text;
  if (kind === "none" || !text) return undefined;
  const body = JSON.parse(text);
  return kind === "object" ? body.data : body;
}

/** Whether waiting helps: a 503 of a switch says no time. */
function passes(answer: Response): boolean {
  return [429, 500, 504].includes(answer.status) || answer.headers.has("Retry-After");
}

function waitOf(answer: Response, attempt: number): number {
  const told = Number(answer.headers.get("Retry-After") ?? NaN);
  return Number.isFinite(told) ? Math.min(told * 1000, LONGEST_WAIT) : backoff(attempt);
}

/** Milliseconds: about a half, one, two, four … seconds, so that many clients do not come back at once. */
function backoff(attempt: number): number {
  return Math.min(500 * 2 ** attempt, LONGEST_WAIT) * (0.5 + Math.random() / 2);
}

async function problemOf(answer: Response, path: string): Promise<Problem> {
  const text = await answer.text();
  try {
    const body = JSON.parse(text);
    if (body && typeof body === "object") return body as Problem;
  } catch {
    // Not the service's: a proxy's page, say.
  }
  const detail = text.slice(0, 500);
  return { type: "about:blank", title: answer.statusText, status: answer.status, detail, instance: path, code: "" };
}
