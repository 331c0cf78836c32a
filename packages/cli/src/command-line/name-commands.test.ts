import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCli } from "./cli-for-tests.ts";
import { commands } from "./commands.ts";
import { nameCommands } from "./name-commands.ts";

const local = { command: "npx bridle" };

test.each([
  ['See "bridle --help".', 'See "npx bridle --help".'],
  ["Usage: bridle <command> [options]", "Usage: npx bridle <command> [options]"],
  ["To resume: bridle run --session s", "To resume: npx bridle run --session s"],
  ["bridle run a | bridle chat", "npx bridle run a | npx bridle chat"],
])("the sentence %j names the command as its reader can start it", (text, expected) => {
  expect(nameCommands(text, local)).toBe(expected);
  expect(nameCommands(text, { command: "bridle" })).toBe(text);
  expect(nameCommands(text, {})).toBe(text);
  const path = "node '/home/ada/$& $1/bridle.js'"; // no pattern of a replacement
  expect(nameCommands(text, { command: path })).toBe(expected.replaceAll("npx bridle", () => path));
});

test("every command is named as its reader can start it", () => {
  for (const { name } of commands) expect(nameCommands(`Run bridle ${name}.`, local)).toBe(`Run npx bridle ${name}.`);
});

test.each([
  "Write it in bridle.yaml, or run npx bridle run.",
  "The folder .bridle run by hand",
  "/opt/bridle run",
  "the package bridle",
  "my-bridle run",
  "bridle runs agents",
])("%j names no command that could be started differently", (text) => {
  expect(nameCommands(text, local)).toBe(text);
});

describe("a command that was not installed globally", () => {
  let cwd = "";
  beforeAll(() => {
    cwd = mkdtempSync(join(tmpdir(), "bridle-naming-"));
    writeFileSync(join(cwd, "bridle.yaml"), "");
    writeFileSync(
      join(cwd, "docs.yaml"),
      "name: d\ninstructions: { inline: Hi. }\ntools: [{ type: documents, name: docs, source: . }]\n",
    );
  });
  afterAll(() => rmSync(cwd, { recursive: true }));

  const bare = new RegExp(`(?<!npx )(?<![\\w./-])bridle (?:${commands.map(({ name }) => name).join("|")})\\b`);
  const helps = commands.map(({ name }) => `${name} --help`);

  test.each([
    ...["--help", "rnu", "test shwo", "session", "run", "chat", "sessions list", "sessions show", "sessions resume"],
    ...["test history", "test show", "test --resume", "doctor", "status", "trust --show", "permissions remove"],
    ...["permissions remove x", "approvals answer", "approvals answer x", "events", "replay", "agent validate"],
    ...["agent show", "test", "documents status docs.yaml", "documents search", "bundle", "rehearse", "init docs.yaml"],
    ...["bundle --check docs.yaml", "agent validate docs.yaml", "agent show docs.yaml"],
    ...helps,
  ])("bridle %s prints no command that would fail, or fetch a package of this name", async (words) => {
    const { stdout, stderr } = await runCli(words.split(" "), { cwd, environment: { HOME: cwd }, ...local });
    expect((stdout + stderr).replaceAll(/\s+/g, " ")).not.toMatch(bare);
  });

  test("does print such commands if it is installed globally", async () => {
    const { stderr } = await runCli(["sessions", "list"], { cwd, environment: { HOME: cwd } });
    expect(stderr).toMatch(bare);
  });
});
