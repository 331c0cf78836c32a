/** Begins a run, and ends it after a message on standard input that reports that the beginning was seen. */
import { once } from "node:events";
import { openStore } from "../src/open-store.ts";
import { begun, delta, finished, notice } from "./drafts.ts";

const [folder = ""] = process.argv.slice(2);
const store = openStore({ folder });
const writer = await store.openWriter({ runId: "a" });
for (const draft of [begun, notice("here"), delta("x")]) writer.append("a", draft);
await once(process.stdin, "data");
writer.append("a", finished);
await store.close();
process.exit();
