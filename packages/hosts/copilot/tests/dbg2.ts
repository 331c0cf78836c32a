import { createAgentRuntime, createMemoryEventLog } from "@bridle/core";
import { defineTool } from "@bridle/protocol";
import { z } from "zod";
import { startTestBackend } from "./support/test-backend.ts";
const malformed = process.argv[2] === "malformed"; const budget = Number(process.argv[3] ?? 3);
const steps = malformed ? [{ calls: [{ call: "look", with: '{"value": "a' }, { call: "look", with: { value: "b" } }] }, { say: "after" }] : [{ call: "look", with: { value: "a" } }, { say: "First." }];
const second = [{ status: 400, message: "prompt is too long: 250000 tokens > 200000 maximum" }, { say: "Fits." }];
const { backend, rehearsal, close } = await startTestBackend({ rehearsal: 1, turns: [{ when: { user: "Second" }, steps: second }, { steps }] } as never, { idleTimeoutMs: 4000 });
const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" }, eventLog: createMemoryEventLog() });
const look = defineTool({ name: "look", description: "d", input: z.object({ value: z.string() }), execute: async () => "x".repeat(3000) });
const session = await runtime.openSession({ tools: [look], stepBudget: budget });
const run1 = await session.send("First", { eventDetails: ["host-messages"] } as never);
for await (const e of run1) { if (malformed) { if (e.type === "host.message") { const r = (e as any).raw; if (/tool|assistant.message$/.test(r.type)) console.log("   host", r.type, JSON.stringify(r.data).slice(0, 300)); } else console.log(e.type, JSON.stringify(e).slice(0, 300)); } }
console.log((await run1.result).stopReason, (await run1.result).error);
if (!malformed) { const run = await session.send("Second");
for await (const e of run) console.log(e.type, JSON.stringify(e).slice(0, 300));
console.log((await run.result).error);
console.log(JSON.stringify(rehearsal.requests.map((r) => (r.body as any).input?.length)), rehearsal.failures); }
await runtime.close(); await close();
