// Runs the n8n nodes as n8n does, with `fetch` in the place of its HTTP helper, and prints what came of it as JSON.
import { createHmac } from "node:crypto";
import { createRequire } from "node:module";

const require = createRequire(process.env.PACKAGE);
const { Parley } = require("./dist/nodes/Parley/Parley.node.js");
const { ParleyTrigger } = require("./dist/nodes/ParleyTrigger/ParleyTrigger.node.js");
const { ParleyApi } = require("./dist/credentials/ParleyApi.credentials.js");
const { API_URL, TOKEN, CHAT, AGENT } = process.env;

const data = {};
const sent = [];
let losesNext = false;

function context(parameters) {
  return {
    getInputData: () => [{ json: {} }],
    getNodeParameter: (name, item, fallback) => parameters[name] ?? (typeof item === "number" ? fallback : undefined),
    getCredentials: async () => ({ baseUrl: `${API_URL}/`, token: TOKEN }),
    getNode: () => ({ name: "Parley", type: "parley", typeVersion: 1, id: "1", position: [0, 0], parameters: {} }),
    continueOnFail: () => Boolean(parameters.continueOnFail),
    getWorkflowStaticData: () => data,
    getNodeWebhookUrl: () => process.env.RECEIVER,
    helpers: {
      async httpRequestWithAuthentication(credentials, options) {
        const url = new URL(options.baseURL + options.url);
        for (const [name, value] of Object.entries(options.qs ?? {})) url.searchParams.set(name, value);
        const body = options.body && JSON.stringify(options.body);
        const headers = { ...options.headers, ...(body && { "Content-Type": "application/json" }), Authorization: `Bearer ${TOKEN}` };
        sent.push(headers["X-Service-Idempotency-Key"]);
        const answer = await fetch(url, { method: options.method, headers, body });
        if (losesNext) {
          losesNext = false;
          throw new Error("the connection is lost");
        }
        const text = await answer.text();
        return { statusCode: answer.status, headers: Object.fromEntries(answer.headers), body: options.json && text ? JSON.parse(text) : text };
      },
    },
  };
}

const run = async (parameters) => (await new Parley().execute.call(context(parameters)))[0].map((each) => each.json);

const written = await run({
  operation: "message_create",
  path_chat_id: CHAT,
  body: JSON.stringify({ type: "text", body: "Hi", agent_id: Number(AGENT) }),
});
const refused = await run({ operation: "chat_retrieve", path_chat_id: "999999999", continueOnFail: true });
sent.length = 0;
losesNext = true;
const again = await run({
  operation: "message_create",
  path_chat_id: CHAT,
  body: { type: "text", body: "Ho", agent_id: Number(AGENT) },
  continueOnFail: true,
});
const keys = [...sent];
// Two pages, of one message each.
const read = await run({ operation: "message_list", path_chat_id: CHAT, query: '{"limit": 1}', returnAll: true });

const trigger = new ParleyTrigger();
const hooks = trigger.webhookMethods.default;
const told = ["message.created", "chat.queued", "chat.assigned", "sla.warning", "sla.breached", "automation.fired"];
const events = await trigger.methods.loadOptions.getEvents.call(context({}));
const node = context({ events: ["message.created"] });
const lifecycle = [await hooks.checkExists.call(node), await hooks.create.call(node), await hooks.checkExists.call(node)];

async function hear(raw, secret, key) {
  let status = 200;
  const response = { status: (code) => ((status = code), { end: () => {} }) };
  const signature = `sha256=v1:${createHmac("sha256", secret).update(raw).digest("hex")}`;
  const headers = { "x-service-signature": signature, "x-service-idempotency-key": key };
  const webhook = { ...node, getHeaderData: () => headers, getRequestObject: () => ({ rawBody: Buffer.from(raw) }), getResponseObject: () => response };
  const answer = await trigger.webhook.call(webhook);
  return { status, starts: answer.workflowData?.[0][0].json ?? null };
}

const secret = data.secret;
const heard = [await hear('{"id":"1"}', secret, "k"), await hear('{"id":"1"}', secret, "k"), await hear('{"id":"2"}', "other", "l")];
lifecycle.push(await hooks.delete.call(node), await hooks.checkExists.call(node));

console.log(
  JSON.stringify({
    isWritten: read[1].id === written[0].message_id,
    rows: read.length,
    refused: refused[0].error,
    again: again[0].error,
    keys: new Set(keys).size,
    attempts: keys.length,
    events: told.every((name) => events.some((each) => each.value === name)),
    lifecycle,
    heard,
    isTool: new Parley().description.usableAsTool,
    credentials: new ParleyApi().authenticate.properties.headers.Authorization,
  }),
);
