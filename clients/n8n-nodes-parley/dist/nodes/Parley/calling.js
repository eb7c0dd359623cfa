"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.send = send;
exports.every = every;
const node_crypto_1 = require("node:crypto");
const n8n_workflow_1 = require("n8n-workflow");
const ATTEMPTS = 4;
const LONGEST_WAIT = 60;
/**
 * What a call is answered. A lost connection, a 429 and a 503 that passes are tried again, a write with the same key:
 * so nothing is done twice. Throws NodeApiError with the service's own words.
 */
async function send(node, call) {
    const { baseUrl } = await node.getCredentials('parleyApi');
    const headers = { ...call.headers };
    if (call.key !== undefined)
        headers['X-Service-Idempotency-Key'] = call.key || (0, node_crypto_1.randomUUID)();
    for (let attempt = 1;; attempt++) {
        const answer = await attempted(node, call, baseUrl, headers);
        if (answer && answer.statusCode < 400)
            return answer.body;
        const wait = waitOf(answer, attempt);
        if (wait === null || attempt === ATTEMPTS)
            throw refusal(node, answer);
        await (0, n8n_workflow_1.sleep)(wait * 1000);
    }
}
/** All rows of a list, or its first page. */
async function every(node, call, isAll) {
    const rows = [];
    const query = { ...call.query };
    for (;;) {
        const page = (await send(node, { ...call, query }));
        rows.push(...page.data.map((row) => (row && typeof row === 'object' ? row : { value: row })));
        const number = Number(query.page ?? 1);
        if (isAll && page.next_cursor)
            query.cursor = page.next_cursor;
        else if (isAll && page.pages && number < page.pages)
            query.page = number + 1;
        else
            return rows;
    }
}
/** One attempt's answer; null if the connection was lost. */
async function attempted(node, call, baseUrl, headers) {
    try {
        return (await node.helpers.httpRequestWithAuthentication.call(node, 'parleyApi', {
            method: call.method,
            baseURL: baseUrl.replace(/\/+$/, ''),
            url: call.path,
            qs: call.query,
            body: call.body,
            headers,
            json: !call.isText,
            encoding: call.isText ? 'text' : undefined,
            returnFullResponse: true,
            ignoreHttpStatusErrors: true,
        }));
    }
    catch {
        return null;
    }
}
/** Seconds until the next attempt; null where there is none. */
function waitOf(answer, attempt) {
    if (answer === null)
        return 2 ** attempt / 2;
    const told = Number(answer.headers['retry-after']);
    if (answer.statusCode === 429 || answer.statusCode === 503)
        return Number.isFinite(told) ? Math.min(told, LONGEST_WAIT) : null;
    return answer.statusCode === 500 ? 2 ** attempt / 2 : null;
}
function refusal(node, answer) {
    if (answer === null)
        return new n8n_workflow_1.NodeApiError(node.getNode(), {}, { message: 'The service does not answer' });
    const problem = (answer.body ?? {});
    return new n8n_workflow_1.NodeApiError(node.getNode(), problem, {
        message: `${problem.title ?? 'Refused'} (${problem.code ?? answer.statusCode})`,
        description: [problem.detail, problem.errors && JSON.stringify(problem.errors)].filter(Boolean).join(' '),
        httpCode: String(answer.statusCode),
    });
}
