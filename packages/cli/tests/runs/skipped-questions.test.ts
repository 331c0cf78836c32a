/** Tests that a mode that skips questions is never taken from a file without a warning. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRuntime } from "@bridle/project";
import { defineScript, type Rehearsal, startRehearsal } from "@bridle/rehearsal";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../../src/command/cli-for-tests.ts";

let cwd = "";
let model: Rehearsal;
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), "bridle-skipped-"));
  model = await startRehearsal({ script: defineScript({ rehearsal: 1, turns: [{ steps: [{ say: "Hello." }] }] }) });
});
afterAll(async () => {
  await model.close();
  rmSync(cwd, { recursive: true });
});

function write(project: string, agent?: string): void {
  const provider = `{ backend: anthropic, apiKey: k, baseUrl: "${model.url}" }`;
  writeFileSync(join(cwd, "bridle.yaml"), `llm: { provider: ${provider}, models: { default: m } }\n${project}`);
  rmSync(join(cwd, "agent.yaml"), { force: true });
  if (agent !== undefined)
    writeFileSync(join(cwd, "agent.yaml"), `name: desk\ninstructions: { inline: Be kind. }\n${agent}`);
}

async function shownBy(words: string): Promise<string> {
  const environment = { PATH: process.env.PATH ?? "", HOME: cwd };
  const { code, stdout, stderr } = await runCli(words.split(" "), { cwd, environment, createRuntime, stdin: "Hi" });
  expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: expect.any(String) });
  return (stdout + stderr).replaceAll(/\s+/g, " ");
}

const claudeBlock = (mode: string) =>
  `model: { provider: claude-code, name: sonnet }\nclaude: { permission_mode: ${mode}, i_understand_this_is_unsafe: true, file_system: { write: true } }\n`;

const modes = [
  ["yolo", "every tool runs without a question."],
  ["acceptAll", "every tool runs without a question."],
  ["bypassPermissions", "every tool runs without a question."],
  ["auto", "most tools run without a question."],
] as const;
const ofAgent = ["run --agent agent.yaml Hi", "chat", "agent show"];
const ofProject = ["run Hi", "chat"];

test.each(modes)("the mode %s of bridle.yaml is shown by run, chat and agent show", async (mode, what) => {
  const sentence = `bridle.yaml:2:17: mode ${mode}: ${what}`;
  write(`policy: { mode: ${mode} }\n`);
  for (const words of ofProject) expect(await shownBy(words)).toContain(sentence);
  write(`policy: { mode: ${mode} }\n`, "");
  for (const words of ofAgent) expect(await shownBy(words)).toContain(sentence);
});

test.each(modes)("the mode %s of an agent file is shown by run, chat and agent show", async (mode, what) => {
  write("", `policy: { mode: ${mode} }\n`);
  for (const words of ofAgent) expect(await shownBy(words)).toContain(`agent.yaml:3:17: mode ${mode}: ${what}`);
});

const permissionModes = [
  ["acceptAll", "every tool runs without a question."],
  ["acceptEdits", "Write and Edit run without a question."],
] as const;

test.each(permissionModes)(
  "the permission_mode %s of an agent file is shown by run, chat and agent show",
  async (mode, what) => {
    write("", claudeBlock(mode));
    writeFileSync(join(cwd, "script.yaml"), "rehearsal: 1\nturns: [{ steps: [{ say: Hello. }] }]\n");
    const rehearsed = `--rehearse ${join(cwd, "script.yaml")}`;
    const sentence = `permission_mode ${mode}: ${what}`;
    for (const words of [`run --agent agent.yaml ${rehearsed} Hi`, `chat ${rehearsed}`, "agent show"])
      expect({ words, shown: await shownBy(words) }).toEqual({
        words,
        shown: expect.stringContaining(`agent.yaml:4:1: ${sentence}`),
      });
  },
);

test.each([
  ...permissionModes.map(([mode, what]) => [`permission_mode ${mode}: ${what}`, claudeBlock(mode)] as const),
  ...modes.map(([mode, what]) => [`mode ${mode}: ${what}`, `policy: { mode: ${mode} }\n`] as const),
])("before the folder is trusted, every command that uses the agent file says: %s", async (sentence, lines) => {
  write("", lines);
  const environment = { PATH: process.env.PATH ?? "", HOME: cwd };
  for (const words of ["agent validate", "agent show", "trust --show", ...ofAgent]) {
    const options = { cwd, environment, createRuntime, stdin: "Hi", hasTrust: true };
    const { stdout, stderr } = await runCli(words.split(" "), options);
    const shown = (stdout + stderr).replaceAll(/\s+/g, " ");
    expect({ words, shown }).toEqual({ words, shown: expect.stringContaining(sentence.slice(0, -1)) });
  }
});

test.each([
  ["a mode that asks", "policy: { mode: normal }\n", undefined, ofProject],
  ["no rules", "", undefined, ofProject],
  [
    "a mode that the person named",
    "policy: { mode: yolo }\n",
    undefined,
    ["run --mode normal Hi", "run --mode yolo Hi"],
  ],
  ["rules of the agent, which take precedence", "policy: { mode: yolo }\n", "policy: { mode: normal }\n", ofAgent],
] as const)("nothing is said about skipped questions with %s", async (_what, project, agent, commands) => {
  write(project, agent);
  for (const words of commands) {
    const shown = await shownBy(words);
    expect({ words, shown }).toEqual({
      words,
      shown: expect.not.stringMatching(/: mode \w+: \w+ tools? runs? without/),
    });
  }
});
