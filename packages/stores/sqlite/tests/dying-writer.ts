/** Writes one run, and stops before the event with the given number to wait for SIGKILL. */
import { appendFileSync, writeSync } from "node:fs";
import { openStore } from "../src/open-store.ts";
import { script } from "./scripted-run.ts";

const [folder = "", effects = "", point = ""] = process.argv.slice(2);
const store = openStore({ folder });
let reached = 0;

function pass(): void {
  if (reached++ !== Number(point)) return;
  writeSync(1, "here\n");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

const writer = await store.openWriter({ sessionId: "session" });
for (const { draft, durable } of script) {
  pass();
  writer.append("run", draft);
  if (durable) await writer.durable();
  if (draft.type === "tool.started") appendFileSync(effects, `${draft.callId}\n`);
}
pass();
