// The pictures and codex files beside the compiled nodes, where n8n looks for them.
import { cpSync, readdirSync } from "node:fs";

for (const folder of readdirSync("nodes")) {
  for (const file of readdirSync(`nodes/${folder}`)) {
    if (/\.(svg|node\.json)$/.test(file)) cpSync(`nodes/${folder}/${file}`, `dist/nodes/${folder}/${file}`);
  }
}
