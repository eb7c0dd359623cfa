// Sending a call: the token, retries with the same idempotency key, answers and refusals.
const RETRIED = [429, 500, 502, 503, 504];
const LONGEST_WAIT = 60_000;
/**
 * A refusal. `code` never changes; `problem` has all that the service said.
 *
 * `afterRetry`: the call had been sent before without an answer. With the code `idempotency_key_reused` it was done then.
 */
export class ParleyError extends Error {
    status;
    code;
    problem;
    afterRetry;
    constructor(status, problem, afterRetry) {
        super(`${status} ${problem.code}: ${problem.detail}`);
        this.name = "ParleyError";
        this.status = status;
        this.code = problem.code;
        this.problem = problem;
        this.afterRetry = afterRetry;
    }
}
/** What calls stand on. */
export class Caller {
    #options;
    constructor(options) {
        const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
        this.#options = { retries: 4, timeout: 30_000, fetch: globalThis.fetch, sleep, ...options };
    }
    /**
     * What a success has. Throws ParleyError for a refusal, and what `fetch` throws if no answer came.
     *
     * Sent again, with the same key, after a lost connection, a 429 and a 5xx, if that can do no harm: a write without a
     * key is sent once.
     */
    async request(method, path, call) {
        const { baseUrl, retries, timeout, fetch, sleep } = this.#options;
        const url = new URL(baseUrl.replace(/\/$/, "") + path);
        for (const [name, value] of Object.entries(call.query ?? {}))
            if (value != null)
                url.searchParams.set(name, String(value));
        const headers = this.#headers(call);
        const body = call.form ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
        const isSafe = ["GET", "DELETE"].includes(method) || call.key !== undefined;
        for (let attempt = 0;; attempt++) {
            const isLast = attempt >= retries || !isSafe;
            let answer;
            try {
                answer = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(timeout) });
            }
            catch (error) {
                if (isLast)
                    throw error;
                await sleep(backoff(attempt));
                continue;
            }
            if (answer.ok)
                return read(answer, call.kind);
            if (isLast || !RETRIED.includes(answer.status) || !passes(answer)) {
                throw new ParleyError(answer.status, await problemOf(answer, path), attempt > 0);
            }
            await answer.body?.cancel();
            await sleep(waitOf(answer, attempt));
        }
    }
    #headers(call) {
        const headers = { Authorization: `Bearer ${this.#options.token}` };
        for (const [name, value] of Object.entries(call.headers ?? {}))
            if (value != null)
                headers[name] = String(value);
        if (call.key !== undefined)
            headers["X-Service-Idempotency-Key"] = call.key;
        if (call.body !== undefined)
            headers["Content-Type"] = "application/json";
        return headers;
    }
}
/** The calls of one tag. */
export class Group {
    #caller;
    constructor(caller) {
        this.#caller = caller;
    }
    key(write) {
        return write.key ?? crypto.randomUUID();
    }
    call(method, path, call) {
        return this.#caller.request(method, path, call);
    }
}
/** Every row of a list, page after page: `for await (const chat of every((query) => parley.chats.chatList(query)))`. */
export async function* every(list) {
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
async function read(answer, kind) {
    const text = await answer.text();
    if (kind === "text")
        return text;
    if (kind === "none" || !text)
        return undefined;
    const body = JSON.parse(text);
    return kind === "object" ? body.data : body;
}
/** Whether waiting helps: a 503 of a switch says no time. */
function passes(answer) {
    return [429, 500, 504].includes(answer.status) || answer.headers.has("Retry-After");
}
function waitOf(answer, attempt) {
    const told = Number(answer.headers.get("Retry-After") ?? NaN);
    return Number.isFinite(told) ? Math.min(told * 1000, LONGEST_WAIT) : backoff(attempt);
}
/** Milliseconds: about a half, one, two, four … seconds, so that many clients do not come back at once. */
function backoff(attempt) {
    return Math.min(500 * 2 ** attempt, LONGEST_WAIT) * (0.5 + Math.random() / 2);
}
async function problemOf(answer, path) {
    const text = await answer.text();
    try {
        const body = JSON.parse(text);
        if (body && typeof body === "object")
            return body;
    }
    catch {
        // Not the service's: a proxy's page, say.
    }
    const detail = text.slice(0, 500);
    return { type: "about:blank", title: answer.statusText, status: answer.status, detail, instance: path, code: "" };
}
