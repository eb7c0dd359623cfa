import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import nodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

// As @n8n/node-cli's own, without what asks for a publisher: the documentation stands at each installation.
export default tseslint.config(
	{ ignores: ['dist'] },
	{
		files: ['**/*.ts'],
		extends: [tseslint.configs.recommended, n8nCommunityNodesPlugin.configs.recommendedWithoutN8nCloudSupport],
		rules: { '@n8n/community-nodes/icon-prefer-themed-variants': 'off' },
	},
	{ plugins: { 'n8n-nodes-base': nodesBase } },
	{
		files: ['credentials/**/*.ts'],
		rules: { ...nodesBase.configs.credentials.rules, 'n8n-nodes-base/cred-class-field-documentation-url-missing': 'off' },
	},
	{
		files: ['nodes/**/*.ts'],
		rules: {
			...nodesBase.configs.nodes.rules,
			'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
			'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
		},
	},
);
