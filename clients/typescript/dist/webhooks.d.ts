/** The request is not from the service, or the secret is another one: answer 401 and read nothing of it. */
export declare class InvalidSignature extends Error {
    name: string;
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
export declare function isGenuine(body: Raw, signature: string, ...secrets: string[]): Promise<boolean>;
/** The event of a request: its raw body and headers, of `fetch` or of Node.js. Throws InvalidSignature. */
export declare function receive<Body = unknown>(body: Raw, headers: Named, ...secrets: string[]): Promise<Event<Body>>;
export {};
