import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { appendEvents } from "@bridle/conformance";
import { createRedactor } from "@bridle/core";
import { type EventDraft, StoreFullError, StoreReadOnlyError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { createSqliteStore } from "../src/open-store.ts";
import { openForWriting } from "../src/owner/database.ts";
import { begun, finished, notice } from "./drafts.ts";
import { downgrade, openHere, temporaryFolder } from "./folders.ts";
import { startProgram } from "./programs.ts";

const scope = { runId: "a", sessionId: "s" };
const allow = { decision: "allow", inputHash: "h" } as const;

function question(approvalId: string): EventDraft {
  return {
    type: "approval.requested",
    approvalId,
    callId: approvalId,
    attempt: 1,
    tool: "t",
    input: { path: "x" },
    inputHash: "h",
    builtin: false,
    rule: "default",
    everyTime: false,
  };
}

test("if several processes answer the same questions, each question accepts one answer", async () => {
  const folder = temporaryFolder();
  const store = openHere(folder);
  await appendEvents(store, scope, begun);
  const ids = Array.from({ length: 150 }, (_, index) => `q${index}`);
  await appendEvents(store, scope, ...ids.map(question));
  const programs = ["allow", "deny"].map((decision) => startProgram("answering.ts", folder, decision));
  const ready = programs.map(({ child }) => new Promise((resolve) => child.stdout?.once("data", resolve)));
  await Promise.all(ready);
  writeFileSync(join(folder, "begin"), "");
  const taken = [];
  for (const id of ids) taken.push(await store.approvals.close(id));
  const outputs = await Promise.all(programs.map(({ output }) => output));
  const counts = outputs.map((output) => Number(output.trim().split("\n").at(-1)));
  const byOthers = taken.filter((answer) => answer !== undefined).length;
  expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(byOthers);
  for (const [index, id] of ids.entries()) expect(await store.approvals.answerTo(id)).toEqual(taken[index]);
});

test("a question can be answered again if its owner closed it and died", async () => {
  const folder = temporaryFolder();
  const [one, two] = [openHere(folder), openHere(folder)];
  await appendEvents(one, scope, begun);
  await appendEvents(one, scope, question("1"));
  await one.approvals.close("1");
  expect(await two.approvals.open()).toEqual([]);
  expect(await two.approvals.answer("1", allow)).toMatchObject({ outcome: "settled" });
  await one.close();
  expect(await two.approvals.open()).toMatchObject([{ id: "1", alive: false }]);
  expect(await two.approvals.answer("1", allow)).toMatchObject({ outcome: "stored" });
  await two.openWriter({ sessionId: "s" });
  expect(await two.approvals.takeOver("s")).toMatchObject([{ question: { approvalId: "1" }, answer: allow }]);
});

test("an answer fails with a StoreFullError on a full disk, and changes nothing", async () => {
  const folder = temporaryFolder();
  const database = openForWriting(folder, join(folder, "state.db"));
  const store = createSqliteStore(database, { folder, readOnly: false, redactor: createRedactor(), now: Date.now });
  await appendEvents(store, scope, begun);
  await appendEvents(store, scope, question("1"));
  const pages = Number(database.prepare("PRAGMA page_count").get()?.page_count);
  database.exec(`PRAGMA max_page_count = ${pages}`);
  const answer = { ...allow, message: "x".repeat(100_000) };
  await expect(store.approvals.answer("1", answer)).rejects.toThrow(StoreFullError);
  expect(await store.approvals.open()).toHaveLength(1);
  database.exec("PRAGMA max_page_count = 100000");
  expect(await store.approvals.answer("1", answer)).toMatchObject({ outcome: "pending" });
  await store.close();
});

test("an answer fails if the outcome of its question cannot be written, and is refused once it is", async () => {
  const folder = temporaryFolder();
  const database = openForWriting(folder, join(folder, "state.db"));
  const store = createSqliteStore(database, { folder, readOnly: false, redactor: createRedactor(), now: Date.now });
  const writer = await store.openWriter({ sessionId: "s" });
  for (const draft of [begun, question("1")]) writer.append("a", draft);
  await writer.durable();
  const pages = Number(database.prepare("PRAGMA page_count").get()?.page_count);
  database.exec(`PRAGMA max_page_count = ${pages}`);
  writer.append("a", {
    type: "approval.decided",
    approvalId: "1",
    callId: "1",
    decision: "deny",
    source: "timeout",
    scope: "once",
    message: "x".repeat(100_000),
  });
  await expect(store.approvals.answer("1", allow)).rejects.toThrow(StoreFullError);
  database.exec("PRAGMA max_page_count = 100000");
  expect(await store.approvals.answer("1", allow)).toMatchObject({ outcome: "settled" });
  await store.close();
});

test("a read-only event log lists its questions, and accepts no answer", async () => {
  const folder = temporaryFolder();
  expect(await openHere(folder, { readOnly: true }).approvals.open()).toEqual([]);
  const store = openHere(folder);
  await appendEvents(store, scope, begun);
  await appendEvents(store, scope, question("1"));
  const reader = openHere(folder, { readOnly: true });
  expect(await reader.approvals.open()).toEqual(await store.approvals.open());
  expect(await reader.approvals.open()).toMatchObject([{ id: "1", alive: true }]);
  await expect(reader.approvals.answer("1", allow)).rejects.toThrow(StoreReadOnlyError);
});

test("a read-only event log is empty while another process creates its tables", async () => {
  const folder = temporaryFolder();
  mkdirSync(folder);
  writeFileSync(join(folder, "state.db"), "");
  const { approvals, sessions } = openHere(folder, { readOnly: true });
  expect({ open: await approvals.open(), sessions: await sessions() }).toEqual({ open: [], sessions: [] });
});

test("an event log of the first format lists its questions, and accepts answers once it is opened for writing", async () => {
  const folder = temporaryFolder();
  const first = openHere(folder);
  await appendEvents(first, scope, begun);
  await appendEvents(first, scope, question("1"));
  await appendEvents(first, scope, notice("n"));
  await appendEvents(first, scope, finished);
  await first.close();
  downgrade(folder, 1);
  const reader = openHere(folder, { readOnly: true });
  expect(await reader.approvals.open()).toMatchObject([{ id: "1", sessionId: "s", alive: false }]);
  expect(await reader.approvals.answerTo("1")).toBeUndefined();
  await reader.close();
  const store = openHere(folder);
  expect(await store.read({ sessionId: "s" })).toHaveLength(4);
  expect(await store.approvals.answer("1", allow)).toMatchObject({ outcome: "stored" });
  expect(await openHere(folder).approvals.answerTo("1")).toEqual(allow);
});
