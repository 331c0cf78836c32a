import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { ownCommand, quoted } from "./own-command.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "bridle-own-"));
  onTestFinished(() => rm(root, { recursive: true }));
});

/** Returns the command for a user in `work/desk`, with these files and PATH. */
async function commandWith(files: readonly string[], path: readonly string[], startedAs?: string) {
  const cwd = join(root, "work/desk");
  await mkdir(cwd, { recursive: true });
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), "");
  }
  const environment = { PATH: path.map((folder) => join(root, folder)).join(":"), npm_command: "exec" };
  const started = startedAs === undefined ? undefined : join(root, startedAs);
  return ownCommand({ environment, cwd, packageRoot: join(root, "package"), startedAs: started });
}

test.each<[string, string[], string[], string]>([
  ["is installed globally", ["global/bridle"], ["bin", "global"], "bridle"],
  ["is installed in a folder above", ["work/node_modules/.bin/bridle"], [], "npx bridle"],
  ["is installed on Windows", ["work/node_modules/.bin/bridle.cmd"], [], "npx bridle"],
  ["is global and local", ["global/bridle", "work/node_modules/.bin/bridle"], ["global"], "bridle"],
])("a command that %s is named as the user can start it", async (_, files, path, expected) => {
  expect(await commandWith(files, path)).toBe(expected);
});

test.each<[string, string[], string[]]>([
  ["npx of an archive", [".npm/_npx/1/node_modules/.bin/bridle"], [".npm/_npx/1/node_modules/.bin"]],
  ["its path", [], ["bin"]],
  ["a package of another name beside it", ["work/node_modules/.bin/bridled"], []],
])(
  "a command that was started by %s is never named as npx bridle, which would fetch a package",
  async (_, files, path) => {
    expect(await commandWith(files, path)).toBe(`node ${join(root, "package/bin/bridle.js")}`);
  },
);

/** Creates a file of the package, and the links that lead to it. */
async function linked(links: Readonly<Record<string, string>>) {
  for (const [link, target] of Object.entries(links)) {
    for (const file of [link, target]) await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, target), "");
    await symlink(join(root, target), join(root, link));
  }
}

test.each<[string, Readonly<Record<string, string>>, string, string]>([
  [
    "in the folder",
    { "work/node_modules/.bin/bridle": "package/bin/bridle.js" },
    "work/node_modules/.bin/bridle",
    "npx bridle",
  ],
  [
    "of a folder elsewhere",
    { "far/node_modules/.bin/bridle": "package/bin/bridle.js" },
    "far/node_modules/.bin/bridle",
    "ROOT/far/node_modules/.bin/bridle",
  ],
  ["with another name", { "home/b": "package/bin/bridle.js" }, "home/b", "ROOT/home/b"],
  ["on PATH", { "global/bridle": "package/bin/bridle.js" }, "global/bridle", "bridle"],
  [
    "that npx made for an archive",
    { ".npm/_npx/1/node_modules/.bin/bridle": "package/bin/bridle.js" },
    ".npm/_npx/1/node_modules/.bin/bridle",
    "node ROOT/package/bin/bridle.js",
  ],
  [
    "elsewhere, while PATH has another installation",
    { "global/bridle": "other/bin/bridle.js", "far/node_modules/.bin/bridle": "package/bin/bridle.js" },
    "far/node_modules/.bin/bridle",
    "ROOT/far/node_modules/.bin/bridle",
  ],
  [
    "elsewhere, while the folder has another installation",
    { "work/node_modules/.bin/bridle": "other/bin/bridle.js", "far/node_modules/.bin/bridle": "package/bin/bridle.js" },
    "far/node_modules/.bin/bridle",
    "ROOT/far/node_modules/.bin/bridle",
  ],
])(
  "a command that was started by its link %s is named so that it starts again",
  async (_, links, startedAs, expected) => {
    await linked(links);
    expect(await commandWith([], ["global"], startedAs)).toBe(expected.replace("ROOT", root));
  },
);

test("a command that was started by its own file is named by that file", async () => {
  await linked({ "far/node_modules/.bin/bridle": "package/bin/bridle.js" });
  expect(await commandWith([], [], "package/bin/bridle.js")).toBe(`node ${join(root, "package/bin/bridle.js")}`);
});

test("a path with a space or a quote is one word of a shell", () => {
  expect(["/a/b.js", "/a b/c", "/it's"].map(quoted)).toEqual(["/a/b.js", "'/a b/c'", "'/it'\\''s'"]);
});
