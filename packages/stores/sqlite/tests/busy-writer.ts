/**
 * Writes one run after another into one session for some time, and waits while somebody else has it. Prints how many
 * events it has written.
 */
import { isBridleError } from "@bridle/protocol";
import { openStore } from "../src/open-store.ts";
import { begun, delta, finished } from "./drafts.ts";

const [folder = "", sessionId = "", name = "", seconds = ""] = process.argv.slice(2);
const store = openStore({ folder });
const until = performance.now() + Number(seconds) * 1000;
let [written, runs] = [0, 0];

while (performance.now() < until) {
  const place = { runId: `${name} ${runs}`, sessionId };
  try {
    store.append(place, begun);
  } catch (error) {
    if (!isBridleError(error) || error.code !== "store_busy") throw error;
    await new Promise((resolve) => setTimeout(resolve, 2));
    continue;
  }
  for (let count = 0; count < 40; count++) {
    store.append(place, delta(`${count} `));
    if (count % 13 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  store.append(place, finished);
  runs += 1;
  written += 42;
  await new Promise((resolve) => setTimeout(resolve, 1));
}
store.close();
console.log(written);
