/** Tells what a user can do with a record who may only read its folder. */
import { openStore } from "../src/open-store.ts";
import { begun } from "./drafts.ts";

const folder = process.argv[2] ?? "";

function tryWriting(): string {
  try {
    openStore({ folder }).append({ runId: "b" }, begun);
    return "written";
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

const write = tryWriting();
const read = openStore({ folder, readOnly: true }).events({ sessionId: "s" });
console.log(JSON.stringify({ write, read: read.map(({ type }) => type) }));
