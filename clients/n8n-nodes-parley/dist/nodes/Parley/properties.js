"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.properties = void 0;
const operations_1 = require("./operations");
const shownFor = (operations) => ({ show: { operation: operations.map((each) => each.id) } });
/** The fields of the node: the resource, its operation, and what that takes. */
exports.properties = [
    {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: operations_1.RESOURCES,
        default: 'chats',
    },
    ...operations_1.RESOURCES.map(({ value }) => operationsOf(String(value))),
    ...argumentsOf(),
    {
        displayName: 'Return All',
        name: 'returnAll',
        type: 'boolean',
        default: false,
        description: 'Whether to return all results or only up to a given limit',
        displayOptions: shownFor(operations_1.OPERATIONS.filter((each) => each.kind === 'list')),
    },
    ...operations_1.OPERATIONS.filter((each) => each.query.length).map(queryOf),
    ...operations_1.OPERATIONS.filter((each) => each.body).map(bodyOf),
    {
        displayName: 'Agent',
        name: 'agent',
        type: 'string',
        default: 'n8n',
        description: 'The name under which the support desk keeps what is done',
        displayOptions: shownFor(operations_1.OPERATIONS.filter((each) => each.headers.includes('X-Service-Agent'))),
    },
    {
        displayName: 'Idempotency Key',
        name: 'idempotencyKey',
        type: 'string',
        default: '',
        description: 'One value for each thing that you mean to do, so that a second run does not do it again; a new one if empty',
        displayOptions: shownFor(operations_1.OPERATIONS.filter((each) => each.takesKey)),
    },
];
function operationsOf(resource) {
    const options = operations_1.OPERATIONS.filter((each) => each.tag === resource);
    // eslint-disable-next-line n8n-nodes-base/node-param-default-missing -- it is the first option, which the rule can't see
    return {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        displayOptions: { show: { resource: [resource] } },
        options: options.map(({ id, name }) => ({ name, value: id, action: name, description: name })),
        default: options[0].id,
    };
}
/** The arguments of paths, each once for all operations that have it. */
function argumentsOf() {
    const names = [...new Set(operations_1.OPERATIONS.flatMap((each) => each.arguments))];
    return names.map((name) => ({
        displayName: titled(name),
        name: `path_${name}`,
        type: 'string',
        required: true,
        default: '',
        displayOptions: shownFor(operations_1.OPERATIONS.filter((each) => each.arguments.includes(name))),
    }));
}
function queryOf(operation) {
    return {
        displayName: 'Query (JSON)',
        name: 'query',
        type: 'json',
        default: '{}',
        description: `Narrows the answer, by any of: ${operation.query.join(', ')}`,
        displayOptions: shownFor([operation]),
    };
}
function bodyOf(operation) {
    return {
        displayName: 'Body (JSON)',
        name: 'body',
        type: 'json',
        default: JSON.stringify(operation.example ?? {}, null, 2),
        description: `Members: ${operation.body?.join(', ')}`,
        displayOptions: shownFor([operation]),
    };
}
function titled(name) {
    const words = name.split('_');
    return words.map((word) => (['id', 'guid'].includes(word) ? word.toUpperCase() : word[0].toUpperCase() + word.slice(1))).join(' ');
}
