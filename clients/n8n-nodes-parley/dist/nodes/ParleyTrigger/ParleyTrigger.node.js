"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ParleyTrigger = void 0;
const node_crypto_1 = require("node:crypto");
const n8n_workflow_1 = require("n8n-workflow");
const calling_1 = require("../Parley/calling");
const SUBSCRIPTIONS = '/api/v1/webhook-subscriptions';
const MOST_KEYS = 200;
class ParleyTrigger {
    description = {
        displayName: 'Parley Trigger',
        name: 'parleyTrigger',
        icon: 'file:parley.svg',
        group: ['trigger'],
        version: 1,
        subtitle: '={{ $parameter["events"].join(", ") }}',
        description: 'Starts the workflow when something happens in a Parley widget',
        defaults: { name: 'Parley Trigger' },
        inputs: [],
        outputs: [n8n_workflow_1.NodeConnectionTypes.Main],
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
                description: 'The events to hear of. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
            },
        ],
    };
    methods = {
        loadOptions: {
            /** The service's events; those that the installation has not switched on are marked. */
            async getEvents() {
                const events = await (0, calling_1.every)(this, { method: 'GET', path: '/api/v1/webhook-events' }, true);
                return events.map((event) => ({
                    name: event.enabled ? String(event.name) : `${event.name} (Switched Off)`,
                    value: String(event.name),
                }));
            },
        },
    };
    webhookMethods = {
        default: {
            async checkExists() {
                const data = this.getWorkflowStaticData('node');
                if (!data.subscriptionId || !data.secret)
                    return false;
                const known = await (0, calling_1.every)(this, { method: 'GET', path: SUBSCRIPTIONS }, true);
                const url = this.getNodeWebhookUrl('default');
                return known.some((each) => each.id === data.subscriptionId && each.url === url && each.is_active === true);
            },
            /** The secret is shown this once: it is kept with the workflow. */
            async create() {
                const data = this.getWorkflowStaticData('node');
                const body = { url: this.getNodeWebhookUrl('default'), events: this.getNodeParameter('events') };
                const { data: made } = (await (0, calling_1.send)(this, { method: 'POST', path: SUBSCRIPTIONS, body, key: '' }));
                Object.assign(data, { subscriptionId: made.id, secret: made.secret, keys: [] });
                return true;
            },
            async delete() {
                const data = this.getWorkflowStaticData('node');
                if (!data.subscriptionId)
                    return true;
                try {
                    await (0, calling_1.send)(this, { method: 'DELETE', path: `${SUBSCRIPTIONS}/${data.subscriptionId}` });
                }
                catch (error) {
                    if (error.httpCode !== '404')
                        return false;
                }
                delete data.subscriptionId;
                delete data.secret;
                return true;
            },
        },
    };
    /** A request that is not signed by the subscription's secret is 401, and starts nothing; a repeated one neither. */
    async webhook() {
        const data = this.getWorkflowStaticData('node');
        const headers = this.getHeaderData();
        const raw = this.getRequestObject().rawBody;
        if (!raw || !isGenuine(raw, String(headers['x-service-signature'] ?? ''), String(data.secret ?? ''))) {
            this.getResponseObject().status(401).end();
            return { noWebhookResponse: true };
        }
        const key = String(headers['x-service-idempotency-key']);
        const keys = data.keys ?? [];
        if (keys.includes(key))
            return { webhookResponse: 'known' };
        data.keys = [...keys, key].slice(-MOST_KEYS);
        return { workflowData: [[{ json: JSON.parse(raw.toString('utf8')) }]] };
    }
}
exports.ParleyTrigger = ParleyTrigger;
function isGenuine(raw, signature, secret) {
    const expected = Buffer.from(`sha256=v1:${(0, node_crypto_1.createHmac)('sha256', secret).update(raw).digest('hex')}`);
    const given = Buffer.from(signature);
    return secret !== '' && given.length === expected.length && (0, node_crypto_1.timingSafeEqual)(given, expected);
}
