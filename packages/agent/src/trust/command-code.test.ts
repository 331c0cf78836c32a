/** Tests commands that run code from the folder: a change of that code requires trust again. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: lines for a shell
import { join } from "node:path";
import { expect, test } from "vitest";
import { counts, createFolder } from "./changes-for-tests.ts";

const json = (value: unknown) => JSON.stringify(value);

test.each<[what: string, file: string, words: readonly string[], more?: Readonly<Record<string, string>>]>([
  ["a folder with a main file", "lib/start.js", ["node", "."], { "package.json": json({ main: "lib/start.js" }) }],
  [
    "a named folder with a main file",
    "server/lib/start.js",
    ["node", "server"],
    { "server/package.json": json({ main: "lib/start" }) },
  ],
  ["the main file itself", "server/package.json", ["node", "server"]],
  ["a folder of Python", "srv/__main__.py", ["python3", "srv"]],
  [
    "a module beside a folder's main file of Python",
    "srv/evil.py",
    ["python3", "srv"],
    { "srv/__main__.py": "import evil" },
  ],
  ["a file in the folder of uv", "server/main.py", ["uv", "--directory", "server", "run", "main.py"]],
  ["a file in the folder of an option", "server/main.mjs", ["bun", "--cwd=server", "main.mjs"]],
  ["a file in the folder of a short option", "server/main.mjs", ["pnpm", "-Cserver", "exec", "node", "main.mjs"]],
  ["a module in the folder of uv", "server/srv/tool.py", ["uv", "--directory", "server", "run", "python", "-m", "srv"]],
  ["a file after cd", "sub/server.mjs", ["bash", "-c", "cd sub && node server.mjs"]],
  ["a file after two of them", "sub/deep/server.mjs", ["sh", "-c", "cd sub; cd deep; node server.mjs"]],
  ["a file in the working folder", "server.mjs", ["sh", "-c", "exec node $PWD/server.mjs"]],
  ["a file in a folder in quotes", "server.mjs", ["sh", "-c", 'node "$PWD"/server.mjs']],
  ["a file in a folder in braces", "server.mjs", ["sh", "-c", 'node "${PWD:-.}/server.mjs"']],
  ["a file in a folder that a command finds", "server.mjs", ["sh", "-c", "node $(pwd)/server.mjs"]],
  ["a file in a folder that an old command finds", "server.mjs", ["sh", "-c", "node `pwd`/server.mjs"]],
  ["a file with a blank", "my server.mjs", ["sh", "-c", "node 'my server.mjs'"]],
  ["a file with needless quotes", "server.mjs", ["sh", "-c", "node ser'ver'.mjs"]],
  ["a pattern of a shell", "server.mjs", ["sh", "-c", "node s*.mjs"]],
  ["a line in a line", "server.mjs", ["sh", "-c", "bash -c 'node \"server.mjs\"'"]],
  ["a file of an option without a blank", "hook.cjs", ["node", "-r./hook.cjs", "x.mjs"]],
  ["code of Python", "evil.py", ["python3", "-c", "import evil"]],
  ["code of Python in a line", "evil.py", ["sh", "-c", "python3 -Ic 'import evil'"]],
  ["code of Node.js", "lib/evil.mjs", ["node", "-e", 'import("./lib/" + "ev" + "il.mjs")']],
  ["code of Node.js with a computed name", "evil.mjs", ["node", "--eval=import(process.argv[1])", "x"]],
  ["a script of Python with any name", "evil.py", ["python3", "-u", "server.txt"], { "server.txt": "import evil" }],
  ["a script of Node.js with any name", "evil.cjs", ["node", "server.txt"], { "server.txt": 'require("./evil.cjs")' }],
  [
    "a file of variables",
    "evil.mjs",
    ["node", "--env-file=.env", "x.mjs"],
    { ".env": "NODE_OPTIONS=--import=./evil.mjs" },
  ],
  [
    "a file of variables as a word",
    "evil.mjs",
    ["bun", "--env-file", "my.vars", "x"],
    { "my.vars": 'NODE_OPTIONS="--import ./evil.mjs"' },
  ],
  [
    "a file of variables in another folder",
    "sub/evil.mjs",
    ["uv", "--directory", "sub", "run", "--env-file", "my.vars", "x"],
    { "sub/my.vars": "NODE_OPTIONS=--import=./evil.mjs" },
  ],
  ["a compiled module of Python", "srv.pyc", ["python3", "-m", "srv"]],
  ["the configuration of npm", ".npmrc", ["npx", "-y", "srv"]],
  ["the configuration of npm in a line", ".npmrc", ["sh", "-c", "exec /usr/bin/npx -y srv@1.2.3"]],
  [
    "code in the configuration of npm",
    "evil.cjs",
    ["npx", "-y", "srv"],
    { ".npmrc": "node-options=--require ./evil.cjs" },
  ],
  ["the configuration of bun", "bunfig.toml", ["bunx", "srv"]],
  ["code in the configuration of bun", "evil.ts", ["bun", "run", "x.ts"], { "bunfig.toml": 'preload = ["./evil.ts"]' }],
  ["the configuration of deno", "deno.json", ["deno", "run", "-A", "x.ts"]],
  [
    "a task of deno",
    "srv/evil.ts",
    ["deno", "task", "start"],
    { "deno.json": json({ tasks: { start: "deno run srv/evil.ts" } }) },
  ],
  ["the configuration of tsx", "tsconfig.json", ["npx", "tsx", "x.ts"]],
  ["the configuration of uv", "uv.toml", ["uvx", "srv"]],
  ["the project of uv", "pyproject.toml", ["uv", "run", "srv"]],
  [
    "a program of the project of uv",
    "src/srv/main.py",
    ["uv", "run", "srv"],
    { "pyproject.toml": '[project.scripts]\nsrv = "srv.main:main"' },
  ],
])("a command reaches a file that counts: %s", (_what, file, words, more = {}) => {
  const [command, ...args] = words;
  const folder = createFolder({ "sub/deep/none": "", [file]: "", ...more });
  expect(counts(file, folder, { args, type: "mcp", command })).toBe(true);
});

test("a command for a folder of data does not run code there, and its words are no programs", () => {
  const words = ["-y", "files", ".", "--include", "**/*.mjs", "select * from t"];
  for (const file of ["index.mjs", "package.json", "other.mjs"]) {
    const folder = createFolder({ "package.json": json({ main: "index.mjs" }), "index.mjs": "", "other.mjs": "" });
    expect(counts(file, folder, { command: "npx", args: words })).toBe(false);
  }
});

test("the configuration of a folder outside of the project is the user's own", () => {
  const folder = createFolder({ "home/.npmrc": "", "desk/package.json": "" });
  const value = { command: "npx", args: ["-y", "files", join(folder, "home")] };
  expect(counts("../home/.npmrc", join(folder, "desk"), value)).toBe(false);
});
