/**
 * Writes the references that are made from the product itself: the commands from their own help, `bridle.yaml` from
 * its schema. With `--check` nothing is written, and a stale file is a failure.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./packages.ts";
import { commandReference } from "./reference/commands.ts";
import { configurationReference } from "./reference/configuration.ts";

const files = {
  "docs/cli.md": commandReference(bridle),
  "docs/configuration.md": configurationReference(JSON.parse(bridle("config", "schema"))),
};
const isCheck = process.argv.includes("--check");
const stale = Object.entries(files).filter(([path, text]) => current(path) !== text);

for (const [path, text] of stale) {
  if (isCheck) console.error(`${path} is stale. Run "npm run generate".`);
  else writeFileSync(join(root, path), text);
}
process.exitCode = isCheck && stale.length > 0 ? 1 : 0;

function current(path: string): string {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** What the command prints, run from its sources. */
function bridle(...args: string[]): string {
  const command = join(root, "packages/bridle/bin/bridle.js");
  return execFileSync(process.execPath, ["--conditions=@bridle/source", command, ...args], {
    cwd: root,
    encoding: "utf8",
  });
}
