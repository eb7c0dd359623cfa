"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Parley = void 0;
const n8n_workflow_1 = require("n8n-workflow");
const calling_1 = require("./calling");
const operations_1 = require("./operations");
const properties_1 = require("./properties");
class Parley {
    description = {
        displayName: 'Parley',
        name: 'parley',
        icon: 'file:parley.svg',
        group: ['transform'],
        version: 1,
        subtitle: '={{ $parameter["operation"] }}',
        description: 'Read and write chats, messages, contacts, knowledge and more of a Parley widget',
        defaults: { name: 'Parley' },
        usableAsTool: true,
        inputs: [n8n_workflow_1.NodeConnectionTypes.Main],
        outputs: [n8n_workflow_1.NodeConnectionTypes.Main],
        credentials: [{ name: 'parleyApi', required: true }],
        properties: properties_1.properties,
    };
    async execute() {
        const found = [];
        for (let item = 0; item < this.getInputData().length; item++) {
            try {
                for (const json of await answersTo(this, item))
                    found.push({ json, pairedItem: { item } });
            }
            catch (error) {
                if (!this.continueOnFail())
                    throw new n8n_workflow_1.NodeApiError(this.getNode(), error, { itemIndex: item });
                found.push({ json: { error: error.message }, pairedItem: { item } });
            }
        }
        return [found];
    }
}
exports.Parley = Parley;
/** The answers to one item: the object, or each row of a list; a call without an answer is `{ success: true }`. */
async function answersTo(node, item) {
    const operation = operations_1.OPERATIONS.find((each) => each.id === node.getNodeParameter('operation', item));
    if (!operation)
        throw new n8n_workflow_1.NodeOperationError(node.getNode(), 'There is no such operation', { itemIndex: item });
    let path = operation.path;
    for (const name of operation.arguments) {
        const value = node.getNodeParameter(`path_${name}`, item);
        path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    }
    const query = operation.query.length ? objectAt(node, 'query', item) : {};
    const body = operation.body ? objectAt(node, 'body', item) : undefined;
    const key = operation.takesKey ? node.getNodeParameter('idempotencyKey', item, '') : undefined;
    const headers = {};
    if (operation.headers.includes('X-Service-Agent'))
        headers['X-Service-Agent'] = node.getNodeParameter('agent', item);
    const call = { method: operation.method, path, query, body, headers, key, isText: operation.kind === 'text' };
    if (operation.kind === 'list') {
        return (0, calling_1.every)(node, call, node.getNodeParameter('returnAll', item, false));
    }
    const answer = await (0, calling_1.send)(node, call);
    if (operation.kind === 'text')
        return [{ text: answer }];
    if (operation.kind === 'none' || !answer)
        return [{ success: true }];
    return [operation.kind === 'object' ? (answer.data ?? {}) : answer];
}
/** A parameter of JSON, which is an object. */
function objectAt(node, name, item) {
    const given = node.getNodeParameter(name, item, '{}');
    try {
        const value = typeof given === 'string' ? JSON.parse(given || '{}') : given;
        if (value && typeof value === 'object' && !Array.isArray(value))
            return value;
    }
    catch {
        // Told below.
    }
    throw new n8n_workflow_1.NodeOperationError(node.getNode(), `"${name}" must be a JSON object`, { itemIndex: item });
}
