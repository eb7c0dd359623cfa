// A receiver of Parley's webhooks: WEBHOOK_SECRET=whsec_... node receiver.mjs

import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";

const { WEBHOOK_SECRET: secret, PORT: port = "8099" } = process.env;
if (!secret) throw new Error("WEBHOOK_SECRET is not set");

// `body` is what came, byte for byte; `header` is X-Service-Signature.
function isGenuine(secret, body, header) {
  const expected = Buffer.from("sha256=v1:" + createHmac("sha256", secret).update(body).digest("hex"));
  const given = Buffer.from(header);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function receive(request) {
  const body = await buffer(request);
  if (!isGenuine(secret, body, request.headers["x-service-signature"] ?? "")) return 401;
  const event = JSON.parse(body);
  // Keep it here for a worker of yours, unless you have its key already; then answer.
  console.log(request.headers["x-service-event"], request.headers["x-service-idempotency-key"], event);
  return 204;
}

createServer(async (request, response) => {
  const status = await receive(request).catch(() => 400);
  response.writeHead(status).end();
}).listen(Number(port), "127.0.0.1");
