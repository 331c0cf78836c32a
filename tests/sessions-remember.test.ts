/** Checks what a new runtime reads about a session from the event log on disk. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryBackend } from "@bridle/conformance";
import { createAgentRuntime, createPolicy } from "@bridle/core";
import { type AgentSession, type Approver, defineTool, type EventLog, type SessionRequest } from "@bridle/protocol";
import { openStore } from "@bridle/store-sqlite";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";

const pay = defineTool({
  name: "pay",
  description: "Pays a bill.",
  input: z.object({ bill: z.string() }),
  execute: async ({ bill }) => `Paid «${bill}» ünïcødé 🐎`,
});
const model = [
  { prompt: "Wait", steps: [{ say: "One moment", stall: true }] },
  { steps: [{ say: "Paying.", calls: [{ tool: "pay", input: { bill: "A-1" } }] }, { say: "Paid." }] },
];
const request: SessionRequest = { id: "s", tools: [pay], stepBudget: 5, labels: { customer: "17" } };

async function folderOf(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "bridle-remember-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Opens the session in a new runtime with a new event log, and closes both. */
async function inProcess<T>(
  folder: string,
  use: (session: AgentSession, record: EventLog) => Promise<T>,
  approve?: Approver,
): Promise<T> {
  const record = openStore({ folder });
  const backend = createMemoryBackend(model);
  const policy = createPolicy();
  const runtime = createAgentRuntime({
    backend,
    models: { default: "m" },
    eventLog: record,
    policy,
    ...(approve && { approve }),
  });
  try {
    return await use(await runtime.openSession(request), record);
  } finally {
    await runtime.close();
    record.close();
  }
}

const send = async (session: AgentSession, prompt: string) => (await session.send(prompt)).result;

test("a session has its messages, results of tools and totals again after a restart", async () => {
  const folder = await folderOf();
  const before = await inProcess(
    folder,
    async (session) => {
      await send(session, "First");
      return { history: session.history(), totals: session.totals, steps: session.steps };
    },
    () => ({ decision: "allow" }),
  );
  const after = await inProcess(folder, async (session) => ({
    history: session.history(),
    totals: session.totals,
    steps: session.steps,
  }));
  expect(after).toEqual(before);
  expect(after.totals).toMatchObject({ runs: 1, steps: 2, toolCalls: 1 });
  expect(JSON.stringify(after.history)).toContain("Paid «A-1» ünïcødé 🐎");
});

test("an approval for a session is valid after a restart, and not in another session", async () => {
  const folder = await folderOf();
  let asked = 0;
  const once: Approver = () => {
    asked += 1;
    return { decision: "allow", scope: "session" };
  };
  await inProcess(folder, (session) => send(session, "First"), once);
  const again = await inProcess(folder, (session) => send(session, "Second"));
  expect(again).toMatchObject({ toolCalls: 1, toolFailures: 0 });
  expect(asked).toBe(1);
  const record = openStore({ folder });
  onTestFinished(() => record.close());
  const backend = createMemoryBackend(model);
  const runtime = createAgentRuntime({ backend, models: { default: "m" }, eventLog: record, policy: createPolicy() });
  onTestFinished(() => runtime.close());
  const other = await runtime.openSession({ ...request, id: "other" });
  expect(await send(other, "First")).toMatchObject({ toolCalls: 1, toolFailures: 1 });
});

test("the event log lists each session with its labels and its first prompt, without reading the rest", async () => {
  const folder = await folderOf();
  await inProcess(folder, async (session) => {
    await send(session, `First ${"x".repeat(500)}`);
    await (await session.send("Second", { labels: { urgent: "yes" } })).result;
  });
  const record = openStore({ folder, readOnly: true });
  onTestFinished(() => record.close());
  expect(await record.sessions()).toMatchObject([
    { sessionId: "s", runs: 2, labels: { customer: "17", urgent: "yes" }, firstPrompt: `First ${"x".repeat(194)}` },
  ]);
});

test("a session continues after a run that was stopped, even after a restart", async () => {
  const folder = await folderOf();
  await inProcess(folder, async (session) => {
    const run = await session.send("Wait");
    for await (const event of run) if (event.type === "text.completed") run.stop();
  });
  const { history, result } = await inProcess(folder, async (session) => {
    const told = session.history();
    return { history: told, result: await send(session, "Go on") };
  });
  expect(history).toEqual([
    { role: "user", content: [{ type: "text", text: "Wait" }] },
    { role: "assistant", content: [{ type: "text", text: "One moment" }] },
  ]);
  expect(result).toMatchObject({ stopReason: "natural", text: "Paid." });
});
