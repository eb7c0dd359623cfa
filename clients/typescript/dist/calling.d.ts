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
/**
 * A refusal. `code` never changes; `problem` has all that the service said.
 *
 * `afterRetry`: the call had been sent before without an answer. With the code `idempotency_key_reused` it was done then.
 */
export declare class ParleyError extends Error {
    readonly status: number;
    readonly code: string;
    readonly problem: Problem;
    readonly afterRetry: boolean;
    constructor(status: number, problem: Problem, afterRetry: boolean);
}
/** What calls stand on. */
export declare abstract class Caller {
    #private;
    constructor(options: Options);
    /**
     * What a success has. Throws ParleyError for a refusal, and what `fetch` throws if no answer came.
     *
     * Sent again, with the same key, after a lost connection, a 429 and a 5xx, if that can do no harm: a write without a
     * key is sent once.
     */
    request(method: string, path: string, call: Call): Promise<unknown>;
}
/** The calls of one tag. */
export declare abstract class Group {
    #private;
    constructor(caller: Caller);
    protected key(write: Write): string;
    protected call<Answer>(method: string, path: string, call: Call): Promise<Answer>;
}
/** Every row of a list, page after page: `for await (const chat of every((query) => parley.chats.chatList(query)))`. */
export declare function every<Row>(list: (place: {
    cursor?: string;
    page?: number;
}) => Promise<Page<Row>>): AsyncGenerator<Row, void, undefined>;
