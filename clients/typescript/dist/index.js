// A client of Parley's API: see README.md.
import { Operations } from "./operations.js";
export { every, ParleyError } from "./calling.js";
export { InvalidSignature, isGenuine, receive } from "./webhooks.js";
/** All calls, by tag: `parley.chats.chatList()`. */
export class Parley extends Operations {
    /** Uploads a file; its `id` can be sent in messages. */
    async upload(file, name = "file", write = {}) {
        const form = new FormData();
        form.set("file", file, name);
        const key = write.key ?? crypto.randomUUID();
        return (await this.request("POST", "/api/v1/files", { kind: "object", form, key }));
    }
}
