/** Writes as fast as it can until it is killed. */
import { writeSync } from "node:fs";
import { openStore } from "../src/open-store.ts";
import { begun, delta, notice } from "./drafts.ts";

const [folder = "", key = ""] = process.argv.slice(2);
const store = openStore({ folder, ownerKey: key === "" ? undefined : Buffer.from(key, "hex") });
const scope = { runId: "endless" };
store.append(scope, begun, { durable: true });
writeSync(1, "writing\n");
for (let count = 0; ; count++) {
  store.append(scope, delta(String(count)));
  if (count % 10 === 0) store.append(scope, notice("here"), { durable: count % 50 === 0 });
}
