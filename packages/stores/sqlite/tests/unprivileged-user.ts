/** Prints what a user without write permission can do with an event log. */
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

function tryReading(): readonly string[] | string {
  try {
    return openStore({ folder, readOnly: true })
      .events({ sessionId: "s" })
      .map(({ type }) => type);
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

console.log(JSON.stringify({ write: tryWriting(), read: tryReading() }));
