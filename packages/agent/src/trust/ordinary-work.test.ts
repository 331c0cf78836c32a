/**
 * Tests files that change in ordinary work and in every run. They are not code, so the user is not asked again. Programs among them count
 * as code.
 */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { counts, createFolder, type Texts, write } from "./changes-for-tests.ts";
import { codeContent } from "./code-content.ts";

const python = { file: "main.py" };
const open: Texts = {
  "main.py": "import os, subprocess\n",
  "main.mjs": 'import "node:child_process";',
  "lib/a.py": "",
};
const outputs = [
  "cache.pkl",
  "out",
  "output.dat",
  "data.db-wal",
  "data.db-shm",
  "tsconfig.tsbuildinfo",
  "coverage/lcov.info",
  "main.py~",
  "lib/.a.py.swp",
  "report.orig",
];

test.each(outputs)("a tool that can load everything does not make data a program: %s", (file) => {
  for (const main of ["main.py", "main.mjs"]) {
    const folder = createFolder({ ...open, ".git/HEAD": "" });
    expect([main, counts(file, folder, { file: main }, "\x80\x04 1")]).toEqual([main, false]); // the file appears
    expect([main, counts(file, folder, { file: main }, "\x80\x04 2")]).toEqual([main, false]);
  }
});

test("a tool does not make its own pickle a program by naming it", () => {
  const folder = createFolder({ "main.py": 'import os\nopen("cache.pkl", "wb")\n' });
  expect(counts("cache.pkl", folder, python)).toBe(false);
});

test.each<[file: string, words: readonly string[]]>([
  ["data.db", ["npx", "-y", "mcp-server-sqlite", "--db-path", "data.db"]],
  ["data.db-wal", ["npx", "-y", "mcp-server-sqlite", "--db-path", "data.db-wal"]],
  ["logs/server.log", ["sh", "-c", "exec npx -y srv --log=logs/server.log"]],
  ["data.sqlite3", ["python3", "-u", "server.py", "data.sqlite3"]],
  ["data.db", ["python3", "-m", "srv", "data.db"]],
  ["data.duckdb", ["node", "server.mjs", "--db", "data.duckdb"]],
])("the record %s of a command is not code: %j", (file, [command, ...args]) => {
  const folder = createFolder({ "server.py": "", "srv.py": "", "server.mjs": "", [file]: "1" });
  expect(counts(file, folder, { command, args, env: { RECORD: file } }, "2")).toBe(false);
});

test.each<[words: readonly string[]]>([
  [["node", "evil.db"]],
  [["python3", "-u", "evil.db"]],
  [["node", "--import", "./x.mjs", "evil.db"]],
  [["node", "-r", "./evil.db", "x.mjs"]],
  [["sh", "evil.db"]],
  [["sh", "-c", "cd . && node ./evil.db"]],
])("a file with the ending of a record is code if a command runs it: %j", ([command, ...args]) => {
  const folder = createFolder({ "x.mjs": "", "evil.db": "1" });
  expect(counts("evil.db", folder, { command, args }, "2")).toBe(true);
});

test.each<[what: string, file: string, more: Texts, text?: string]>([
  ["it begins like a script", "worker", {}, "#!/bin/sh\n1"],
  ["it begins like a script and is long", "worker", {}, `#!/bin/sh\n1${" ".repeat(20_000_001)}`],
  ["it begins like a script, whatever its ending", "worker.dat", {}, "#!/usr/bin/env ruby\n1"],
  ["a text of the tool names it", "worker", { "main.py": 'import os\nos.system("ruby ./worker --fast")\n' }],
  ["a text of another module names it", "lib/worker", { "lib/a.py": "x = ['sh', 'lib/worker']" }],
  ["a long module may name it", "lib/worker", { "lib/long.py": " ".repeat(20_000_001) }],
  ["a text of another program names it", "bin/worker", { "bin/start": "#!/bin/sh\nexec ruby 'bin/worker'" }],
])("a file with an unknown ending is a program if %s", (_what, file, more, text = "1") => {
  const folder = createFolder({ ...open, ...more, [file]: text });
  expect(counts(file, folder, python, text.replace("1", "2"))).toBe(true);
});

test("a file with an unknown ending is a program if the agent file names it", () => {
  const folder = createFolder({ ...open, "bin/worker": "1" });
  expect(counts("bin/worker", folder, { file: "main.py", env: { WORKER: "worker" } }, "2")).toBe(true);
});

test.skipIf(process.platform === "win32")("a file with an unknown ending is a program if it can be started", () => {
  const folder = createFolder({ ...open, "bin/worker": "1" });
  chmodSync(join(folder, "bin/worker"), 0o755);
  expect(counts("bin/worker", folder, python, "2")).toBe(true);
});

const header = (flags: number) => Uint8Array.of(0xa7, 0x0d, 0x0d, 0x0a, flags, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8);

test.each<[what: string, isCode: boolean, file: string, content: Uint8Array]>([
  ["that Python made from a source", false, "__pycache__/helper.cpython-311.pyc", header(0)],
  ["that Python made with optimization", false, "__pycache__/helper.cpython-311.opt-2.pyc", header(0)],
  ["that Python checks by the hash of its source", false, "__pycache__/helper.pypy39.pyc", header(3)],
  ["that Python uses without a look at its source", true, "__pycache__/helper.cpython-311.pyc", header(1)],
  ["without a source", true, "__pycache__/other.cpython-311.pyc", header(0)],
  ["with a name of its own", true, "__pycache__/evil.pyc", header(0)],
  ["beside the sources", true, "evil.pyc", header(0)],
  ["that is not compiled", true, "__pycache__/evil.py", header(0)],
])("a module %s is code: %s", (_what, isCode, file, content) => {
  const folder = createFolder({ "main.py": "import helper", "helper.py": "" });
  expect(counts(file, folder, python, content)).toBe(isCode);
});

function milliseconds(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

test("a Python tool in a large project is listed in a second", { timeout: 60_000 }, () => {
  const files = Array.from({ length: 1000 }, (_, index) => [`p${index % 200}/m${index}.py`, "import os, sys\n"]);
  const wide = createFolder({ ...Object.fromEntries(files), "main.py": "import os" });
  for (let index = 0; index < 1500; index++) write(join(wide, `other/${index % 40}/${index}/note.md`), "");
  codeContent(python, wide); // fills the caches
  expect(milliseconds(() => codeContent(python, wide))).toBeLessThan(1000);
});
