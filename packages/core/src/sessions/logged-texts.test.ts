import { createMemoryBackend } from "@bridle/conformance";
import { canonicalJson, type EventDraft, type EventLog, noUsage } from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { createMemoryEventLog } from "../event-log/memory-event-log.ts";
import { createRedactor } from "../redaction/redactor.ts";
import { createAgentRuntime } from "../runtime/runtime.ts";
import { sha256 } from "../system/hash.ts";

/** Has the form of a key, but is not a known credential, so the input of a call shows it. */
const key = `sk-proj-${"Ab3dEf6hIj9k".repeat(4)}`;
/** Known from a file of the project, so the input of a call shows it. */
const written = "tulip-meadow-9931";

const result = { stopReason: "natural", text: "", steps: 1, toolCalls: 1, toolFailures: 0, usage: noUsage } as const;

/** Writes a session of 1,200 events with a call whose input contains the credentials. */
async function writeSession(eventLog: EventLog): Promise<void> {
  const writer = await eventLog.openWriter({ sessionId: "s" });
  for (let turn = 1; turn <= 300; turn++) {
    const callId = `call_${turn}`;
    const input = turn === 150 ? { z: 1, header: key, body: written } : { turn };
    const drafts: EventDraft[] = [
      {
        type: "run.started",
        operation: "loop",
        backend: "memory",
        model: "m",
        tools: [],
        builtins: [],
        stepBudget: 1,
        policy: "p",
      },
      {
        type: "model.input",
        turn: 1,
        sha256: "h",
        artifact: "h",
        implicitSources: [],
        hostAdds: [],
        messages: [{ role: "user", content: [{ type: "text", text: `Question ${turn}?` }] }],
      },
      { type: "tool.requested", callId, tool: "t", input, inputHash: "h" },
      { type: "run.finished", result, durationMs: 1 },
    ];
    for (const draft of drafts) writer.append(`run_${turn}`, draft);
  }
  await writer.close();
}

/** Sends a prompt. Returns the stored text of the model's input, and the input of the host. */
async function takeTurn(eventLog: EventLog) {
  const backend = createMemoryBackend([{ steps: [{ say: "Well." }] }]);
  const runtime = createAgentRuntime({ backend, models: { default: "m" }, eventLog });
  const session = await runtime.openSession({ id: "s", tools: [], stepBudget: 2 });
  await (await session.send("And now?")).result;
  await session.close();
  const [input] = (await eventLog.read({ sessionId: "s" })).filter(({ type }) => type === "model.input").slice(-1);
  if (input?.type !== "model.input") throw new Error("No input was logged.");
  const stored = (await eventLog.artifact(input.artifact)) ?? "";
  return { input, stored, told: backend.sent.at(-1)?.messages ?? [] };
}

describe("the stored input of a model in a long session", () => {
  const secrets = [{ value: written, isWritten: true }];

  test("has no credential of a call's input, before a snapshot and with one", async () => {
    const eventLog = createMemoryEventLog({ redactor: createRedactor({ secrets }) });
    await writeSession(eventLog);
    for (const snapshots of [1, 1]) {
      const { input, stored, told } = await takeTurn(eventLog);
      expect(await eventLog.snapshots("s")).toHaveLength(snapshots);
      expect(JSON.stringify(told)).toContain(key);
      expect(stored).not.toContain(key);
      expect(stored).not.toContain(written);
      const { messages } = JSON.parse(stored);
      expect(messages).toHaveLength(told.length);
      const sent = stored.replace(canonicalJson(messages), () => canonicalJson(told));
      expect(input.sha256).toBe(sha256(sent));
      expect(input.artifact).toBe(sha256(stored));
    }
  });

  test("has the hash of its artifact if it contains no credential", async () => {
    const eventLog = createMemoryEventLog({ redactor: { text: (text) => text, value: (value) => value } });
    await writeSession(eventLog);
    for (let turn = 0; turn < 2; turn++) {
      const { input, stored, told } = await takeTurn(eventLog);
      expect(JSON.parse(stored).messages).toEqual(told);
      expect([input.sha256, input.artifact]).toEqual([sha256(stored), sha256(stored)]);
    }
  });
});
