// What test_typescript.py runs: every part of the client once, and what was seen, as JSON.
import { every, InvalidSignature, Parley, ParleyError, receive } from "parley-client";

declare const process: { env: Record<string, string> }; // of Node, whose types are not installed

const { API_URL: baseUrl, TOKEN: token, PICTURE } = process.env;
const chat = Number(process.env.CHAT);
const agent_id = Number(process.env.AGENT);
const parley = new Parley({ baseUrl, token });

const chats: number[] = [];
for await (const each of every((place) => parley.chats.chatList({ ...place, limit: 1 }))) chats.push(each.id);

const picture = Uint8Array.from(atob(PICTURE), (byte) => byte.charCodeAt(0));
const file = await parley.upload(new Blob([picture]), "roses.png");
const sent = await parley.chats.messageCreate(chat, { type: "image", file: { id: file.id }, agent_id });
const read = await parley.chats.messageList(chat, { limit: 1 });

async function refusalOf(call: Promise<unknown>): Promise<ParleyError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ParleyError) return error;
    throw error;
  }
  throw new Error("not refused");
}

const refused = await refusalOf(parley.chats.chatRetrieve(999_999_999));

// The answer of a first attempt is lost: the second has its key, and is told that the write was done.
let attempts = 0;
const losing = new Parley({
  baseUrl,
  token,
  sleep: async () => {},
  fetch: async (...request) => {
    const answer = await fetch(...request);
    if (attempts++ === 0) throw new TypeError("the connection is lost");
    return answer;
  },
});
const again = await refusalOf(losing.chats.messageCreate(chat, { type: "text", body: "Hi", agent_id }));

const waits: number[] = [];
let isFirst = true;
const waiting = new Parley({
  baseUrl,
  token,
  sleep: async (milliseconds) => void waits.push(milliseconds),
  fetch: async (...request) => {
    if (!isFirst) return fetch(...request);
    isFirst = false;
    return new Response("{}", { status: 429, headers: { "Retry-After": "3" } });
  },
});
await waiting.chats.chatRetrieve(chat);

const body = '{"id":"1"}';
const algorithm = { name: "HMAC", hash: "SHA-256" };
const key = await crypto.subtle.importKey("raw", new TextEncoder().encode("whsec"), algorithm, false, ["sign"]);
const proof = new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(body)));
const signature = "sha256=v1:" + Array.from(proof, (byte) => byte.toString(16).padStart(2, "0")).join("");
const headers = { "X-Service-Signature": signature, "x-service-event": "message.created", "x-service-idempotency-key": "k" };
const event = await receive(body, headers, "older", "whsec");
const wrong: string[] = [];
for (const [given, secret] of [[`${body} `, "whsec"], [body, "other"]] as const) {
  await receive(given, headers, secret).catch((error) => error instanceof InvalidSignature && wrong.push(error.name));
}

console.log(
  JSON.stringify({
    chats,
    file: { name: file.name, size: file.size },
    isSent: read.data[0]?.id === sent.message_id,
    refused: { status: refused.status, code: refused.code, afterRetry: refused.afterRetry },
    again: { code: again.code, afterRetry: again.afterRetry, isTold: Boolean(again.problem.first_used_at) },
    waits,
    event,
    wrong,
  }),
);
