// Makes the calls of plans.json with the client of openapi-generator's `typescript-fetch`, and prints each answer.
import { readFileSync } from "node:fs";
import * as client from "./built/index.js";

const configuration = new client.Configuration({ basePath: process.env.API_URL, accessToken: process.env.TOKEN });
const camel = (name) => name.replace(/[_-]+(.)/g, (_, letter) => letter.toUpperCase()).replace(/^./, (letter) => letter.toLowerCase());
const pascal = (name) => camel(name).replace(/^./, (letter) => letter.toUpperCase());

for (const plan of JSON.parse(readFileSync("plans.json", "utf8"))) {
  const api = new client[`${pascal(plan.tag)}Api`](configuration);
  const parameters = {};
  for (const [name, value] of Object.entries({ ...plan.path, ...plan.query, ...plan.headers })) parameters[camel(name)] = value;
  if (plan.is_form) parameters.file = new File([Buffer.from(plan.file, "base64")], plan.file_name, { type: plan.file_name.endsWith(".md") ? "text/markdown" : "image/png" });
  else if (plan.schema) parameters[camel(plan.schema)] = plan.body === null ? undefined : client[`${plan.schema}FromJSON`](plan.body);
  let status, error = null;
  try {
    const answer = await api[`${camel(plan.operation)}Raw`](parameters);
    status = answer.raw.status;
    if (status !== 204) await answer.value();
  } catch (raised) {
    status = raised.response?.status ?? 0;
    error = raised.response ? await raised.response.text() : String(raised.cause ?? raised);
  }
  console.log(JSON.stringify({ name: plan.name, status, error }));
}
