/** Writes one run without waiting for anything, and ends in one of several ways. */
import { openStore } from "../src/open-store.ts";
import { begun, delta, finished, notice } from "./drafts.ts";

const [folder = "", end = ""] = process.argv.slice(2);
const store = openStore({ folder });
const writer = await store.openWriter({ runId: "a" });
const artifact = writer.putArtifact("the whole text");
writer.append("a", begun);
writer.append("a", { type: "tool.finished", callId: "1", ok: true, durationMs: 1, output: "cut", artifact });
for (let count = 0; count < 100; count++) writer.append("a", count % 2 ? delta("x") : notice("here"));
writer.append("a", finished);

if (end === "exits") process.exit(0);
if (end === "throws an error that nobody catches") throw new Error("on purpose");
// keeps the process alive, because it has nothing else to do
