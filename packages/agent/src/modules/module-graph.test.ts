import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readModuleGraph } from "./module-graph.ts";

async function createFolder(files: Readonly<Record<string, string>>) {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "bridle-graph-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const write = async (more: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(more)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
  };
  await write(files);
  const read = (...entries: string[]) => readModuleGraph(entries.map((entry) => join(folder, entry)));
  const names = (...entries: string[]) => [...read(...entries).files.keys()].map((path) => relative(folder, path));
  return { folder, write, read, names };
}

test("a graph has every module that is imported by a path, however it is written, and no other", async () => {
  const { names } = await createFolder({
    "main.ts": `import { a } from "./a.ts";
import type { B } from './b.ts';
export * from "./c.js";
import "./d.mjs";
const e = await import(/* late */ "./e.ts");
const f = require("./f");
const g = new URL("./g.mjs", import.meta.url);
const log = new URL("./log.json", import.meta.url);
import h from "#h";
import data from "./i.json" with { type: "json" };
`,
    "package.json": JSON.stringify({ name: "own", imports: { "#h": "./h.js" } }),
    ...Object.fromEntries(
      ["a.ts", "b.ts", "c.js", "d.mjs", "e.ts", "f.cjs", "h.js", "other.ts"].map((name) => [name, ""]),
    ),
    "g.mjs": "",
    "log.json": "{}",
    "i.json": "{}",
    "a.ts": 'import "./deep/a.ts";',
    "deep/a.ts": 'import "../main.ts";',
  });
  expect(names("main.ts")).toEqual([
    "a.ts",
    "b.ts",
    "c.js",
    "d.mjs",
    "deep/a.ts",
    "e.ts",
    "f.cjs",
    "g.mjs",
    "h.js",
    "i.json",
    "main.ts",
  ]);
  expect(names("other.ts")).toEqual(["other.ts"]);
  expect(names("missing.ts")).toEqual([]);
});

test("packages count with their names and versions, modules of Node.js and missing packages do not", async () => {
  const manifest = (name: string, more: object) => JSON.stringify({ name, version: "1.2.3", ...more });
  const { read, write } = await createFolder({
    "main.mjs":
      'import "plain";\nimport x from "@scope/sub/part";\nimport "node:fs";\nimport "path";\nimport "missing";\n',
    "node_modules/plain/package.json": manifest("plain", { type: "module", exports: { import: "./index.js" } }),
    "node_modules/plain/index.js": "",
    "node_modules/@scope/sub/package.json": manifest("@scope/sub", { exports: { "./part": "./part.js" } }),
    "node_modules/@scope/sub/part.js": "",
  });
  expect(Object.fromEntries(read("main.mjs").packages)).toEqual({ plain: "1.2.3", "@scope/sub": "1.2.3" });
  await write({ "node_modules/plain/package.json": manifest("plain", { version: "1.2.4" }) });
  expect(read("main.mjs").packages.get("plain")).toBe("1.2.4");
});

test("a package that is linked from the same repository counts with its content", async () => {
  const { folder, read, write } = await createFolder({
    "main.mjs": 'import "shared";\n',
    "packages/shared/package.json": JSON.stringify({ name: "shared", version: "1.0.0", exports: "./index.js" }),
    "packages/shared/index.js": "export const a = 1;\n",
  });
  await mkdir(join(folder, "node_modules"));
  await symlink(join(folder, "packages/shared"), join(folder, "node_modules/shared"));
  const before = read("main.mjs").packages.get("shared");
  expect(read("main.mjs").packages.get("shared")).toBe(before);
  await write({ "packages/shared/index.js": "export const a = 2;\n" });
  expect(read("main.mjs").packages.get("shared")).not.toBe(before);
});

test("a Python file counts with the modules that it imports from its folder and from those above it", async () => {
  const { names } = await createFolder({
    "tools/main.py": "import os, near\nfrom shared.words import word\nfrom . import beside # as it is\n",
    "tools/near.py": "",
    "tools/beside.py": "",
    "shared/words.py": "",
    "shared/__init__.py": "",
    "other.py": "",
  });
  const imported = ["shared/__init__.py", "shared/words.py", "tools/beside.py", "tools/main.py", "tools/near.py"];
  expect(names("tools/main.py")).toEqual(imported);
});
