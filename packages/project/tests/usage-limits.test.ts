/** Tests used-up windows, from `bridle.yaml` to the end of a run and the status after the run. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { RunEvent } from "@bridle/protocol";
import { defineScript, type ScriptInput, startRehearsal } from "@bridle/rehearsal";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { runDoctor } from "../src/conveniences.ts";
import { type CreateRuntimeOptions, createRuntime } from "../src/operations.ts";
import { openProject } from "../src/project.ts";
import { createFolderTrust } from "../src/trust/folder-trust.ts";

let home = "";
let url = "";
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "bridle-limits-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const script: ScriptInput = {
    rehearsal: 1,
    turns: [{ steps: [{ limit: { resets_in_seconds: 3 } }, { say: "Hello." }] }],
  };
  const rehearsal = await startRehearsal({ script: defineScript(script) });
  onTestFinished(() => rehearsal.close());
  url = rehearsal.url;
});

/** Performs a run on a separate account, and returns its events. */
async function run(limits: string, options: CreateRuntimeOptions = {}) {
  const provider = `{ backend: anthropic, apiKey: "key of ${home}", baseUrl: "${url}" }`;
  await writeFile(join(home, "bridle.yaml"), `llm: { provider: ${provider}, limits: ${limits} }\n`);
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent) => void events.push(event);
  const runtime = await createRuntime({
    projectDir: home,
    environment: { HOME: home },
    onEvent,
    eventLog: "project",
    ...options,
  });
  const { result } = runtime.runAgentLoop({ prompt: "Hi", tools: [], stepBudget: 2 });
  return { result: await result.finally(() => runtime.close()), kinds: events.map(({ type }) => type) };
}

test("by default a run ends at a used-up window, and status and doctor show when it opens", async () => {
  const { result } = await run("{}");
  expect(result.error).toMatchObject({ code: "usage_limit", resetsAt: expect.any(Date) });
  const status = await (await openProject({ environment: { HOME: home }, cwd: home })).status();
  expect(status.limits.usedUp).toEqual({ window: expect.any(String), resetsAt: expect.any(String) });
  const checks = await runDoctor({ environment: { HOME: home } }, home);
  const check = checks.find(({ id }) => id === "limits");
  expect(check).toMatchObject({ ok: true, detail: expect.stringContaining(`until ${status.limits.usedUp?.resetsAt}`) });
  expect(check?.remedy).toContain("llm.limits.onUsageLimit: wait");
});

test("a window that another process used up is in the status only of a project that is trusted", async () => {
  await run("{}");
  const environment = { HOME: home };
  const untrusted = await openProject({ environment, cwd: home, trust: createFolderTrust({ environment }) });
  expect((await untrusted.status()).limits.usedUp).toBeNull();
  const check = (await untrusted.doctor()).find(({ id }) => id === "limits");
  expect(check?.detail).toContain("not trusted");
});

test("status shows no used-up window, and doctor says why, if the event log cannot be read", async () => {
  await run("{}");
  await writeFile(join(home, ".bridle", "state.db"), "no database ".repeat(500));
  const project = await openProject({ environment: { HOME: home }, cwd: home });
  expect((await project.status()).limits.usedUp).toBeNull();
  const check = (await project.doctor()).find(({ id }) => id === "limits");
  expect(check).toMatchObject({ ok: "skipped", detail: "The event log cannot be read." });
});

test("a run waits for a used-up window if the file says so, and continues when the window opens", async () => {
  const { result, kinds } = await run("{ onUsageLimit: wait }");
  expect(result).toMatchObject({ stopReason: "natural", text: "Hello." });
  expect(kinds).toEqual(expect.arrayContaining(["limit.waiting", "limit.cleared"]));
});

test("an unattended run waits by default; the file overrides that, and an option overrides the file", async () => {
  expect((await run("{}", { unattended: true })).kinds).toContain("limit.waiting");
  const settings = async (options: CreateRuntimeOptions) =>
    (await openProject({ projectDir: home, environment: {}, ...options })).settings;
  await writeFile(join(home, "bridle.yaml"), "llm: { limits: { onUsageLimit: fail, maxWaitMs: 9 } }");
  expect((await settings({ unattended: true })).limits).toEqual({ onUsageLimit: "fail", maxWaitMs: 9 });
  const given = await settings({ unattended: true, limits: { onUsageLimit: "wait" } });
  expect(given.limits).toEqual({ onUsageLimit: "wait", maxWaitMs: 9 });
});

test("a rehearsed limit is stored for no account", async () => {
  const script = join(home, "script.yaml");
  await writeFile(script, "rehearsal: 1\nturns: [{ steps: [{ limit: { resets_in_seconds: 60 } }] }]\n");
  expect((await run("{}", { rehearse: script })).result.error).toMatchObject({ code: "usage_limit" });
  const database = new DatabaseSync(join(home, ".bridle", "state.db"));
  onTestFinished(() => database.close());
  expect(database.prepare("SELECT * FROM limits").all()).toEqual([]);
});
