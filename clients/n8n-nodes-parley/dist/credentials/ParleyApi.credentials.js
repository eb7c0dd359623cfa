"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ParleyApi = void 0;
class ParleyApi {
    name = 'parleyApi';
    displayName = 'Parley API';
    icon = 'file:../nodes/Parley/parley.svg';
    properties = [
        {
            displayName: 'Base URL',
            name: 'baseUrl',
            type: 'string',
            default: '',
            placeholder: 'https://chat.example.com',
            description: 'Where the service is, without a path',
            required: true,
        },
        {
            displayName: 'Token',
            name: 'token',
            type: 'string',
            typeOptions: { password: true },
            default: '',
            placeholder: 'pt_…',
            description: 'An API token of the widget, issued in the cabinet under "API tokens"',
            required: true,
        },
    ];
    authenticate = {
        type: 'generic',
        properties: { headers: { Authorization: '=Bearer {{$credentials.token}}' } },
    };
    // A token without the scope is 403, which the test tells.
    test = {
        request: { baseURL: '={{$credentials.baseUrl.replace(/\\/+$/, "")}}', url: '/api/v1/chats', qs: { limit: 1 } },
    };
}
exports.ParleyApi = ParleyApi;
