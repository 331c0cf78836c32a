/** Tests every syntax that can load a module: the module counts as code of the agent, so a change in it requires trust again. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code of the tests
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { counts, createFolder } from "./changes-for-tests.ts";
import { codeContent } from "./code-content.ts";

const manifest = JSON.stringify({
  name: "desk",
  exports: { "./evil": { import: "./evil.mjs" }, "./deep/*": "./deep/*.mjs" },
  imports: { "#evil": { import: "./evil.mjs", default: "./other.mjs" }, "#deep/*": "./deep/*.mjs" },
});

const evil = "evil.mjs";
test.each<[what: string, code: string, file?: string, main?: string]>([
  ["a name", 'import "./evil.mjs";'],
  ["a default import", "import x from './evil.mjs'"],
  ["names", 'import { x as y } from"./evil.mjs"'],
  ["a namespace", 'import * as x from "./evil.mjs"'],
  ["an export of all", 'export * from "./evil.mjs"'],
  ["an export of all under a name", 'export * as x from "./evil.mjs"'],
  ["an export of one", 'export { x } from "./evil.mjs"'],
  ["a comment before the name", 'import/* it */x/* is */from/* there */"./evil.mjs"'],
  ["a long comment", `import x from /*${"*".repeat(300)}*/ "./evil.mjs"`],
  ["a comment to the end of the line", 'import x from // from\n"./evil.mjs"'],
  ["two comments", 'import x from /* one */ /* two */ "./evil.mjs"'],
  ["a name in hexadecimal escapes", 'import "./\\x65vil.mjs"'],
  ["a name in Unicode escapes", 'import "./\\u0065v\\u{69}l.mjs"'],
  ["a name with a continued line", 'import "./ev\\\nil.mjs"'],
  ["a name with needless escapes", "import './\\e\\v\\i\\l.mjs'".replace("\\v", "v")],
  ["a name in percent-encoding", 'import "./%65vil.mjs"'],
  ["a name with a tab, which addresses drop", 'import "./ev\\til.mjs"'],
  ["a name with a query", 'import "./evil.mjs?v=2"'],
  ["a name with a fragment", 'import "./evil.mjs#v"'],
  ["a way through another folder", 'import "./none/../evil.mjs"'],
  ["a backslash, which addresses read as a slash", 'import "./deep\\\\evil.mjs"', "deep/evil.mjs"],
  ["the address of a file", `import "FOLDER_URL/evil.mjs"`],
  ["the address of a file in percent-encoding", `import "FOLDER_URL/%65vil.mjs"`],
  ["the package's own name", 'import "desk/evil"'],
  ["the package's own name with a pattern", 'import "desk/deep/evil"', "deep/evil.mjs"],
  ["a name of the map of imports", 'import "#evil"'],
  ["a pattern of the map of imports", 'import "#deep/evil"', "deep/evil.mjs"],
  ["the map of imports itself", 'import "#evil"', "package.json"],
  ["import() with a text", 'await import("./evil.mjs")'],
  ["import() with a template", "await import(`./evil.mjs`)"],
  ["import() with options", 'await import("./evil.json", { with: { type: "json" } })', "evil.json"],
  ["import() with parentheses and a comment", 'await import /* it */ ( ( /* is */ "./evil.mjs" ) )'],
  ["import() with joined texts", 'await import("./ev" + "il.mjs")'],
  ["import() with a template in a template", 'await import(`./ev${"il"}.mjs`)'],
  ["import() with a computed name", 'const n = ["evil", "mjs"].join("."); await import(`./${n}`)'],
  ["import() with a name from elsewhere", 'await import(process.env.X ?? "./nothing.mjs")'],
  ["import() in a script in a template", 'const f = `${await import("./evil.mjs")}`'],
  ["import() with code as an address", "await import('data:text/javascript,import(1)')"],
  ["JSON", 'import x from "./evil.json" with { type: "json" }', "evil.json"],
  ["WebAssembly", 'import x from "./evil.wasm"', "evil.wasm"],
  ["require", 'require("./evil.cjs")', "evil.cjs", "main.cjs"],
  ["require without an ending", 'require("./evil")', "evil.js", "main.cjs"],
  ["require of a folder", 'require("./deep")', "deep/index.js", "main.cjs"],
  ["require of a folder with a main file", 'require("./lib")', "lib/start.js", "main.cjs"],
  ["require of a file with any ending", 'require("./evil.txt")', "evil.txt", "main.cjs"],
  ["what a file with any ending imports", 'require("./hop.weird")', "evil.cjs", "main.cjs"],
  ["require by another name", 'const r = require; r("./" + ["evil"] + ".cjs")', "evil.cjs", "main.cjs"],
  ["require as a method", 'module["req" + "uire"](["./evil.cjs"][0])', "evil.cjs", "main.cjs"],
  ["require.resolve", 'f(require.resolve("./evil.cjs"))', "evil.cjs", "main.cjs"],
  [
    "createRequire",
    'import { createRequire } from "node:module"; createRequire(import.meta.url)("./evil.cjs")',
    "evil.cjs",
  ],
  [
    "createRequire by another name",
    'import { createRequire as c } from "module"; const load = c(import.meta.url); load(["./evil.cjs"][0])',
    "evil.cjs",
  ],
  [
    "createRequire of an import()",
    'const m = await import("node:mod" + "ule"); m.createRequire("/x")(name)',
    "evil.cjs",
  ],
  ["getBuiltinModule", 'process.getBuiltinModule("module").createRequire("/x")(name)', "evil.cjs"],
  ["getBuiltinModule by a computed name", 'process[["get", "BuiltinModule"].join("")]("module")', "evil.cjs"],
  ["import.meta.resolve", 'const x = import.meta.resolve("./evil.mjs"); await import(x)'],
  ["import.meta.resolve by another name", "const { resolve } = import.meta; f(resolve(name))"],
  ["module.register", 'import { register } from "node:module"; register("./evil.mjs", import.meta.url)'],
  ["registerHooks", 'import m from "node:module"; m.registerHooks({ load: () => name })'],
  ["new Worker with a path", 'import { Worker } from "node:worker_threads"; new Worker("./evil.mjs")'],
  [
    "new Worker with an address",
    'import { Worker } from "worker_threads"; new Worker(new URL("./evil.mjs", import.meta.url))',
  ],
  ["new Worker by another name", 'import { Worker as W } from "worker_threads"; new W(new URL(name, import.meta.url))'],
  ["fork", 'import { fork } from "node:child_process"; fork("evil.mjs")'],
  ["spawn", 'import { spawn } from "node:child_process"; spawn("python3", [name])', "evil.py"],
  ["cluster", 'import cluster from "node:cluster"; cluster.setupPrimary({ exec: name })'],
  ["a loader among packages", 'import jiti from "jiti"; jiti("/x")(name)'],
  ["run of the test runner", 'import { run } from "node:test"; run({ files: [name] })'],
  ["getBuiltinModule as an import", 'import { getBuiltinModule as get } from "node:process"; get(name)'],
  ["getBuiltinModule as an export", 'export { getBuiltinModule } from "process"'],
  ["getBuiltinModule of a renamed process", 'import p from "node:process"; p[name]("module")'],
  ["getBuiltinModule of all of process", 'import * as p from "node:process"; p[name]("module")'],
  ["getBuiltinModule of a required process", 'const p = require("process"); p[name]("module")', "evil.cjs", "main.cjs"],
  ["eval", "eval(name)"],
  ["eval by another name", "(0, globalThis[name])(x)"],
  ["new Function", 'new Function("x", name)()'],
  ["a constructor of functions", "(() => {}).constructor(name)()"],
  ["a file that cannot be parsed", 'import defer * as x from "./none.mjs"; const # = 1;'],
  ["a way through another module", 'import "./hop.mjs"'],
  ["types only", 'import type { X } from "./evil.ts"; export type { Y } from "./none.ts"', "evil.ts", "main.ts"],
  ["TypeScript", 'import { type X, y } from "./evil.ts"; const z: X = y as X;', "evil.ts", "main.ts"],
  ["TypeScript with the ending after a build", 'import "./evil.js"', "evil.ts", "main.ts"],
  ["TypeScript with the ending of a module after a build", 'import "./evil.mjs"', "evil.mts", "main.mts"],
  ["TypeScript with the ending of a script after a build", 'import "./evil.cjs"', "evil.cts", "main.ts"],
  ["TSX with the ending after a build", 'import "./evil.jsx"', "evil.tsx", "main.tsx"],
  ["TSX with a plain ending", 'import "./evil.js"', "evil.tsx", "main.tsx"],
  ["TypeScript of a worker", 'f(new URL("./evil.js", import.meta.url))', "evil.ts", "main.ts"],
  ["import = require", 'import x = require("./evil.cts"); export = x;', "evil.cts", "main.cts"],
  [
    "TypeScript with an enum",
    'enum A { b } namespace N { export const c = import("./evil.ts"); }',
    "evil.ts",
    "main.ts",
  ],
  ["decorators", 'import { d } from "./evil.ts"; @d() class A { @d() private x!: string; }', "evil.ts", "main.ts"],
  ["TSX", 'const a = <b c={import("./evil.tsx")}>text</b>; const d = <T,>(e: T) => e;', "evil.tsx", "main.tsx"],
  ["JSX", 'const a = <b c={import("./evil.js")} />;', "evil.js", "main.jsx"],
  ["code that only a script has", 'x <!-- /*\nrequire("./evil.cjs")\n/* */', "evil.cjs", "main.js"],
  ["code that only a module has", 'x <!--y; await import("./evil.mjs")', evil, "main.js"],
  ["a script with an old octal", 'var x = 010; require("./evil.cjs")', "evil.cjs", "main.cjs"],
  ["a script that returns", 'if (x) return; require("./evil.cjs")', "evil.cjs", "main.cjs"],
  ["a file without an ending", '#!/usr/bin/env node\nrequire("./evil.cjs")', "evil.cjs", "main"],
  [
    "a file without an ending, with types",
    '#!/usr/bin/env -S deno run\nimport "./evil.ts"; let x: 1;',
    "evil.ts",
    "main",
  ],
  ["a Python file without an ending", "#!/usr/bin/env python3\nimport evil", "evil.py", "main"],
  ["a Python file with another ending", "#!/usr/bin/env -S uv run --script\nimport evil", "evil.py", "main.cgi"],
  ["Python's file without a window", "import evil", "evil.py", "main.pyw"],
])("%s loads a module that counts", (_what, code, file = evil, main = "main.mjs") => {
  const folder = createFolder({
    "package.json": manifest,
    "hop.mjs": 'import "./\\x65vil.mjs"',
    "hop.weird": 'require("./\\x65vil.cjs")',
    "lib/package.json": JSON.stringify({ main: "start" }),
    "lib/start.js": "",
    [file]: file === "package.json" ? manifest : "",
  });
  const url = `file://${folder}`;
  writeFileSync(join(folder, main), code.replace("FOLDER_URL", url));
  expect(counts(file, folder, { type: "function", file: main })).toBe(true);
});

const json = (value: unknown) => JSON.stringify(value);

test.each<[what: string, file: string, code: string, config: readonly [name: string, text: string]]>([
  [
    "paths of tsconfig.json",
    "lib/evil.ts",
    'import "@/evil"',
    ["tsconfig.json", '{ /* it */ "compilerOptions": { "paths": { "@/*": ["./lib/*"], } } }'],
  ],
  [
    "paths of a base",
    "lib/evil.ts",
    'import "@/evil.js"',
    ["base.json", json({ compilerOptions: { baseUrl: "lib", paths: { "@/*": ["*"] } } })],
  ],
  [
    "a path in place of a package",
    "lib/evil.ts",
    'import "zod"',
    ["tsconfig.json", json({ compilerOptions: { paths: { zod: ["./lib/evil"] } } })],
  ],
  [
    "baseUrl of tsconfig.json",
    "lib/evil.ts",
    'import "evil"',
    ["tsconfig.json", json({ compilerOptions: { baseUrl: "./lib" } })],
  ],
  [
    "baseUrl of jsconfig.json",
    "lib/evil.js",
    'import "evil"',
    ["jsconfig.json", json({ compilerOptions: { baseUrl: "./lib" } })],
  ],
  ["imports of deno.json", "lib/evil.ts", 'import "evil"', ["deno.json", json({ imports: { evil: "./lib/evil.ts" } })]],
  [
    "a folder in the imports of deno.jsonc",
    "lib/evil.ts",
    'import "e/evil.ts"',
    ["deno.jsonc", '{ "imports": { "e/": "./lib/" } } // it'],
  ],
  [
    "scopes of deno.json",
    "lib/evil.ts",
    'import "evil"',
    ["deno.json", json({ scopes: { "./": { evil: "./lib/evil.ts" } } })],
  ],
  ["an import map", "lib/evil.ts", 'import "evil"', ["maps/map.json", json({ imports: { evil: "../lib/evil.ts" } })]],
  ["members of a workspace", "lib/evil.ts", 'import "@desk/evil"', ["deno.json", json({ workspace: ["./lib"] })]],
  ["a map that cannot be parsed", "lib/evil.ts", 'import "evil"', ["deno.json", "{ imports: "]],
])("a name of a map loads a module that counts: %s", (_what, file, code, [name, text]) => {
  const folder = createFolder({
    ".git/HEAD": "",
    "tsconfig.json": json({ extends: "./base" }),
    "deno.json": json({ importMap: "maps/map.json" }),
    [file]: "",
    "agents/desk/main.ts": code,
    [name]: text,
  });
  const base = join(folder, "agents/desk");
  const before = json(codeContent({ file: "main.ts" }, base));
  writeFileSync(join(folder, file), "changed");
  expect(json(codeContent({ file: "main.ts" }, base))).not.toBe(before);
});

test("a known package and a module of Node.js do not count the code of a folder with a map", () => {
  const code = 'import "known"; import "node:fs"; import "npm:x"; import "@/lib";';
  const folder = createFolder({
    "tsconfig.json": json({ compilerOptions: { paths: { "@/*": ["./*"] } } }),
    "node_modules/known/package.json": json({ name: "known", main: "index.js" }),
    "node_modules/known/index.js": "",
    "main.ts": code,
    "lib.ts": "",
    "other.ts": "",
  });
  expect(counts("other.ts", folder, { file: "main.ts" })).toBe(false);
});

test("the type that package.json gives to a module counts, and the rest of it does not", () => {
  const folder = createFolder({ "main.js": "", "package.json": json({ version: "1", type: "commonjs" }) });
  const read = () => json(codeContent({ file: "main.js" }, folder));
  const before = read();
  writeFileSync(join(folder, "package.json"), json({ version: "2", type: "commonjs", dependencies: { a: "1" } }));
  expect(read()).toBe(before);
  writeFileSync(join(folder, "package.json"), json({ version: "2", type: "module" }));
  expect(read()).not.toBe(before);
});

test("a module that no import names, and data that the code reads, do not count", () => {
  const code = `import { readFileSync } from "node:fs"; import { z } from "zod"; import "./hop.mjs";
    import process, { env } from "node:process"; const { cwd } = await import("process"); f(process.argv, env, cwd());
    const data = JSON.parse(readFileSync(new URL("./data.json", import.meta.url), "utf8"));
    class A { constructor(own) { this.own = own; } } export const f = () => data[process.env.HOME];`;
  for (const file of ["data.json", "other.mjs"]) {
    const folder = createFolder({ "main.mjs": code, "hop.mjs": "", "data.json": "{}", "other.mjs": "" });
    expect(counts(file, folder, { file: "main.mjs" })).toBe(false);
  }
});

test("a module counts beside the file that a link leads to, and in a package that is linked", () => {
  const folder = createFolder({
    "real/tools.mjs": 'import "./evil.mjs"; import "shared";',
    "real/evil.mjs": "",
    "packages/shared/package.json": JSON.stringify({ name: "shared", exports: "./index.js" }),
    "packages/shared/index.js": "",
    "node_modules/none": "",
  });
  symlinkSync(join(folder, "real/tools.mjs"), join(folder, "tools.mjs"));
  symlinkSync(join(folder, "packages/shared"), join(folder, "node_modules/shared"));
  expect(counts("real/evil.mjs", folder, { file: "tools.mjs" })).toBe(true);
  expect(counts("packages/shared/index.js", folder, { file: "tools.mjs" })).toBe(true);
});

test("a computed name counts all code of the project, also above the agent's folder, but no packages", () => {
  const files = {
    "bridle.yaml": "",
    "agents/desk/main.mjs": "await import(name)",
    "lib/evil.mjs": "",
    "lib/note.md": "",
    "node_modules/p/index.js": "",
  };
  const check = (file: string) => {
    const folder = createFolder(files);
    const base = join(folder, "agents/desk");
    const before = JSON.stringify(codeContent("main.mjs", base));
    writeFileSync(join(folder, file), "changed");
    return JSON.stringify(codeContent("main.mjs", base)) !== before;
  };
  expect(["lib/evil.mjs", "lib/note.md", "node_modules/p/index.js"].map(check)).toEqual([true, false, false]);
});

test("padding hides no module: neither a large file nor many files", () => {
  const large = createFolder({ "main.mjs": `/*${" ".repeat(20_000_001)}*/ import "./evil.mjs"`, "evil.mjs": "" });
  expect(counts("evil.mjs", large, "main.mjs")).toBe(true);
  expect(counts("main.mjs", large, "main.mjs")).toBe(true);
  const many = Array.from({ length: 600 }, (_, index) => [`m${index}.mjs`, ""]);
  const imports = many.map(([name]) => `import "./${name}";`).join("\n");
  const padded = createFolder({
    ...Object.fromEntries(many),
    "main.mjs": `import "./evil.mjs";\n${imports}`,
    "evil.mjs": "",
  });
  expect(counts("evil.mjs", padded, "main.mjs")).toBe(true);
});

test.each([
  ["a plain import", "import evil"],
  ["a list", "import os, evil as x"],
  ["a statement after another", "x = 1; import evil"],
  ["a condition", "if True: import evil"],
  ["a continued line", "import \\\n evil"],
  ["names in parentheses", "from lib import (\n  one,\n  evil,\n)", "lib/evil.py"],
  ["everything of a package", "from lib import *", "lib/evil.py"],
  ["compatible letters", "import ｅvil"],
  ["importlib", "import importlib; importlib.import_module(name)"],
  ["__import__", "__import__(name)"],
  ["exec", "exec(open(name).read())"],
  ["a program", "import subprocess; subprocess.run([name])"],
  ["a module with the name of Python's own", "import json", "re.py"],
  ["compiled code", "import evil", "evil.so"],
])("Python: %s loads a module that counts", (_what, code, file = "evil.py") => {
  const folder = createFolder({ "main.py": code, "lib/__init__.py": "", "lib/one.py": "", [file]: "" });
  expect(counts(file, folder, { file: "main.py" })).toBe(true);
});

test("Python: a package in a folder above counts whole", () => {
  const folder = createFolder({
    "bridle.yaml": "",
    "tools/main.py": "from shared import (\n a,\n b)",
    "shared/b.py": "",
  });
  expect(counts("shared/b.py", folder, { file: "tools/main.py" })).toBe(true);
});
