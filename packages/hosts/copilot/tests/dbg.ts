import { createAgentRuntime } from "@bridle/core";
import { startTestBackend, toScript } from "./support/test-backend.ts";
import { echo, call } from "../../../conformance/src/tools-for-tests.ts";
const steps = process.argv[2] === "hang" ? [{ calls: [call("look", "a"), call("hide", "b")] }, { object: { name: "Bern", population: 4 } }] : [];
const { backend, rehearsal, close } = await startTestBackend(toScript([{ steps }] as never), { idleTimeoutMs: 4000 });
const runtime = createAgentRuntime({ backend, models: { default: "gpt-6-sol" } });
const run = runtime.runAgentLoop({ prompt: "go", tools: [echo("look")], stepBudget: 1, eventDetails: ["host-messages"] } as never);
for await (const e of run) { if (e.type === "host.message") { const r = (e as any).raw; if (!/hook|model\.|session.info/.test(r.type)) console.log("   host", r.type, JSON.stringify(r.data).slice(0, 300)); } else console.log(e.type, JSON.stringify(e).slice(0, 300)); }
console.log((await run.result).error);
await runtime.close(); await close();
