import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../scripts/packages.ts";

/** The sources that read files without `core`'s file reader, each with the reason. */
const readers: Readonly<Record<string, string>> = {
  "packages/core/src/system/read-text-file.ts": "is that reader",
  "packages/core/src/system/process-family.ts": "reads /proc of a process",
  "packages/core/src/system/process-identity.ts": "reads /proc of a process",
  "packages/hosts/claude-code/src/pool/resident-memory.ts": "reads /proc of a process",
  "packages/hosts/claude-code/src/boundary/versions.ts": "reads the manifest of an installed package",
  "packages/hosts/codex/src/boundary/codex-binary.ts": "reads the manifest of an installed package",
  "packages/hosts/model-api/src/definition/provider-packages.ts": "reads the manifest of an installed package",
  "packages/hosts/claude-code/src/proof/traps.ts": "reads what the host wrote in a proof",
  "packages/metrics/src/meteor/wordnet.ts": "reads the data of an installed package",
  "packages/app/src/init/templates.ts": "reads the templates of this package",
  "packages/server/src/http/read-page.ts": "reads the page that is built into this package",
  "packages/warehouse/src/connectors/duckdb/catalog/file-mark.ts": "reads at most 8 MB of a regular file",
  "packages/documents/src/indexing/read-source.ts": "follows no link, and has a limit of its own",
};

const reading = /\b(?:readFile|readFileSync|createReadStream)\s*\(|\.readFile\(/;
const sources = globSync("packages/{*,hosts/*,stores/*}/src/**/*.ts", { cwd: root }).filter(
  (path) => !/(\.test|-for-tests)\.ts$/.test(path),
);

test("files that a person, a setting or a project names are read by the reader that refuses pipes, devices and huge files", () => {
  const found = sources.filter((path) => reading.test(readFileSync(join(root, path), "utf8")));
  expect(found.sort()).toEqual(Object.keys(readers).sort());
});

/** The sources that open a SQLite file without `StateFile` of `core`, and why each may. */
const openers: Readonly<Record<string, string>> = {
  "packages/core/src/system/sqlite/sqlite-files.ts": "has the functions",
  "packages/core/src/system/sqlite/file-formats.ts": "makes the schema of a format in memory",
  "packages/core/src/system/sqlite/state-file.ts": "is that class",
  "packages/stores/sqlite/src/owner/database.ts": "seals the files of an event log, and opens one without changing it",
  "packages/stores/sqlite/src/streams/checkpoints.ts": "opens the event log again in a worker",
  "packages/project/src/trust/trust-store.ts": "opens a lock without tables, in the folder of the user",
  "packages/warehouse/src/connectors/sqlite/process/open-database.ts": "reads a database of the user",
};

test("the SQLite files that Bridle keeps are opened by the class that refuses links, foreign triggers and newer formats", () => {
  const opening = /\b(?:openDatabase|openDistrusted|DatabaseSync)\(/;
  const found = sources.filter((path) => opening.test(readFileSync(join(root, path), "utf8")));
  expect(found.sort()).toEqual(Object.keys(openers).sort());
});
