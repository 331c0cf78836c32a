import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commands } from "../main/commands.ts";
import { wrap } from "../terminal/wrap.ts";
import { runCli } from "./cli-for-tests.ts";
import { nameCommands, nameNearPath, wholeCommands } from "./name-commands.ts";

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
  const path = "node '/home/ada/$& $1/bridle.js'"; // `$&` is not used as a replacement pattern
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
    "--help",
    "rnu",
    "test shwo",
    "session",
    "run",
    "chat",
    "sessions list",
    "sessions show",
    "sessions resume",
    "test history",
    "test show",
    "test --resume",
    "doctor",
    "status",
    "trust --show",
    "permissions remove",
    "permissions remove x",
    "approvals answer",
    "approvals answer x",
    "events",
    "replay",
    "agent validate",
    "agent show",
    "test",
    "documents status docs.yaml",
    "documents search",
    "bundle",
    "rehearse",
    "init docs.yaml",
    "bundle --check docs.yaml",
    "agent validate docs.yaml",
    "agent show docs.yaml",
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

test.each([
  [
    "Read its files. If you trust them, run: bridle trust agents/desk.yaml. For one command, add --trust.",
    "bridle trust agents/desk.yaml.",
  ],
  ["One effect: not trusted. It is really so. Run bridle trust if you know who wrote the files.", "Run bridle trust"],
  [
    'The file agent.yaml is not valid. To see every mistake in it, run "bridle agent validate agents/desk.yaml".',
    '"bridle agent validate agents/desk.yaml".',
  ],
  [
    "There is nothing to show of any of these. To see all: bridle sessions show trip --json.",
    "bridle sessions show trip --json.",
  ],
])("a command in the sentence %j stays on one line", (text, command) => {
  const local = "node '/home/ada lovelace/node modules/bridle/bin/bridle.js'";
  for (const own of ["bridle", "npx bridle", local]) {
    const wanted = command.replace("bridle", own);
    for (let width = 10; width <= 120; width += 1) {
      const lines = wrap(nameCommands(text, { command: own }), width, undefined, wholeCommands({ command: own }));
      expect(lines.some((line) => line.includes(wanted.replace(/^Run /, "")))).toBe(true);
      expect(lines.join(" ")).toBe(nameCommands(text, { command: own }));
      for (const line of lines) if (line.length > width) expect(wanted).toContain(line.replace(/^Run /, ""));
    }
  }
});

test.each([
  ["/home/ada/desk", "bridle trust."],
  ["/home/ada", "bridle trust desk."],
  ["/home/ada/desk/sub", 'bridle trust "/home/ada/desk".'.replaceAll('"', "")],
])("the remedy of a refusal names the path from %s", (cwd, expected) => {
  expect(nameNearPath('bridle trust "\\x"\nrun: bridle trust "/home/ada/desk".', cwd)).toBe(
    `bridle trust "\\x"\nrun: ${expected}`,
  );
});
