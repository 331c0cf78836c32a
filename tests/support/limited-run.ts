/**
 * Starts a run in the given project folder that waits for used-up windows. Writes the file `ready`, and starts the run when the file
 * `begin` exists. Prints the events about limits, and how the run ended.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRuntime } from "bridle";

const [files = "", projectDir = "", name = "", maxWaitMs = ""] = process.argv.slice(2);
const runtime = await createRuntime({
  projectDir,
  eventLog: "project",
  limits: { onUsageLimit: "wait", maxWaitMs: Number(maxWaitMs) },
  onEvent: ({ type, time }) => type.startsWith("limit.") && console.log(type, time),
});
writeFileSync(join(files, `ready ${name}`), "");
while (!existsSync(join(files, "begin"))) await sleep(10);
const { stopReason, error } = await runtime.runAgentLoop({ prompt: "Hello", tools: [], stepBudget: 2 }).result;
console.log(error?.code ?? stopReason);
await runtime.close();
