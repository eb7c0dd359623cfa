// Receiving what the service sends: the signature first, then the body.
/** The request is not from the service, or the secret is another one: answer 401 and read nothing of it. */
export class InvalidSignature extends Error {
    name = "InvalidSignature";
}
/** Whether the raw body was signed by one of these secrets: while one is replaced there are two. */
export async function isGenuine(body, signature, ...secrets) {
    const [, hex] = /^sha256=v1:([0-9a-f]{64})$/.exec(signature) ?? [];
    if (!hex)
        return false;
    const encoder = new TextEncoder();
    const proof = Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
    const signed = typeof body === "string" ? encoder.encode(body) : body;
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const found = await Promise.all(secrets.map(async (secret) => {
        const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["verify"]);
        return crypto.subtle.verify("HMAC", key, proof, signed); // in constant time
    }));
    return found.includes(true);
}
/** The event of a request: its raw body and headers, of `fetch` or of Node.js. Throws InvalidSignature. */
export async function receive(body, headers, ...secrets) {
    if (!(await isGenuine(body, header(headers, "x-service-signature"), ...secrets)))
        throw new InvalidSignature();
    const text = typeof body === "string" ? body : new TextDecoder().decode(body);
    return {
        name: header(headers, "x-service-event"),
        key: header(headers, "x-service-idempotency-key"),
        body: JSON.parse(text),
    };
}
function header(headers, name) {
    if (headers instanceof Headers)
        return headers.get(name) ?? "";
    const found = Object.entries(headers).find(([known]) => known.toLowerCase() === name)?.[1];
    return typeof found === "string" ? found : "";
}
