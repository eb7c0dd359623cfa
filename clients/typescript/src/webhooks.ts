// Receiving what the service sends: the signature first, then the body.

/** The request is not from the service, or the secret is another one: answer 401 and read nothing of it. */
export class InvalidSignature extends Error {
  override name = "InvalidSignature";
}

/** A verified request. `key` is the same at every attempt: drop what you have seen. `body` is as the document says. */
export interface Event<Body = unknown> {
  name: string;
  key: string;
  body: Body;
}

type Raw = string | Uint8Array<ArrayBuffer>;
type Named = Headers | Record<string, string | string[] | undefined>;

/** Whether the raw body was signed by one of these secrets: while one is replaced there are two. */
export async function isGenuine(body: Raw, signature: string, ...secrets: string[]): Promise<boolean> {
  const [, hex] = /^sha256=v1:([0-9a-f]{64})$/.exec(signature) ?? [];
  if (!hex) return false;
  const encoder = new TextEncoder();
  const proof = Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
  const signed = typeof body === "string" ? encoder.encode(body) : body;
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const found = await Promise.all(
    secrets.map(async (secret) => {
      const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["verify"]);
      return crypto.subtle.verify("HMAC", key, proof, signed); // in constant time
    }),
  );
  return found.includes(true);
}

/** The event of a request: its raw body and headers, of `fetch` or of Node.js. Throws InvalidSignature. */
export async function receive<Body = unknown>(body: Raw, headers: Named, ...secrets: string[]): Promise<Event<Body>> {
  if (!(await isGenuine(body, header(headers, "x-service-signature"), ...secrets))) throw new InvalidSignature();
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  return {
    name: header(headers, "x-service-event"),
    key: header(headers, "x-service-idempotency-key"),
    body: JSON.parse(text) as Body,
  };
}

function header(headers: Named, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? "";
  const found = Object.entries(headers).find(([known]) => known.toLowerCase() === name)?.[1];
  return typeof found === "string" ? found : "";
}
