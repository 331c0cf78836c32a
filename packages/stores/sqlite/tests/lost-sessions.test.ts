import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createMemoryBackend } from "@bridle/conformance";
import { createAgentRuntime } from "@bridle/core";
import { type AgentSession, buildHistory, type EventLog } from "@bridle/protocol";
import { expect, test } from "vitest";
import { begun, finished, notice } from "./drafts.ts";
import { openHere, temporaryFolder } from "./folders.ts";

const request = { id: "s", tools: [], stepBudget: 2 } as const;

/** Opens a session. Its model stalls after the text "Half" if the prompt is "Wait". */
function openSession(eventLog: EventLog): Promise<AgentSession> {
  const backend = createMemoryBackend([
    { prompt: "Wait", steps: [{ say: "Half", stall: true }] },
    { prompt: "Hello", steps: [{ say: "Well." }] },
  ]);
  const own = { ...backend, account: "for lost sessions" }; // other tests may limit the account "memory" to one permit
  return createAgentRuntime({ backend: own, models: { default: "m" }, eventLog }).openSession(request);
}

/** Gives the session to another owner, as a process would that considers this one dead. */
function loseLease(folder: string): void {
  const database = new DatabaseSync(join(folder, "state.db"));
  database.exec("UPDATE leases SET token = 'other', pid = 4194304, start_time = 'never'");
  database.close();
}

/**
 * Loses the lease when a run begins, so that the rest of the run is not logged. At the same time, another process continues the session.
 */
async function loseRun(folder: string, store: EventLog, session: AgentSession): Promise<void> {
  const run = await session.send("Wait");
  for await (const { type } of run) {
    if (type === "run.started") await store.read({ sessionId: "s" }); // the event is in the file now
    if (type === "run.started") loseLease(folder);
    if (type === "text.completed") break;
  }
  const other = await openSession(openHere(folder));
  await (await other.send("Hello")).result;
  await other.close();
  run.stop();
  await run.result;
}

test("a session that lost its lease during a run continues with what the log has", async () => {
  const folder = temporaryFolder();
  const store = openHere(folder);
  const session = await openSession(store);
  await loseRun(folder, store, session);
  await (await session.send("Hello")).result;
  expect(session.history()).toEqual(buildHistory(await store.read({ sessionId: "s" })));
  const again = await openSession(store);
  expect([session.totals, session.steps]).toEqual([again.totals, again.steps]);
});

test("a run that lost its session is in no snapshot", async () => {
  const folder = temporaryFolder();
  const store = openHere(folder);
  const session = await openSession(store);
  await (await session.send("Hello")).result;
  const writer = await store.openWriter({ sessionId: "s" });
  writer.append("long", begun);
  for (let count = 0; count < 1000; count++) writer.append("long", notice("many"));
  writer.append("long", finished);
  await writer.close();
  await loseRun(folder, store, session);
  await session.close();
  const events = await store.read({ sessionId: "s" });
  expect((await openSession(store)).history()).toEqual(buildHistory(events));
  const snapshots = await store.snapshots("s");
  expect(snapshots).toHaveLength(1);
  for (const { seq, content } of snapshots) {
    const { newest } = JSON.parse(content.split("\n")[0] ?? "");
    expect(events[seq - 1]).toMatchObject(newest);
  }
});
