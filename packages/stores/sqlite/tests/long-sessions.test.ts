import { createMemoryBackend } from "@bridle/conformance";
import { createAgentRuntime } from "@bridle/core";
import { buildHistory, type EventDraft, type EventLog } from "@bridle/protocol";
import { expect, test } from "vitest";
import { begun, finished } from "./drafts.ts";
import { openHere, temporaryFolder } from "./folders.ts";

const turns = 300;

async function writeTurns(store: EventLog): Promise<void> {
  const writer = await store.openWriter({ sessionId: "long" });
  for (let turn = 1; turn <= turns; turn++) {
    const callId = `call_${turn}`;
    const drafts: EventDraft[] = [
      begun,
      {
        type: "model.input",
        turn: 1,
        sha256: "h",
        artifact: "h",
        implicitSources: [],
        hostAdds: [],
        messages: [{ role: "user", content: [{ type: "text", text: `Question ${turn}?` }] }],
      },
      { type: "step.started", index: 1 },
      { type: "tool.requested", callId, tool: "t", input: { z: turn, a: 1 }, inputHash: "h" },
      { type: "tool.finished", callId, ok: true, durationMs: 1, output: `Result ${turn}` },
      finished,
    ];
    for (const draft of drafts) writer.append(`run_${turn}`, draft);
  }
  await writer.close();
}

/** Opens the session and sends a prompt. Returns the number of events that were read, and the messages that the host received. */
async function takeTurn(store: EventLog) {
  let read = 0;
  const counted: EventLog = {
    ...store,
    async read(query) {
      const events = await store.read(query);
      read += events.length;
      return events;
    },
  };
  const backend = createMemoryBackend([{ steps: [{ say: "Well." }] }]);
  const runtime = createAgentRuntime({ backend, models: { default: "m" }, eventLog: counted });
  const session = await runtime.openSession({ id: "long", tools: [], stepBudget: 2 });
  const before = buildHistory(await store.read({ sessionId: "long" }));
  expect(JSON.stringify(session.history())).toBe(JSON.stringify(before));
  await (await session.send("And now?")).result;
  await session.close();
  await runtime.close();
  const [input] = (await store.read({ sessionId: "long" })).filter(({ type }) => type === "model.input").slice(-1);
  return { read, told: backend.sent.at(-1)?.messages ?? [], before, input };
}

test("a long session is continued without reading its earlier events, with the same conversation", async () => {
  const store = openHere(temporaryFolder());
  await writeTurns(store);
  const first = await takeTurn(store);
  expect(first.read).toBeGreaterThan(turns * 6);
  expect(await store.snapshots("long")).toHaveLength(1);
  const second = await takeTurn(store);
  expect(second.read).toBeLessThan(20);
  expect(second.told.slice(0, -1)).toEqual(second.before);
  expect(second.told).toHaveLength(first.told.length + 2);
  if (second.input?.type !== "model.input") throw new Error("No input was logged.");
  const stored = JSON.parse((await store.artifact(second.input.artifact)) ?? "");
  expect(stored.messages).toEqual(second.told);
  expect(second.input.sha256).toBe(second.input.artifact);
});

test("snapshots of a session are written once for each thousand events", async () => {
  const store = openHere(temporaryFolder());
  await writeTurns(store);
  for (let turn = 0; turn < 5; turn++) await takeTurn(store);
  expect(await store.snapshots("long")).toHaveLength(1);
  await writeTurns(store);
  await takeTurn(store);
  const [first, second] = await store.snapshots("long");
  expect(second?.after).toBe(first?.seq);
});
