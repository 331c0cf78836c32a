/**
 * Writes one run after another into one session for some time, and waits while another process holds the session. Prints the number of
 * events that it has written.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type EventWriter, isBridleError } from "@bridle/protocol";
import { openPostgresEventLog } from "../src/index.ts";
import { begun, delta, finished } from "./log-drafts.ts";

const [url = "", schema = "", sessionId = "", name = "", seconds = ""] = process.argv.slice(2);
const eventLog = await openPostgresEventLog({ url, schema, maxConnections: 2 });
const until = performance.now() + Number(seconds) * 1000;
let [written, runs] = [0, 0];

async function tryToOpen(): Promise<EventWriter | undefined> {
  try {
    return await eventLog.openWriter({ sessionId });
  } catch (error) {
    if (!isBridleError(error) || error.code !== "store_busy") throw error;
    await sleep(2);
    return undefined;
  }
}

while (performance.now() < until) {
  const writer = await tryToOpen();
  if (writer === undefined) continue;
  const runId = `${name} ${runs}`;
  writer.append(runId, begun);
  for (let count = 0; count < 40; count++) {
    writer.append(runId, delta(`${count} `));
    if (count % 13 === 0) await nextTurn();
  }
  writer.append(runId, finished);
  await writer.durable();
  await writer.close();
  runs += 1;
  written += 42;
  await sleep(1);
}
await eventLog.close();
console.log(written);
