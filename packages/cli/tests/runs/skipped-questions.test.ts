/** A mode that asks nobody is never taken from a file in silence. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRuntime } from "@bridle/project";
import { defineScript, type Rehearsal, startRehearsal } from "@bridle/rehearsal";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../../src/command-line/cli-for-tests.ts";

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
  expect({ words, code, stderr }).toMatchObject({ code: 0 });
  return (stdout + stderr).replaceAll(/\s+/g, " ");
}

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

test.each(modes)("the mode %s of an agent's file is shown by run, chat and agent show", async (mode, what) => {
  write("", `policy: { mode: ${mode} }\n`);
  for (const words of ofAgent) expect(await shownBy(words)).toContain(`agent.yaml:3:17: mode ${mode}: ${what}`);
});

test("the permission_mode acceptAll of an agent's file is shown by agent show", async () => {
  write(
    "",
    "model: { provider: claude-code, name: sonnet }\nclaude: { permission_mode: acceptAll, i_understand_this_is_unsafe: true }\n",
  );
  expect(await shownBy("agent show")).toContain(
    "agent.yaml:4:1: permission_mode acceptAll: every tool runs without a question.",
  );
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
