/** Writes as fast as it can until it is killed. */
import { writeSync } from "node:fs";
import { openStore } from "../src/open-store.ts";
import { begun, delta, notice } from "./drafts.ts";

const [folder = "", key = ""] = process.argv.slice(2);
const store = openStore({ folder, ownerKey: key === "" ? undefined : Buffer.from(key, "hex") });
const writer = await store.openWriter({ runId: "endless" });
writer.append("endless", begun);
await writer.durable();
writeSync(1, "writing\n");
for (let count = 0; ; count++) {
  writer.append("endless", delta(String(count)));
  if (count % 10 === 0) writer.append("endless", notice("here"));
  if (count % 50 === 0) await writer.durable();
}
