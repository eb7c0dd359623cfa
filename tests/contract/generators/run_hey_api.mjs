// Makes the calls of plans.json with the client of @hey-api/openapi-ts, and prints each answer.
import { readFileSync } from "node:fs";
import * as sdk from "./built/sdk.gen.js";
import { client } from "./built/client.gen.js";
import { formDataBodySerializer } from "./built/client/index.js";

client.setConfig({ baseUrl: process.env.API_URL, auth: () => process.env.TOKEN });
const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

for (const plan of JSON.parse(readFileSync("plans.json", "utf8"))) {
  const options = { path: plan.path, query: plan.query, headers: plan.headers, body: plan.body ?? undefined };
  if (plan.is_form) {
    // Where a body may be JSON too, this generator knows the JSON alone: the form is asked for.
    options.body = { file: new File([Buffer.from(plan.file, "base64")], plan.file_name, { type: plan.file_name.endsWith(".md") ? "text/markdown" : "image/png" }) };
    options.headers["Content-Type"] = null;
    Object.assign(options, formDataBodySerializer);
  }
  const { error, response } = await sdk[camel(plan.operation)](options);
  console.log(JSON.stringify({ name: plan.name, status: response?.status ?? 0, error: response?.ok ? null : (error ?? null) }));
}
