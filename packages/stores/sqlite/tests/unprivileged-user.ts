/** Tries to read and write an event log as a user without write permission, and prints the results. */
import { openStore } from "../src/open-store.ts";
import { begun } from "./drafts.ts";

const folder = process.argv[2] ?? "";

async function tryWriting(): Promise<string> {
  try {
    (await openStore({ folder }).openWriter({ runId: "b" })).append("b", begun);
    return "written";
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

async function tryReading(): Promise<readonly string[] | string> {
  try {
    const events = await openStore({ folder, readOnly: true }).read({ sessionId: "s" });
    return events.map(({ type }) => type);
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}

console.log(JSON.stringify({ write: await tryWriting(), read: await tryReading() }));
