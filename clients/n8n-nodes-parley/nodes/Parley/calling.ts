import { randomUUID } from 'node:crypto';

import {
	NodeApiError,
	sleep,
	type IDataObject,
	type IExecuteFunctions,
	type IHookFunctions,
	type IHttpRequestMethods,
	type ILoadOptionsFunctions,
	type JsonObject,
} from 'n8n-workflow';

export interface Call {
	method: IHttpRequestMethods;
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	headers?: IDataObject;
	/** Of a write; a new one unless it is given. */
	key?: string;
	isText?: boolean;
}

type Node = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;

const ATTEMPTS = 4;
const LONGEST_WAIT = 60;

/**
 * What a call is answered. A lost connection, a 429 and a 503 that passes are tried again, a write with the same key:
 * so nothing is done twice. Throws NodeApiError with the service's own words.
 */
export async function send(node: Node, call: Call): Promise<IDataObject> {
	const { baseUrl } = await node.getCredentials<{ baseUrl: string }>('parleyApi');
	const headers: IDataObject = { ...call.headers };
	if (call.key !== undefined) headers['X-Service-Idempotency-Key'] = call.key || randomUUID();
	for (let attempt = 1; ; attempt++) {
		const answer = await attempted(node, call, baseUrl, headers);
		if (answer && answer.statusCode < 400) return answer.body as IDataObject;
		const wait = waitOf(answer, attempt);
		if (wait === null || attempt === ATTEMPTS) throw refusal(node, answer);
		await sleep(wait * 1000);
	}
}

/** All rows of a list, or its first page. */
export async function every(node: Node, call: Call, isAll: boolean): Promise<IDataObject[]> {
	const rows: IDataObject[] = [];
	const query = { ...call.query };
	for (;;) {
		const page = (await send(node, { ...call, query })) as { data: IDataObject[]; next_cursor?: string; pages?: number };
		rows.push(...page.data.map((row) => (row && typeof row === 'object' ? row : { value: row })));
		const number = Number(query.page ?? 1);
		if (isAll && page.next_cursor) query.cursor = page.next_cursor;
		else if (isAll && page.pages && number < page.pages) query.page = number + 1;
		else return rows;
	}
}

interface Answer {
	statusCode: number;
	body: unknown;
	headers: IDataObject;
}

/** One attempt's answer; null if the connection was lost. */
async function attempted(node: Node, call: Call, baseUrl: string, headers: IDataObject): Promise<Answer | null> {
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
		})) as Answer;
	} catch {
		return null;
	}
}

/** Seconds until the next attempt; null where there is none. */
function waitOf(answer: Answer | null, attempt: number): number | null {
	if (answer === null) return 2 ** attempt / 2;
	const told = Number(answer.headers['retry-after']);
	if (answer.statusCode === 429 || answer.statusCode === 503) return Number.isFinite(told) ? Math.min(told, LONGEST_WAIT) : null;
	return answer.statusCode === 500 ? 2 ** attempt / 2 : null;
}

function refusal(node: Node, answer: Answer | null): NodeApiError {
	if (answer === null) return new NodeApiError(node.getNode(), {}, { message: 'The service does not answer' });
	const problem = (answer.body ?? {}) as JsonObject;
	return new NodeApiError(node.getNode(), problem, {
		message: `${problem.title ?? 'Refused'} (${problem.code ?? answer.statusCode})`,
		description: [problem.detail, problem.errors && JSON.stringify(problem.errors)].filter(Boolean).join(' '),
		httpCode: String(answer.statusCode),
	});
}
