import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../command/cli-for-tests.ts";
import { commands } from "./commands.ts";

test("without a command, and with --help, the commands are listed with examples and exit codes", async () => {
  const width = Math.max(...commands.map(({ name }) => name.length));
  for (const words of [[], ["--help"], ["-h"]]) {
    const { code, stdout } = await runCli(words);
    expect(code).toBe(0);
    for (const { name, summary } of commands) expect(stdout).toContain(`${name.padEnd(width)}  ${summary}`);
    expect(stdout).toContain("Examples:");
    expect(stdout).toContain("Exit codes:");
  }
});

test("--version prints the version", async () => {
  expect(await runCli(["--version"])).toMatchObject({ code: 0, stdout: "1.2.3\n" });
});

test("the help of every command has its options and an example that begins with the command", async () => {
  for (const { name, load } of commands) {
    const { flags, examples } = await load();
    const { code, stdout } = await runCli([...name.split(" "), "--help"]);
    expect(code).toBe(0);
    for (const { flag } of Object.values(flags)) expect(stdout).toContain(flag);
    for (const example of examples) expect(stdout).toContain(`  ${example}\n`);
    expect(
      examples.some((example) => example.includes(`bridle ${name}`)),
      name,
    ).toBe(true);
    expect(await runCli(["help", ...name.split(" ")])).toMatchObject({ code: 0, stdout });
  }
});

test.each(["sessions list", "approvals list", "permissions list", "documents status"])(
  "the first word of %s alone runs it, with its options too",
  async (name) => {
    const cwd = await mkdtemp(join(tmpdir(), "bridle-alone-"));
    onTestFinished(() => rm(cwd, { recursive: true }));
    await writeFile(
      join(cwd, "agent.yaml"),
      "name: desk\ninstructions: { inline: Help. }\ntools: [{ type: documents, name: handbook, source: docs }]\n",
    );
    await mkdir(join(cwd, "docs"));
    const words = name.split(" ");
    for (const more of [[], ["--json"], ["--help"]]) {
      const whole = await runCli([...words, ...more], { cwd });
      expect([whole.code, whole.stdout + whole.stderr]).toEqual([0, expect.stringMatching(/\S/)]);
      if (more[0] !== "--help") expect(await runCli([...words.slice(0, 1), ...more], { cwd })).toEqual(whole);
    }
  },
);

const refusals: [words: string[], sentence: string][] = [
  [["stauts"], 'Unknown command "stauts". Did you mean "status"? See "bridle --help".'],
  [["xyzzy"], 'Unknown command "xyzzy". See "bridle --help".'],
  [["--verbose"], 'Unknown option "--verbose". Write options after the command. See "bridle --help".'],
  [["config"], '"bridle config" needs a sub-command. Known: bridle config schema.'],
  [["config", "shcema"], 'Unknown sub-command "config shcema". Did you mean "schema"? Known: bridle config schema.'],
  [["run", "--stesp", "3", "Hello"], 'Unknown option "--stesp". Did you mean "--steps"? See "bridle run --help".'],
  [["status", "--jsno"], 'Unknown option "--jsno". Did you mean "--json"? See "bridle status --help".'],
  [["status", "more"], '"bridle status" only takes options. See "bridle status --help".'],
  [
    ["run", "two", "prompts"],
    'There is more than one prompt. Put it in quotes, and write options before or after it. See "bridle run --help".',
  ],
  [["run", "Hello", "--tools"], '--tools <file> has no value. See "bridle run --help".'],
  [
    ["run"],
    'The prompt is missing. Write it in quotes, or "-" to read it from standard input: bridle run "Say hello."',
  ],
  [["run", " "], "The prompt is empty. Write a text."],
  [["sql", "shop", " "], "The statement is empty. Write a text."],
  [["run", "-"], "The prompt on standard input is empty. Pipe a text in."],
  [["run", "--steps", "0", "Hello"], '--steps: expected a whole number from 1, got "0".'],
  [["run", "--steps", "many", "Hello"], '--steps: expected a whole number from 1, got "many".'],
  [
    ["run", "--timeout", "-1", "Hello"],
    '--timeout: expected a number of seconds above 0, at most 31536000 (a year), got "-1".',
  ],
  [
    ["run", "--timeout", "1e308", "Hello"],
    '--timeout: expected a number of seconds above 0, at most 31536000 (a year), got "1e308".',
  ],
  [
    ["run", "--timeout", "Infinity", "Hello"],
    '--timeout: expected a number of seconds above 0, at most 31536000 (a year), got "Infinity".',
  ],
  [["run", "--system", "@", "Hello"], '--system "@" names no file. Write --system @instructions.md, or the text.'],
  [
    ["run", "--backend", "claude-cod", "Hello"],
    '--backend: expected one of claude-code, codex, copilot, anthropic, openai, openai-compatible, gateway, vertex, bedrock, none, got "claude-cod". Did you mean "claude-code"?',
  ],
  [
    ["run", "--auth", "apikey", "Hello"],
    '--auth: expected one of session, api_key, oauth_token, bedrock, vertex, foundry, got "apikey". Did you mean "api_key"?',
  ],
  [["run", "--role", "a", "--model", "b", "Hello"], "--role and --model cannot be combined. Keep one."],
  [["run", "--events", "--json", "Hello"], "--events and --json cannot be combined. Keep one."],
  [["run", "--tools", "a", "--schema", "b", "Hello"], "--tools and --schema cannot be combined. Keep one."],
  [["run", "--steps", "3", "--schema", "b", "Hello"], "--steps and --schema cannot be combined. Keep one."],
  [["run", "--auth", "session", "--rehearse", "b", "Hello"], "--auth and --rehearse cannot be combined. Keep one."],
];

test.each(refusals)("bridle %j is refused with exit code 2", async (words, sentence) => {
  const error = { name: "UsageError", code: "usage", retryable: false, message: sentence };
  const stdout = words.includes("--json") ? `${JSON.stringify({ error }, undefined, 2)}\n` : "";
  expect(await runCli(words)).toEqual({ code: 2, stdout, stderr: `${sentence}\n`, options: undefined });
});

test("an unexpected error in Bridle asks for a report, with exit code 5", async () => {
  const createRuntime = () => Promise.reject(new TypeError("x is not a function"));
  const { code, stderr } = await runCli(["run", "Hello"], { createRuntime });
  expect(code).toBe(5);
  expect(stderr).toMatch(/^Bridle failed unexpectedly\. Please report this:\nTypeError: x is not/);
});
