import {
	NodeApiError,
	NodeConnectionTypes,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type JsonObject,
} from 'n8n-workflow';

import { every, send } from './calling';
import { OPERATIONS } from './operations';
import { properties } from './properties';

export class Parley implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Parley',
		name: 'parley',
		icon: 'file:parley.svg',
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] }}',
		description: 'Read and write chats, messages, contacts, knowledge and more of a Parley widget',
		defaults: { name: 'Parley' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'parleyApi', required: true }],
		properties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const found: INodeExecutionData[] = [];
		for (let item = 0; item < this.getInputData().length; item++) {
			try {
				for (const json of await answersTo(this, item)) found.push({ json, pairedItem: { item } });
			} catch (error) {
				if (!this.continueOnFail()) throw new NodeApiError(this.getNode(), error as JsonObject, { itemIndex: item });
				found.push({ json: { error: (error as Error).message }, pairedItem: { item } });
			}
		}
		return [found];
	}
}

/** The answers to one item: the object, or each row of a list; a call without an answer is `{ success: true }`. */
async function answersTo(node: IExecuteFunctions, item: number): Promise<IDataObject[]> {
	const operation = OPERATIONS.find((each) => each.id === node.getNodeParameter('operation', item));
	if (!operation) throw new NodeOperationError(node.getNode(), 'There is no such operation', { itemIndex: item });
	let path = operation.path;
	for (const name of operation.arguments) {
		const value = node.getNodeParameter(`path_${name}`, item) as string | number;
		path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
	}
	const query = operation.query.length ? objectAt(node, 'query', item) : {};
	const body = operation.body ? objectAt(node, 'body', item) : undefined;
	const key = operation.takesKey ? (node.getNodeParameter('idempotencyKey', item, '') as string) : undefined;
	const headers: IDataObject = {};
	if (operation.headers.includes('X-Service-Agent')) headers['X-Service-Agent'] = node.getNodeParameter('agent', item) as string;
	const call = { method: operation.method, path, query, body, headers, key, isText: operation.kind === 'text' };
	if (operation.kind === 'list') {
		return every(node, call, node.getNodeParameter('returnAll', item, false) as boolean);
	}
	const answer = await send(node, call);
	if (operation.kind === 'text') return [{ text: answer as unknown as string }];
	if (operation.kind === 'none' || !answer) return [{ success: true }];
	return [operation.kind === 'object' ? ((answer.data ?? {}) as IDataObject) : answer];
}

/** A parameter of JSON, which is an object. */
function objectAt(node: IExecuteFunctions, name: string, item: number): IDataObject {
	const given = node.getNodeParameter(name, item, '{}');
	try {
		const value = typeof given === 'string' ? JSON.parse(given || '{}') : given;
		if (value && typeof value === 'object' && !Array.isArray(value)) return value as IDataObject;
	} catch {
		// Told below.
	}
	throw new NodeOperationError(node.getNode(), `"${name}" must be a JSON object`, { itemIndex: item });
}
