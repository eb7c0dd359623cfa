import type { IAuthenticateGeneric, Icon, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';

export class ParleyApi implements ICredentialType {
	name = 'parleyApi';

	displayName = 'Parley API';

	icon: Icon = 'file:../nodes/Parley/parley.svg';

	properties: INodeProperties[] = [
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

	authenticate: IAuthenticateGeneric = {
		type: 'generic',
		properties: { headers: { Authorization: '=Bearer {{$credentials.token}}' } },
	};

	// A token without the scope is 403, which the test tells.
	test: ICredentialTestRequest = {
		request: { baseURL: '={{$credentials.baseUrl.replace(/\\/+$/, "")}}', url: '/api/v1/chats', qs: { limit: 1 } },
	};
}
