/** Tests agents that call agents, from the command line: output, approvals, and the state after a crash. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sessionListSchema, sessionViewSchema } from "@bridle/app/sessions";
import { parseScript, type Rehearsal, startRehearsal } from "@bridle/rehearsal";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Command, createPlace, type Place, startCommand } from "../support/command.ts";

const script = `
rehearsal: 1
turns:
  - when: { system: You are boss., user: Stall }
    steps:
      - calls: [{ call: helper, with: { task: Say it. } }, { call: helper, with: { task: Stall. } }]
        usage: { input: 50, output: 1 }
      - say: Never said.
  - when: { system: You are boss., user: Go on }
    steps: [{ say: I do not know whether it worked. }]
  - when: { system: You are boss. }
    steps: [{ call: helper, with: { task: Erase it. } }, { say: "The helper says: {{ helper.result }}" }]
  - when: { system: You are helper., user: Say it }
    steps: [{ say: It is said., usage: { input: 100, output: 1 } }]
  - when: { system: You are helper., user: Stall }
    steps: [{ say: A moment., stall: true }]
  - when: { system: You are helper. }
    steps: [{ call: erase, usage: { input: 100, output: 1 } }, { say: It is gone., usage: { input: 200, output: 2 } }]
`;

const module = `export const erase = {
  name: "erase", description: "Erases.", annotations: { destructive: true },
  input: { jsonSchema: { type: "object", properties: {} }, problems: () => [] }, execute: async () => "erased",
};
`;

let place: Place;
let model: Rehearsal;
const started = new Set<Command>();
beforeEach(async () => {
  place = await createPlace();
  model = await startRehearsal({ script: parseScript(script) });
  const file = (name: string, tools: string, more = "") =>
    `name: ${name}\ndescription: Is ${name}.\ninstructions: { inline: You are ${name}. }\ntools: [${tools}]\n${more}`;
  const boss = file(
    "boss",
    "{ type: agent, name: helper, file: helper.yaml }",
    "policy: { rules: [{ tool: helper, then: allow }, { tool: erase, then: ask }] }\n",
  );
  const helper = file("helper", "{ type: function, name: erase, file: tools.mjs, function: erase }");
  const provider = `{ backend: anthropic, apiKey: "\${MODEL_KEY}", baseUrl: "${model.url}" }`;
  const files = {
    "boss.yaml": boss,
    "helper.yaml": helper,
    "tools.mjs": module,
    "bridle.yaml": `llm:\n  provider: ${provider}\n  models: { default: m }\n  prices: { m: { input: 10000, output: 0 } }\n`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(place.project, name), text);
});
afterEach(async () => {
  for (const { child } of started) child.kill("SIGKILL");
  started.clear();
  await model.close();
  await place.remove();
});

function start(...words: string[]): Command {
  const command = startCommand(words, place, { MODEL_KEY: "k" });
  started.add(command);
  return command;
}

async function bridle(...words: string[]): Promise<string> {
  const command = start(...words);
  const code = await command.ended;
  return `${code}: ${command.stdout()}${command.stderr()}`;
}

async function json(...words: string[]): Promise<unknown> {
  const command = start(...words, "--json");
  await command.ended;
  return JSON.parse(command.stdout());
}

/** Waits until a run asks. Resolves with the id of the question and with the list that contains it. */
async function readQuestion(run: Command): Promise<{ readonly id: string; readonly list: string }> {
  await run.shows("bridle approvals answer");
  const list = await bridle("approvals");
  return { id: /approval_\w+/.exec(list)?.[0] ?? "", list };
}
const listSessions = async () => sessionListSchema.parse(await json("sessions")).sessions;
const show = async (id: string) => sessionViewSchema.parse(await json("sessions", "show", id));

test("another process answers a nested agent's question, and both sessions name each other", async () => {
  const run = start("run", "--agent", "boss.yaml", "--session", "outer", "--approvals", "wait", "Do it");
  const { id } = await readQuestion(run);
  expect(await bridle("approvals", "answer", id, "allow")).toMatch(/^0: /);
  expect(await run.ended).toBe(0);
  expect(run.stdout()).toContain("The helper says: It is gone.");
  expect(run.stderr()).toMatch(/→ helper .*\n… helper: works in the session \S+\n(?:.*\n)*… helper: → erase/);
  const sessions = await listSessions();
  const nested = sessions.find(({ parentSession }) => parentSession === "outer");
  expect(nested).toMatchObject({ labels: { agent: "helper" } });
  const { entries, totals } = await show("outer");
  expect(entries.find(({ kind }) => kind === "tool")?.nested).toEqual([
    { run: expect.any(String), session: nested?.id },
  ]);
  expect(totals.nested).toMatchObject({ runs: 1, steps: 2, usage: { inputTokens: 300, outputTokens: 3 } });
  expect(await bridle("sessions")).toContain("called by outer");
  expect(await bridle("sessions", "show", "outer")).toContain(`see session ${nested?.id}`);
}, 120_000);

test("a question of a nested run is open no longer after its process was killed, because nothing continues that run", async () => {
  const run = start("run", "--agent", "boss.yaml", "--session", "outer", "--approvals", "wait", "Do it");
  const { id, list } = await readQuestion(run);
  expect(list).toMatch(/│ agent: helper\n[\s\S]*called by outer, which is waiting/);
  run.child.kill("SIGKILL");
  await run.ended;
  expect(await bridle("approvals", "answer", id, "allow")).toMatch(/^1: The question is settled already/);
  expect(await json("approvals")).toEqual({ approvals: [] });
  const nested = (await listSessions()).find(({ parentSession }) => parentSession === "outer");
  for (const session of ["outer", nested?.id ?? ""]) {
    const events = await bridle("events", session, "--json");
    expect(events).toMatch(/"type":"approval.decided"[^\n]*"source":"run-ended"[^\n]*\n[^\n]*"type":"run.finished"/);
  }
  expect(await bridle("run", "--agent", "boss.yaml", "--session", "outer", "Go on")).toContain("I do not know");
}, 120_000);

test("after its process was killed during a nested run, all runs have ended, and the session continues", async () => {
  const run = start("run", "--agent", "boss.yaml", "--session", "outer", "Stall");
  const nested = await vi.waitFor(async () => {
    const found = (await listSessions()).filter(({ parentSession }) => parentSession === "outer");
    expect(found).toHaveLength(2);
    return found;
  }, 30_000);
  run.child.kill("SIGKILL");
  await run.ended;
  const ends = (await Promise.all(nested.map(({ id }) => show(id)))).map(({ runs: [end] }) => end);
  const died = { stopReason: "error", error: expect.stringContaining("ended before the run did") };
  expect(ends.find((end) => end?.stopReason !== "natural")).toMatchObject(died);
  expect(ends.filter((end) => end?.stopReason === "natural")).toHaveLength(1);
  const { runs, totals, entries } = await show("outer");
  expect(runs).toMatchObject([died]);
  const [own, called] = [totals, totals.nested].map((sum) => [sum?.steps, sum?.usage.inputTokens, sum?.cost]);
  expect(own).toEqual([1, 50, { usd: 0.5, estimate: false, partial: true }]);
  expect(called).toEqual([1, 100, { usd: 1, estimate: false, partial: true }]); // the cost of the second run is not known
  expect(totals.nested?.runs).toBe(2);
  expect(entries.flatMap((entry) => (entry.kind === "tool" ? [entry.state] : []))).toEqual(["succeeded", "running"]);
  expect(await bridle("run", "--agent", "boss.yaml", "--session", "outer", "Go on")).toContain(
    "I do not know whether it worked.",
  );
  expect((await show("outer")).runs).toHaveLength(2);
}, 120_000);
