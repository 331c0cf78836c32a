import { join } from "node:path";
import { createMemoryBackend } from "@bridle/conformance";
import { createAgentRuntime, createRedactor } from "@bridle/core";
import { buildHistory, defineTool } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createSqliteStore } from "../src/open-store.ts";
import { openForWriting } from "../src/owner/database.ts";
import { isGapless } from "./drafts.ts";
import { temporaryFolder } from "./folders.ts";

test("a disk that becomes full ends the run; when there is space again, the session continues and repeats no call", async () => {
  const folder = temporaryFolder();
  const database = openForWriting(folder, join(folder, "state.db"));
  const store = createSqliteStore(database, { folder, readOnly: false, redactor: createRedactor(), now: Date.now });
  onTestFinished(() => store.close());
  const effects: string[] = [];
  const pay = defineTool({
    name: "pay",
    description: "Pays.",
    input: z.object({}),
    maxResultChars: 200_000,
    async execute(_input, { callId }) {
      effects.push(callId);
      database.exec("PRAGMA max_page_count = 1"); // SQLite uses the current size of the file
      return `Paid. ${"It is long. ".repeat(10_000)}`;
    },
  });
  const backend = createMemoryBackend([
    { prompt: "First", steps: [{ calls: [{ tool: "pay", input: {} }] }, { say: "Never." }] },
    { prompt: "Second", steps: [{ say: "Went on." }] },
  ]);
  const runtime = createAgentRuntime({ backend, models: { default: "m" }, eventLog: store });
  onTestFinished(() => runtime.close());
  const session = await runtime.openSession({ id: "s", tools: [pay], stepBudget: 5 });

  const first = await (await session.send("First")).result;
  expect(first).toMatchObject({ stopReason: "error", error: { code: "store_full" } });
  expect(backend.sent).toHaveLength(1);
  database.exec("PRAGMA max_page_count = 100000");
  const second = await (await session.send("Second")).result;
  expect(second).toMatchObject({ stopReason: "natural", text: "Went on." });

  const events = await store.read({ sessionId: "s" });
  expect(isGapless(events)).toBe(true);
  const ends = events.filter((event) => event.type === "run.finished");
  expect(ends).toMatchObject([{ result: { error: { code: "store_full" } } }, { result: { stopReason: "natural" } }]);
  expect(effects).toHaveLength(1);
  const sent = JSON.stringify(backend.sent.at(-1)?.messages).slice(0, 1000);
  expect(sent).toContain("Paid. It is long."); // the result was written once there was space again
  expect(JSON.stringify(buildHistory(events))).toContain("Went on.");
});
