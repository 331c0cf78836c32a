import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { ownCommand, quoted } from "./own-command.ts";

let root = "";
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "bridle-own-"));
  onTestFinished(() => rm(root, { recursive: true }));
});

/** The command for a user in `work/desk`, with these files and PATH. */
async function commandWith(files: readonly string[], path: readonly string[]) {
  const cwd = join(root, "work/desk");
  await mkdir(cwd, { recursive: true });
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), "");
  }
  const environment = { PATH: path.map((folder) => join(root, folder)).join(":"), npm_command: "exec" };
  return ownCommand({ environment, cwd, packageRoot: join(root, "package") });
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

test("a path with a space or a quote is one word of a shell", () => {
  expect(["/a/b.js", "/a b/c", "/it's"].map(quoted)).toEqual(["/a/b.js", "'/a b/c'", "'/it'\\''s'"]);
});
