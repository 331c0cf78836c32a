/**
 * Writes one run after another into one session for some time, and waits while another process holds it. Prints the
 * number of events that it has written.
 */
import { isBridleError } from "@bridle/protocol";
import { openStore } from "../src/open-store.ts";
import { begun, delta, finished } from "./drafts.ts";

const [folder = "", sessionId = "", name = "", seconds = "", key = ""] = process.argv.slice(2);
const store = openStore({ folder, ownerKey: key === "" ? undefined : Buffer.from(key, "hex") });
const until = performance.now() + Number(seconds) * 1000;
let [written, runs] = [0, 0];

while (performance.now() < until) {
  const scope = { runId: `${name} ${runs}`, sessionId };
  try {
    store.append(scope, begun);
  } catch (error) {
    if (!isBridleError(error) || error.code !== "store_busy") throw error;
    await new Promise((resolve) => setTimeout(resolve, 2));
    continue;
  }
  for (let count = 0; count < 40; count++) {
    store.append(scope, delta(`${count} `));
    if (count % 13 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  store.append(scope, finished);
  runs += 1;
  written += 42;
  await new Promise((resolve) => setTimeout(resolve, 1));
}
store.close();
console.log(written);
