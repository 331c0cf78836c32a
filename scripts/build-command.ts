/** The built command, which tests and the generator of documents start. */
import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { root } from "./packages.ts";
import { runCommand } from "./run-command.ts";

const built = "packages/bridle/dist/command/cli.js";
const sources = ["packages/{*,hosts/*,stores/*}/{src/**,package.json}", "scripts/{build,bundled-modules}.ts"];

/** Vitest calls it once, before the first test. */
export { buildCommand as setup };

/** Builds the command, unless it is newer than all sources. */
export async function buildCommand(): Promise<void> {
  if (changedAt(built) > Math.max(...globSync(sources, { cwd: root }).map(changedAt))) return;
  const { code, output } = await runCommand("node", [join(root, "scripts/build.ts"), "--without-types"]);
  if (code !== 0) throw new Error(`The command could not be built.\n${output}`);
}

/** Milliseconds since the epoch, or 0 for a file that does not exist. */
function changedAt(path: string): number {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
