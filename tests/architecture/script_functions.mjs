/** Prints the functions of scripts as JSON, `[[file, name, lines], …]`: `node script_functions.mjs <typescript> <files…>`. */

import { readFileSync } from "node:fs";

const [, , typescript, ...files] = process.argv;
const { default: ts } = await import(typescript);
const found = [];
for (const file of files) {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line;
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const name = (node.name ?? node.parent.name)?.getText(source) ?? "";
      found.push([file, name, lineOf(node.end) - lineOf(node.getStart(source)) + 1]);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}
process.stdout.write(JSON.stringify(found));
