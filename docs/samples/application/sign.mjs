// Signs a call to Parley and makes it: PARLEY_URL, PARLEY_TOKEN and PARLEY_SECRET say where to and as whom.
//   echo '{"text": "Hello"}' | node sign.mjs /api/v1/ai/assistant/text-to-speech
// With PARLEY_DRY_RUN=1 it prints the headers, and calls nobody.
import { createHash, createHmac, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";

// The three headers. `target` is the path with its query, as it is sent; `body` the bytes that are sent.
function envelope(secret, method, target, body, timestamp, nonce) {
  const hash = createHash("sha256").update(body).digest("hex");
  const signed = [timestamp, nonce, method, target, hash].join("\n");
  return {
    "X-Service-Timestamp": timestamp,
    "X-Service-Nonce": nonce,
    "X-Service-Signature": "sha256=v1:" + createHmac("sha256", secret).update(signed).digest("hex"),
  };
}

const { env } = process;
const target = process.argv[2];
const body = readFileSync(0);
const timestamp = env.PARLEY_TIMESTAMP || String(Math.floor(Date.now() / 1000));
const nonce = env.PARLEY_NONCE || randomBytes(24).toString("base64url");
const headers = envelope(env.PARLEY_SECRET, "POST", target, body, timestamp, nonce);
if (env.PARLEY_DRY_RUN) {
  for (const [name, value] of Object.entries(headers)) console.log(`${name}: ${value}`);
} else {
  headers.Authorization = `Bearer ${env.PARLEY_TOKEN}`;
  headers["Content-Type"] = "application/json";
  const response = await fetch(env.PARLEY_URL + target, { method: "POST", headers, body, redirect: "error" });
  console.log(await response.text());
}
