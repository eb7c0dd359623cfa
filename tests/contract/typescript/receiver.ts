// A receiver of webhooks, with the types that openapi-typescript makes: the name of an event tells what its data is.
import type { webhooks } from "./webhooks.js";

type Body<Name extends keyof webhooks> = webhooks[Name]["post"]["requestBody"]["content"]["application/json"];
// Those of a native subscription. Legacy envelopes, and what custom channels are sent, have no `type`.
type AnyBody = Extract<{ [Name in keyof webhooks]: Body<Name> }[keyof webhooks], { type: string }>;

export function told(body: AnyBody): string | number | null {
  switch (body.type) {
    case "message.created":
      return body.data.message_id;
    case "chat.transferred":
      return body.data.from_operator_id;
    case "contact.updated":
      return body.data.changed_fields.join();
    case "offline_message.created":
      return body.data.email;
    default:
      return body.data.button_guid;
  }
}

// @ts-expect-error a chat that was closed has no message
export const wrong = (body: Body<"chat.closed">) => body.data.message_id;
