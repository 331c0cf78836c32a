/** Tests the `codex` block of an agent file on the real Codex, with a scripted model. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Approver } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { AgentFileError, openAgent } from "../../src/index.ts";
import { createAgentFixture } from "../agent-fixture.ts";
import { agentFolder, playAgent } from "../play-agent.ts";

const agentFile = (codex: object, more: object = {}) =>
  JSON.stringify({
    name: "editor",
    model: { provider: "codex", name: "gpt-6-sol" },
    instructions: { inline: "You edit." },
    codex,
    ...more,
  });
const add = (name: string) => ({
  call: "apply_patch",
  with_text: `*** Begin Patch\n*** Add File: ${name}\n+a\n*** End Patch`,
});
const script = (...steps: object[]) =>
  JSON.stringify({ rehearsal: 1, turns: [{ steps: [...steps, { say: "Done." }] }] });

test("a person is asked about each patch of an opened apply_patch, and only what is allowed within the step budget is applied", async () => {
  const folder = await agentFolder();
  const asked: string[] = [];
  const approve: Approver = async ({ tool, input }) => {
    const isDenied = JSON.stringify(input).includes("denied.txt");
    asked.push(`${tool} ${isDenied ? "deny" : "allow"}`);
    return { decision: isDenied ? "deny" : "allow" };
  };
  const more = {
    policy: {
      rules: [
        { tool: "apply_patch", when: { "files.path": "ruled" }, then: "deny" },
        { tool: "apply_patch", then: "ask" },
      ],
    },
    execution: { max_steps: 4 },
  };
  const codex = { builtins: ["apply_patch"], effort: "low", summary: "none", service_tier: "priority" };
  const names = ["allowed.txt", "denied.txt", "ruled.txt", "last.txt", "late.txt"];
  const files = { "agent.yaml": agentFile(codex, more), "script.yaml": script(...names.map(add)) };
  const { events, result } = await playAgent({ folder, files, approve });
  expect(asked).toEqual(["apply_patch allow", "apply_patch deny", "apply_patch allow"]);
  const ended = events.filter(({ type }) => type === "tool.finished" || type === "tool.denied");
  expect(ended.map(({ type }) => type)).toEqual(["tool.finished", "tool.denied", "tool.denied", "tool.finished"]);
  expect(result).toMatchObject({ stopReason: "budget", steps: 4 });
  const texts = names.map((name) => readFile(join(folder, name), "utf8").catch(({ code }) => code));
  expect(await Promise.all(texts)).toEqual(["a\n", "ENOENT", "ENOENT", "a\n", "ENOENT"]);
});

const head = "name: editor\ninstructions: { inline: You edit. }\n";
const onCodex = `${head}model: { provider: codex, name: gpt-6-sol }\n`;
const only = "Of Codex's own tools, only apply_patch can be opened, because Codex asks before each call.";

async function createFixture() {
  const fixture = await createAgentFixture();
  onTestFinished(() => fixture.close());
  return fixture;
}

test.each([
  [
    "builtins: [apply_patch, exec_command]",
    `4:34: codex.builtins.1 is exec_command, which stays closed: Codex does not ask before it types into a running command. ${only}`,
  ],
  ["builtins: [apply_pach]", `4:21: codex.builtins.0 cannot be opened. ${only} Did you mean "apply_patch"?`],
  ["efort: low", '4:10: unknown key "efort". Did you mean "effort"?'],
  [
    "effort: huge",
    '4:18: codex.effort is "huge", but must be one of none, minimal, low, medium, high, xhigh, max, ultra. Did you mean "high"?',
  ],
])("the block { %s } is an error with its position and the remedy", async (block, problem) => {
  const fixture = await createFixture();
  const failed = await fixture.load(`${onCodex}codex: { ${block} }\n`).catch((error: unknown) => error);
  if (!(failed instanceof AgentFileError)) throw failed;
  expect(failed.problems.map(({ message, position: { line, column } }) => `${line}:${column}: ${message}`)).toEqual([
    problem,
  ]);
});

test("the settings of the block are those of every run, and without rules its tool needs approval", async () => {
  const { load, folder: projectDir } = await createFixture();
  const settings = "effort: low, summary: none, service_tier: priority";
  const definition = await load(`${onCodex}codex: { builtins: [apply_patch, apply_patch], ${settings} }\n`);
  const agent = await openAgent(definition, { projectDir });
  expect(agent.request).toMatchObject({
    builtins: ["apply_patch"],
    hostSettings: { effort: "low", summary: "none", serviceTier: "priority" },
  });
  const annotations = { destructive: true };
  const call = { tool: "apply_patch", input: {}, annotations, builtin: true, callId: "call", runId: "run" };
  expect(await agent.request.policy?.evaluate(call, [])).toMatchObject({ decision: "ask" });
  await agent.close();
});

test("the block of another host is an error with its position, also beside the block of the agent's host", async () => {
  const { load, folder: projectDir } = await createFixture();
  const onClaude = `${head}model: { provider: claude-code, name: sonnet }\n`;
  const files = [`${onClaude}codex: {}\n`, `${onClaude}claude: {}\ncodex: {}\n`, `${onCodex}codex: {}\nclaude: {}\n`];
  const problems: unknown[] = [];
  for (const file of files) {
    const definition = await load(file);
    problems.push(await openAgent(definition, { projectDir }).catch((error: unknown) => error));
  }
  const codex =
    "The block codex is for Codex, and this agent runs on claude-code. Remove it, or choose the provider codex.";
  expect(problems).toMatchObject([
    { message: `agent.yaml:4:1: ${codex}` },
    { message: `agent.yaml:5:1: ${codex}` },
    { message: expect.stringContaining("agent.yaml:5:1: The block claude is for Claude Code") },
  ]);
});
