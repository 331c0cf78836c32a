import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadAgent, openAgent, openAgentProject } from "@bridle/agent";
import { createMemoryEventLog } from "@bridle/core";
import type { RunEvent } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { sideEffectsOptions } from "../src/checks/side-effects.ts";

const module = `
const tool = (annotations) => Object.assign(async () => "done", { description: "Does it.", annotations });
export const refund = tool({ destructive: true });
export const mail = tool({ openWorld: true, destructive: false });
export const unknown = tool(undefined);
export const look = tool({ readOnly: true });
`;

const functions = ["refund", "mail", "look", "unknown"]
  .map((name) => `  - { type: function, name: ${name}, file: tools.js, function: ${name}, parameters: {} }\n`)
  .join("");
const calls =
  "[{ call: refund, with: {} }, { call: mail, with: {} }, { call: look, with: {} }, { call: unknown, with: {} }]";
const onApi = { agent: `model: { provider: anthropic, name: some-model, api_key: none }\ntools:\n${functions}`, calls };
const onHost = {
  agent:
    "model: { provider: claude-code, name: sonnet }\nclaude: { bash: { enabled: true }, file_system: { read: true } }\n",
  calls: '[{ call: Bash, with: { command: "echo hello", description: Says } }]',
};

interface Played {
  readonly agent: string;
  readonly calls: string;
  readonly project?: string;
  readonly allowSideEffects?: boolean;
  /** The agent file of the tool `helper`, whose model makes the calls. */
  readonly helper?: string;
}

/** Returns the rules that applied to the calls of a run and its nested runs, by tool. A `+` marks rules that allowed. */
async function rulesOf({ agent, calls, project = "", allowSideEffects = false, helper }: Played) {
  const folder = await mkdtemp(join(tmpdir(), "bridle-side-effects-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  await write("tools.js", module);
  await write("bridle.yaml", project);
  await write("agent.yaml", `name: desk\ninstructions: { inline: Be kind. }\n${agent}`);
  if (helper)
    await write("helper.yaml", `name: helper\ndescription: Helps.\ninstructions: { inline: Help. }\n${helper}`);
  const calling = "{ when: { system: Be kind. }, steps: [{ call: helper, with: { task: a } }, { say: Done. }] }, ";
  const turns = `${helper ? calling : ""}{ steps: [{ calls: ${calls} }, { say: Done. }] }`;
  await write("script.yaml", `rehearsal: 1\nturns: [${turns}]\n`);
  const environment = { PATH: process.env.PATH, HOME: folder, TMPDIR: tmpdir() };
  const definition = await loadAgent("agent.yaml", { cwd: folder, environment });
  const eventLog = createMemoryEventLog();
  const options = { projectDir: folder, rehearse: join(folder, "script.yaml"), eventLog };
  const { settings } = await openAgentProject(definition, options);
  const opened = await openAgent(definition, {
    ...options,
    ...sideEffectsOptions({ definition, settings, allowSideEffects }),
  });
  try {
    const run = opened.run("go");
    const tools = new Map<string, string>();
    const decided: Record<string, string> = {};
    const events: RunEvent[] = [];
    for await (const event of run) {
      events.push(event);
      if (event.type === "nested.finished") events.push(...(await eventLog.read({ runId: event.nestedRunId })));
    }
    for (const event of events) {
      if (event.type === "tool.requested") tools.set(event.callId, event.tool);
      if (event.type === "tool.evaluated") {
        decided[tools.get(event.callId) ?? ""] = `${event.decision === "allow" ? "+" : ""}${event.rule}`;
      }
    }
    expect((await run.result).error?.message).toBeUndefined();
    return decided;
  } finally {
    await opened.close();
  }
}

test("without rules, destructive tools and tools without annotations are denied, and other tools run", async () => {
  expect(await rulesOf(onApi)).toEqual({
    refund: "side-effects",
    unknown: "side-effects",
    mail: "+allow-all",
    look: "+allow-all",
  });
  expect(await rulesOf({ ...onApi, allowSideEffects: true })).toMatchObject({ refund: expect.stringMatching(/^\+/) });
});

test("no rule lifts the denial of destructive tools, and the denial replaces no question of the project", async () => {
  const allowing = `${onApi.agent}policy: { rules: [{ tool: refund, then: allow }, { tool: mail, then: allow }] }\n`;
  expect(await rulesOf({ ...onApi, agent: allowing })).toMatchObject({
    refund: "side-effects",
    mail: "+rules[1] mail",
  });
  expect(await rulesOf({ ...onApi, project: "policy: { mode: normal }\n" })).toEqual({
    refund: "side-effects",
    mail: "annotation:openWorld",
    look: "+annotation:readOnly",
    unknown: "side-effects",
  });
});

test("if side effects are allowed, calls run that are only held back because of their effects", async () => {
  const allowed = { ...onApi, allowSideEffects: true };
  for (const mode of ["normal", "auto", "manual"]) {
    expect({ mode, ...(await rulesOf({ ...allowed, project: `policy: { mode: ${mode} }\n` })) }).toMatchObject({
      refund: "+side-effects",
      unknown: "+side-effects",
      look: expect.stringMatching(/^\+/),
    });
  }
  const own = `${onApi.agent}policy: { mode: normal }\n`;
  expect(await rulesOf({ ...allowed, agent: own })).toMatchObject({ refund: "+side-effects", mail: "+side-effects" });
  const rules = `${onApi.agent}policy: { rules: [{ tool: refund, then: allow }] }\n`;
  expect(await rulesOf({ ...allowed, agent: rules })).toMatchObject({ refund: "+rules[0] refund" });
});

test.each<[what: string, policy: string, decision: string]>([
  ["a rule that denies the tool", "rules: [{ tool: refund, then: deny }]", "rules[0] refund"],
  ["a rule that asks about the tool by name", "rules: [{ tool: refund, then: ask }]", "rules[0] refund"],
  ["the mode ask", "mode: ask", "mode:ask"],
  ["the mode read-only", "mode: read-only", "mode:read-only"],
  ["a denial of destructive tools", "annotations: { destructive: deny }", "annotation:destructive"],
])(
  "if side effects are allowed, %s still denies, in the agent file and in bridle.yaml",
  async (_what, policy, decision) => {
    const allowed = { ...onApi, allowSideEffects: true };
    expect(await rulesOf({ ...allowed, agent: `${onApi.agent}policy: { ${policy} }\n` })).toMatchObject({
      refund: decision,
    });
    expect(await rulesOf({ ...allowed, project: `policy: { ${policy} }\n` })).toMatchObject({ refund: decision });
  },
);

test("destructive tools of Claude Code need consent, also with permission_mode manual", async () => {
  expect(await rulesOf(onHost)).toEqual({ Bash: "side-effects" });
  expect(await rulesOf({ ...onHost, allowSideEffects: true })).toEqual({ Bash: "+mode:yolo" });
  const manual = onHost.agent.replace("claude: {", "claude: { permission_mode: manual,");
  expect(await rulesOf({ ...onHost, agent: manual })).toEqual({ Bash: "side-effects" });
  expect(await rulesOf({ ...onHost, agent: manual, allowSideEffects: true })).toEqual({ Bash: "+side-effects" });
});

test("if side effects are allowed, the rules of a nested agent decide about its calls, and rules above it do not lift them", async () => {
  const boss = `model: { provider: anthropic, name: some-model, api_key: none }\ntools: [{ type: agent, name: helper, file: helper.yaml }]\n`;
  const decided = (policy: string, allowSideEffects = true) =>
    rulesOf({ agent: boss, helper: `${onApi.agent}${policy}`, calls, allowSideEffects });
  expect(await decided("policy: { mode: read-only }\n")).toMatchObject({
    refund: "mode:read-only",
    mail: "mode:read-only",
    look: expect.stringMatching(/^\+/),
  });
  expect(await decided("policy: { mode: normal }\n")).toMatchObject({ refund: expect.stringMatching(/^\+/) });
  expect(await decided("")).toMatchObject({ refund: expect.stringMatching(/^\+/) });
  expect(await decided("", false)).toEqual({ helper: "side-effects" });
});
