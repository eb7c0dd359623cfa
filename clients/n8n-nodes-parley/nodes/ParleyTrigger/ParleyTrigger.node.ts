import { createHmac, timingSafeEqual } from 'node:crypto';

import {
	NodeConnectionTypes,
	type IDataObject,
	type IHookFunctions,
	type ILoadOptionsFunctions,
	type INodePropertyOptions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
} from 'n8n-workflow';

import { every, send } from '../Parley/calling';

const SUBSCRIPTIONS = '/api/v1/webhook-subscriptions';
const MOST_KEYS = 200;

export class ParleyTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Parley Trigger',
		name: 'parleyTrigger',
		icon: 'file:parley.svg',
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["events"].join(", ") }}',
		description: 'Starts the workflow when something happens in a Parley widget',
		defaults: { name: 'Parley Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'parleyApi', required: true }],
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook', rawBody: true }],
		properties: [
			{
				displayName: 'Event Names or IDs',
				name: 'events',
				type: 'multiOptions',
				typeOptions: { loadOptionsMethod: 'getEvents' },
				required: true,
				default: ['message.created'],
				description:
					'The events to hear of. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
			},
		],
	};

	methods = {
		loadOptions: {
			/** The service's events; those that the installation has not switched on are marked. */
			async getEvents(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
				const events = await every(this, { method: 'GET', path: '/api/v1/webhook-events' }, true);
				return events.map((event) => ({
					name: event.enabled ? String(event.name) : `${event.name} (Switched Off)`,
					value: String(event.name),
				}));
			},
		},
	};

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				const data = this.getWorkflowStaticData('node');
				if (!data.subscriptionId || !data.secret) return false;
				const known = await every(this, { method: 'GET', path: SUBSCRIPTIONS }, true);
				const url = this.getNodeWebhookUrl('default');
				return known.some((each) => each.id === data.subscriptionId && each.url === url && each.is_active === true);
			},

			/** The secret is shown this once: it is kept with the workflow. */
			async create(this: IHookFunctions): Promise<boolean> {
				const data = this.getWorkflowStaticData('node');
				const body = { url: this.getNodeWebhookUrl('default'), events: this.getNodeParameter('events') as string[] };
				const { data: made } = (await send(this, { method: 'POST', path: SUBSCRIPTIONS, body, key: '' })) as {
					data: IDataObject;
				};
				Object.assign(data, { subscriptionId: made.id, secret: made.secret, keys: [] });
				return true;
			},

			async delete(this: IHookFunctions): Promise<boolean> {
				const data = this.getWorkflowStaticData('node');
				if (!data.subscriptionId) return true;
				try {
					await send(this, { method: 'DELETE', path: `${SUBSCRIPTIONS}/${data.subscriptionId}` });
				} catch (error) {
					if ((error as { httpCode?: string }).httpCode !== '404') return false;
				}
				delete data.subscriptionId;
				delete data.secret;
				return true;
			},
		},
	};

	/** A request that is not signed by the subscription's secret is 401, and starts nothing; a repeated one neither. */
	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const data = this.getWorkflowStaticData('node');
		const headers = this.getHeaderData();
		const raw = this.getRequestObject().rawBody;
		if (!raw || !isGenuine(raw, String(headers['x-service-signature'] ?? ''), String(data.secret ?? ''))) {
			this.getResponseObject().status(401).end();
			return { noWebhookResponse: true };
		}
		const key = String(headers['x-service-idempotency-key']);
		const keys = (data.keys as string[] | undefined) ?? [];
		if (keys.includes(key)) return { webhookResponse: 'known' };
		data.keys = [...keys, key].slice(-MOST_KEYS);
		return { workflowData: [[{ json: JSON.parse(raw.toString('utf8')) as IDataObject }]] };
	}
}

function isGenuine(raw: Buffer, signature: string, secret: string): boolean {
	const expected = Buffer.from(`sha256=v1:${createHmac('sha256', secret).update(raw).digest('hex')}`);
	const given = Buffer.from(signature);
	return secret !== '' && given.length === expected.length && timingSafeEqual(given, expected);
}
