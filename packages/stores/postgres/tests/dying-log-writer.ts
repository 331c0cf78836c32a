/**
 * Writes a run with an effect, and stops before the event with the given number to wait for SIGKILL. At that point, only
 * durable events are sure to be in the log.
 */
import { appendFileSync, writeSync } from "node:fs";
import { openPostgresEventLog } from "../src/index.ts";
import { effectScript } from "./effect-script.ts";

const [url = "", schema = "", leaseMs = "", effects = "", point = ""] = process.argv.slice(2);
const eventLog = await openPostgresEventLog({ url, schema, leaseMs: Number(leaseMs) });
let reached = 0;

function pass(): void {
  if (reached++ !== Number(point)) return;
  writeSync(1, "here\n");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

const writer = await eventLog.openWriter({ sessionId: "session" });
for (const { draft, durable } of effectScript) {
  pass();
  writer.append("run", draft);
  if (durable) await writer.durable();
  if (draft.type === "tool.started") appendFileSync(effects, `${draft.callId}\n`);
}
pass();
