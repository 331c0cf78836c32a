/** Writes untrusted text to files, for functions that read files. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readModuleGraph } from "../../packages/agent/src/modules/module-graph.ts";
import { listTrackedFiles } from "../../packages/project/src/trust/git-index.ts";

const folder = mkdtempSync(join(tmpdir(), "bridle-scanners-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Reads the imports of a module with this text. */
export function readModule(text: string): unknown {
  const path = join(folder, "module.mjs");
  writeFileSync(path, text);
  return readModuleGraph([path]);
}

/** Reads a git index with one file for each line of the text. */
export function readGitIndex(text: string): unknown {
  const git = join(folder, ".git");
  mkdirSync(git, { recursive: true });
  writeFileSync(join(git, "index"), gitIndex(text.split("\n")));
  return listTrackedFiles(folder);
}

/** Writes a git index in version 2 of the format: https://git-scm.com/docs/index-format. */
function gitIndex(names: readonly string[]): Buffer {
  const header = Buffer.from("DIRC\0\0\0\x02\0\0\0\0", "latin1");
  header.writeUInt32BE(names.length, 8);
  const entries = names.map((name) => {
    const path = Buffer.from(name);
    const entry = Buffer.alloc(Math.ceil((62 + path.length + 1) / 8) * 8);
    path.copy(entry, 62);
    return entry;
  });
  return Buffer.concat([header, ...entries]);
}
