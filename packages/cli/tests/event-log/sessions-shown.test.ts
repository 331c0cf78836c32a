import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appendEvents, createMemoryBackend, type ScriptedModel } from "@bridle/conformance";
import { createAgentRuntime, forkSession } from "@bridle/core";
import { openStore, type Store } from "@bridle/store-sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCli, type TestOptions } from "../../src/command/cli-for-tests.ts";

const long = "A word after the other, until the line is longer than any terminal of sixty columns is wide.";
const model: ScriptedModel = [
  {
    steps: [
      { say: `${long}\n\n  - \u001b[31mone`, calls: [{ tool: "missing", input: { text: long } }] },
      { say: "So." },
    ],
  },
];

let cwd = "";
let record: Store;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "bridle-sessions-"));
  await mkdir(join(cwd, ".bridle"));
  record = openStore({ folder: join(cwd, ".bridle") });
});
afterEach(async () => {
  record.close();
  await rm(cwd, { recursive: true });
});

const bridle = (words: readonly string[], test: TestOptions = {}) =>
  runCli(words, { cwd, environment: { HOME: cwd, NO_COLOR: "1" }, model, ...test });

/** Stores a session of two runs, with labels and a long id, and a fork of the session. */
async function writeSessions(): Promise<void> {
  const runtime = createAgentRuntime({
    backend: createMemoryBackend(model),
    models: { default: "m" },
    eventLog: record,
  });
  const request = { tools: [], stepBudget: 3, labels: { customer: "forty-two" } };
  const session = await runtime.openSession({ ...request, id: "a-session-with-a-long-name-of-its-own" });
  for (const prompt of ["First", long]) await (await session.send(prompt)).result;
  forkSession(record, { from: session.id, atStep: 2, id: "fork" });
  await runtime.close();
}

test("the list shows the newest 50 sessions, and says if there are older ones; JSON has all", async () => {
  const origin = { type: "history.replaced", reason: "edited", messages: [] } as const;
  const write = (name: number) => appendEvents(record, { runId: `run ${name}`, sessionId: `s${name}` }, origin);
  for (let name = 1; name <= 50; name++) await write(name);
  const complete = await bridle(["sessions", "list"]);
  expect(complete.stdout.trimEnd().split("\n")).toHaveLength(50);
  expect(complete.stdout).not.toContain("older");
  await write(51);
  const newest = (await bridle(["sessions", "list"])).stdout.trimEnd().split("\n");
  expect(newest).toHaveLength(51);
  expect(newest[0]).toMatch(/^s51 /);
  expect(newest.at(-1)).toBe("There are older sessions. --last 1000 lists more, --json all.");
  expect(JSON.parse((await bridle(["sessions", "list", "--json"])).stdout).sessions).toHaveLength(51);
  expect((await bridle(["sessions", "list", "--last", "1000"])).stdout.trimEnd().split("\n")).toHaveLength(51);
});

test("the output about sessions fits the terminal, without control characters", async () => {
  await writeSessions();
  for (const words of [["list"], ["show", "a-session-with-a-long-name-of-its-own"], ["show", "fork"]]) {
    const { code, stdout } = await bridle(["sessions", ...words], { isTTY: true });
    expect(code).toBe(0);
    expect(stdout.split("\n").filter((line) => line.length > 60)).toEqual([]);
    expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
  }
});

test("a pipe gets each fact on one line, and a terminal without NO_COLOR gets colours", async () => {
  await writeSessions();
  const { stdout } = await bridle(["sessions", "list"]);
  expect(stdout.split("\n")).toHaveLength(4); // the fork has no prompt of its own
  expect(stdout).toMatch(/^fork {2}.*, 0 runs, forked from a-session-with-a-long-name-of-its-own\n/);
  expect(stdout).toContain("2 runs, memory m, customer=forty-two\n  First\n");
  expect((await bridle(["sessions", "list", "--last", "1"])).stdout.split("\n")).toHaveLength(2);
  const coloured = await bridle(["sessions", "list"], { isTTY: true, environment: { HOME: cwd } });
  expect(coloured.stdout).toContain("\u001b[1mfork");
});

test("a run of a session prints its session and the command to resume on a terminal, but not in a pipe", async () => {
  const run = (...words: string[]) => bridle(["run", "--session", "trip", ...words, "Hi"], { isTTY: true });
  const { stderr } = await run();
  expect(stderr).toMatch(/^Session trip, new\n/);
  expect(stderr).toMatch(/\nTo resume: bridle run --session trip …\n$/);
  expect((await run("--json")).stderr).toBe("");
  expect((await bridle(["run", "--session", "trip", "Hi"])).stderr).not.toMatch(/Session trip|To resume/);
  expect((await bridle(["run", "Hi"], { isTTY: true })).stderr).not.toMatch(/Session|To resume/);
});

test("a question of an ended run waits until it is answered, and the next run sends the answer to the model", async () => {
  const asked = { callId: "c", tool: "pay", input: { bill: "A-1" }, inputHash: "h" };
  const question = { approvalId: "a", attempt: 1, builtin: false, rule: "r", everyTime: false };
  const place = { runId: "run_1", sessionId: "s" };
  await appendEvents(record, place, { type: "tool.requested", ...asked });
  await appendEvents(record, place, { type: "approval.requested", ...asked, ...question });
  record.close(); // the run ends with its process
  const shown = async () => (await bridle(["sessions", "show", "s"])).stdout;
  record = openStore({ folder: join(cwd, ".bridle") });
  expect(await shown()).toMatch(/→ pay .*\n +… waits for an answer\n(?:.*\n)*Waits for an answer: pay/);
  await record.approvals.answer("a", { inputHash: "h", decision: "deny" });
  expect(await shown()).toMatch(/→ pay .*\n +… answered, but not sent to the model yet\n/);
  expect(await shown()).not.toContain("aits for an answer");
});

test("flags that cannot be combined with a session are refused", async () => {
  await writeFile(join(cwd, "s.json"), '{ "type": "object" }');
  const pairs = [
    ["--session", "s", "--continue"],
    ["--session", "s", "--ephemeral"],
    ["--session", "s", "--schema", "s.json"],
    ["--continue", "--ephemeral"],
    ["--continue", "--schema", "s.json"],
  ];
  for (const words of pairs) {
    const { code, stderr } = await bridle(["run", ...words, "Hi"]);
    expect({ words, code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be combined") });
  }
  expect((await bridle(["run", "--session", "a/b", "Hi"])).stderr).toContain("--session: expected 1 to 128");
});

test("every command reports a damaged event log, and leaves the file unchanged", async () => {
  record.close();
  const file = join(cwd, ".bridle/state.db");
  await writeFile(file, "not a record".repeat(1000));
  for (const words of [["list"], ["show", "s"], ["fork", "s"], ["rm", "s"], ["resume", "s", "Hi"]]) {
    const { code, stdout, stderr } = await bridle(["sessions", ...words]);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toContain("is damaged.");
  }
  expect(await readFile(file, "utf8")).toBe("not a record".repeat(1000));
});
