// What the generated calls (calls_of in test_generated_clients.py) stand on: the client, and a note of each answer.
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

declare const process: { env: Record<string, string> }; // of Node, whose types are not installed

export const client = createClient<paths>({ baseUrl: process.env.API_URL, redirect: "manual" });

export function form({ file }: { file: string }): FormData {
  const sent = new FormData();
  sent.append("file", new Blob([Uint8Array.from(atob(file), (byte) => byte.charCodeAt(0))], { type: "image/png" }), "roses.png");
  return sent;
}

type Answer = { data?: unknown; error?: unknown; response: Response };

export async function note(name: string, call: Promise<Answer>): Promise<void> {
  const { error, response } = await call;
  console.log(JSON.stringify({ name, status: response.status, error: error ?? null }));
}
