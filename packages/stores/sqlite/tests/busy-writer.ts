/**
 * Writes one run after another into one session for some time, and waits while another process holds the session. Prints the number of
 * events that it has written.
 */
import { type EventWriter, isBridleError } from "@bridle/protocol";
import { openStore } from "../src/open-store.ts";
import { begun, delta, finished } from "./drafts.ts";

const [folder = "", sessionId = "", name = "", seconds = "", key = ""] = process.argv.slice(2);
const store = openStore({ folder, ownerKey: key === "" ? undefined : Buffer.from(key, "hex") });
const until = performance.now() + Number(seconds) * 1000;
let [written, runs] = [0, 0];

async function tryToOpen(): Promise<EventWriter | undefined> {
  try {
    return await store.openWriter({ sessionId });
  } catch (error) {
    if (!isBridleError(error) || error.code !== "store_busy") throw error;
    await new Promise((resolve) => setTimeout(resolve, 2));
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
    if (count % 13 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  writer.append(runId, finished);
  await writer.durable();
  await writer.close();
  runs += 1;
  written += 42;
  await new Promise((resolve) => setTimeout(resolve, 1));
}
await store.close();
console.log(written);
