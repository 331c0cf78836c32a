/**
 * Sends for some time into sessions that other processes may use too. Prints the id of each run and the hash of its observed events. When a
 * session has become long, continues in the next session.
 */
import { sha256 } from "@bridle/core";
import { createRuntime, type RunEvent } from "bridle";
import { requestOf } from "./crash-tools.ts";

const [projectDir = "", shared = "", name = "", seconds = ""] = process.argv.slice(2);
const longest = 20;
const runtime = await createRuntime({ projectDir, eventLog: "project" });
const until = performance.now() + Number(seconds) * 1000;
let [part, sent] = [1, 0];

async function openPart() {
  const session = await runtime.openSession({ ...requestOf(projectDir), id: `${shared}-${part}` });
  if (session.totals.runs < longest) return session;
  part += 1;
  return openPart();
}

while (performance.now() < until) {
  const session = await openPart();
  sent += 1;
  const run = await session.send(`Go on, ${name} ${sent}.`);
  const events: RunEvent[] = [];
  for await (const event of run) events.push(event);
  const { stopReason, error } = await run.result;
  if (stopReason !== "natural") throw error ?? new Error(stopReason);
  console.log(run.id, sha256(JSON.stringify(events)));
}
await runtime.close();
