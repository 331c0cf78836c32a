import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createRedactor } from "@bridle/core";
import { type EventDraft, StoreFullError, StoreReadOnlyError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { openForWriting } from "../src/files/database.ts";
import { createSqliteStore } from "../src/open-store.ts";
import { begun, finished, notice } from "./drafts.ts";
import { openHere, temporaryFolder } from "./folders.ts";
import { startProgram } from "./programs.ts";

const scope = { runId: "a", sessionId: "s" };
const allow = { decision: "allow", inputHash: "h" } as const;

function question(approvalId: string): EventDraft {
  return {
    ...{ type: "approval.requested", approvalId, callId: approvalId, attempt: 1, tool: "t", input: { path: "x" } },
    ...{ inputHash: "h", builtin: false, rule: "default", everyTime: false },
  };
}

test("if several processes answer the same questions, each question accepts one answer", async () => {
  const folder = temporaryFolder();
  const store = openHere(folder);
  store.append(scope, begun);
  const ids = Array.from({ length: 150 }, (_, index) => `q${index}`);
  for (const id of ids) store.append(scope, question(id));
  const programs = ["allow", "deny"].map((decision) => startProgram("answering.ts", folder, decision));
  const ready = programs.map(({ child }) => new Promise((resolve) => child.stdout?.once("data", resolve)));
  await Promise.all(ready);
  writeFileSync(join(folder, "begin"), "");
  const taken = ids.map((id) => store.approvals.close(id));
  const outputs = await Promise.all(programs.map(({ output }) => output));
  const counts = outputs.map((output) => Number(output.trim().split("\n").at(-1)));
  const byOthers = taken.filter((answer) => answer !== undefined).length;
  expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(byOthers);
  for (const [index, id] of ids.entries()) expect(store.approvals.answerTo(id)).toEqual(taken[index]);
});

test("a question can be answered again if its owner closed it and died", () => {
  const folder = temporaryFolder();
  const [one, two] = [openHere(folder), openHere(folder)];
  one.append(scope, begun);
  one.append(scope, question("1"));
  one.approvals.close("1");
  expect(two.approvals.open()).toEqual([]);
  expect(two.approvals.answer("1", allow)).toMatchObject({ outcome: "settled" });
  one.close();
  expect(two.approvals.open()).toMatchObject([{ id: "1", alive: false }]);
  expect(two.approvals.answer("1", allow)).toMatchObject({ outcome: "stored" });
  two.claim("s");
  expect(two.approvals.takeOver("s")).toMatchObject([{ question: { approvalId: "1" }, answer: allow }]);
});

test("an answer fails with a StoreFullError on a full disk, and changes nothing", () => {
  const folder = temporaryFolder();
  const database = openForWriting(folder, join(folder, "state.db"));
  const store = createSqliteStore(database, { folder, readOnly: false, redactor: createRedactor(), now: Date.now });
  store.append(scope, begun);
  store.append(scope, question("1"));
  const pages = Number(database.prepare("PRAGMA page_count").get()?.page_count);
  database.exec(`PRAGMA max_page_count = ${pages}`);
  const answer = { ...allow, message: "x".repeat(100_000) };
  expect(() => store.approvals.answer("1", answer)).toThrow(StoreFullError);
  expect(store.approvals.open()).toHaveLength(1);
  database.exec("PRAGMA max_page_count = 100000");
  expect(store.approvals.answer("1", answer)).toMatchObject({ outcome: "delivered" });
  store.close();
});

test("a read-only event log lists its questions, and accepts no answer", () => {
  const folder = temporaryFolder();
  expect(openHere(folder, { readOnly: true }).approvals.open()).toEqual([]);
  const store = openHere(folder);
  store.append(scope, begun);
  store.append(scope, question("1"));
  const reader = openHere(folder, { readOnly: true });
  expect(reader.approvals.open()).toEqual(store.approvals.open());
  expect(reader.approvals.open()).toMatchObject([{ id: "1", alive: true }]);
  expect(() => reader.approvals.answer("1", allow)).toThrow(StoreReadOnlyError);
});

test("a read-only event log is empty while another process creates its tables", () => {
  const folder = temporaryFolder();
  mkdirSync(folder);
  writeFileSync(join(folder, "state.db"), "");
  const { approvals, sessions } = openHere(folder, { readOnly: true });
  expect({ open: approvals.open(), sessions: sessions() }).toEqual({ open: [], sessions: [] });
});

test("an event log of the first format lists its questions, and accepts answers once it is opened for writing", () => {
  const folder = temporaryFolder();
  const first = openHere(folder);
  first.append(scope, begun);
  first.append(scope, question("1"));
  first.append(scope, notice("n"));
  first.append(scope, finished);
  first.close();
  const database = new DatabaseSync(join(folder, "state.db"));
  database.exec(
    "DROP TABLE owner; DROP TABLE answers; DROP INDEX approval_events; DROP INDEX events_without_deltas; PRAGMA user_version = 1",
  );
  database.close();
  const reader = openHere(folder, { readOnly: true });
  expect(reader.approvals.open()).toMatchObject([{ id: "1", sessionId: "s", alive: false }]);
  expect(reader.approvals.answerTo("1")).toBeUndefined();
  reader.close();
  const store = openHere(folder);
  expect(store.events({ sessionId: "s" })).toHaveLength(4);
  expect(store.approvals.answer("1", allow)).toMatchObject({ outcome: "stored" });
  expect(openHere(folder).approvals.answerTo("1")).toEqual(allow);
});
