import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { appendEvents, storeArtifacts } from "@bridle/conformance";
import { StoreBusyError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { begun, delta, finished, notice } from "./drafts.ts";
import { openHere, temporaryFolder } from "./folders.ts";

const session = { sessionId: "s" };
const first = { runId: "a", ...session };

test("a second writer of a session gets an error that names the holder, until the first is closed and its run has ended", async () => {
  const folder = temporaryFolder();
  const [one, two] = [openHere(folder), openHere(folder)];
  const writer = await one.openWriter(session);
  writer.append("a", begun);
  await expect(two.openWriter(session)).rejects.toThrow(StoreBusyError);
  await expect(two.openWriter(session)).rejects.toThrow(
    "The session s is in use by another runtime of this process. Wait until its run has ended, or use another.",
  );
  await expect(two.openWriter(session)).rejects.toMatchObject({ holder: "another runtime of this process" });
  await expect(two.removeSession("s")).rejects.toThrow(StoreBusyError);
  expect(await appendEvents(two, { runId: "c", sessionId: "other" }, begun)).toMatchObject([{ seq: 1 }]);
  await writer.close();
  await expect(two.openWriter(session)).rejects.toThrow(StoreBusyError); // the run a has not ended
  await appendEvents(one, first, finished);
  const next = await two.openWriter(session);
  expect(next.append("b", begun).seq).toBe(3);
  await expect(appendEvents(one, first, notice("late"))).rejects.toThrow(StoreBusyError);
  next.append("b", finished);
  await next.close();
  expect(await appendEvents(one, first, notice("late"))).toMatchObject([{ seq: 5 }]);
});

test("a stream has one writer in a store, too, and closing a writer twice releases the stream once", async () => {
  const folder = temporaryFolder();
  const [one, two] = [openHere(folder), openHere(folder)];
  const writer = await one.openWriter(session);
  await expect(one.openWriter(session)).rejects.toThrow(StoreBusyError);
  await writer.close();
  const next = await two.openWriter(session);
  await writer.close();
  await expect(one.openWriter(session)).rejects.toThrow(StoreBusyError);
  expect(next.append("b", begun).seq).toBe(1);
  await next.durable();
  expect(await one.sessions()).toHaveLength(1);
});

test("an event log that is opened again ends the runs of a closed one, in the same process too", async () => {
  const folder = temporaryFolder();
  const one = openHere(folder);
  await appendEvents(one, first, begun, delta("half of a sen"));
  await one.close();
  const events = await openHere(folder).read({ runId: "a" });
  expect(events.map(({ type }) => type)).toEqual(["run.started", "text.delta", "run.finished"]);
  expect(events[2]).toMatchObject({ result: { text: "half of a sen", error: { code: "process_died" } } });
});

test("events are in the file soon, and at once if somebody waits for them", async () => {
  const folder = temporaryFolder();
  const [one, two] = [openHere(folder), openHere(folder, { readOnly: true })];
  const count = async () => (await two.read({ runId: "a" })).length;
  const writer = await one.openWriter({ runId: "a" });
  writer.append("a", begun);
  for (const text of ["x", "y"]) writer.append("a", delta(text));
  expect(await count()).toBe(0);
  await writer.durable();
  expect(await count()).toBe(3);
  writer.append("a", delta("z"));
  await expect.poll(count).toBe(4);
  writer.append("a", notice("now"));
  await expect.poll(count).toBe(5);
  writer.append("a", notice("last"));
  await writer.close();
  expect(await count()).toBe(6);
});

test("many events are in the file before somebody waits for them", async () => {
  const folder = temporaryFolder();
  const [one, two] = [openHere(folder), openHere(folder, { readOnly: true })];
  const writer = await one.openWriter({ runId: "a" });
  for (let count = 0; count < 5000; count++) writer.append("a", notice("many"));
  expect((await two.read({ runId: "a" })).length).toBeGreaterThan(4000);
});

test("events of many sessions that are appended at the same time are all written, each session in its order", async () => {
  const folder = temporaryFolder();
  const [one, two] = [openHere(folder), openHere(folder, { readOnly: true })];
  const names = Array.from({ length: 100 }, (_, index) => `s${index}`);
  const writeRun = async (sessionId: string) => {
    const writer = await one.openWriter({ sessionId });
    writer.append(`run of ${sessionId}`, begun);
    const artifact = writer.putArtifact(`the text of ${sessionId}`);
    const whole = { type: "tool.finished", callId: "1", ok: true, durationMs: 1, output: "cut", artifact } as const;
    writer.append(`run of ${sessionId}`, whole);
    await writer.durable();
    writer.append(`run of ${sessionId}`, finished);
    await writer.durable();
    await writer.close();
    return artifact;
  };
  const artifacts = await Promise.all(names.map(writeRun));
  for (const [index, sessionId] of names.entries()) {
    const types = (await two.read({ sessionId })).map(({ type }) => type);
    expect(types).toEqual(["run.started", "tool.finished", "run.finished"]);
    expect(await two.artifact(artifacts[index] ?? "")).toBe(`the text of ${sessionId}`);
  }
  expect((await two.runs()).every(({ ended }) => ended)).toBe(true);
});

test("a session that another process takes over does not disturb others that are written with it", async () => {
  const folder = temporaryFolder();
  const one = openHere(folder);
  const [taken, other] = [await one.openWriter(session), await one.openWriter({ sessionId: "other" })];
  takeOver(folder, "s");
  taken.append("a", begun);
  other.append("b", begun);
  const results = await Promise.allSettled([taken.durable(), other.durable()]);
  expect(results).toMatchObject([{ reason: { code: "store_busy" } }, { status: "fulfilled" }]);
  expect((await openHere(folder, { readOnly: true }).sessions()).map(({ sessionId }) => sessionId)).toEqual(["other"]);
});

test.each([true, false])(
  "what was appended before a log is closed is durable for all who ask (alone: %s)",
  async (alone) => {
    const folder = temporaryFolder();
    const store = openHere(folder);
    if (!alone) await openHere(folder).runs();
    const writer = await store.openWriter(session);
    writer.append("a", begun);
    const before = writer.durable();
    const closing = store.close();
    await Promise.all([before, closing, writer.durable()]);
    await writer.durable();
    expect(() => writer.append("a", begun)).toThrow(/^The event log .*state\.db is closed\. Open it again to write\.$/);
    expect((await openHere(folder, { readOnly: true }).read(session)).map(({ type }) => type)).toEqual(["run.started"]);
  },
);

test("removing a session removes the artifacts that no other session uses", async () => {
  const store = openHere(temporaryFolder());
  const other = { runId: "c", sessionId: "other" };
  const [own = "", shared = ""] = await storeArtifacts(store, first, "own", "shared");
  await storeArtifacts(store, other, "shared");
  const whole = (artifact: string, callId: string) =>
    ({ type: "tool.finished", callId, ok: true, durationMs: 1, output: "cut", artifact }) as const;
  await appendEvents(store, first, whole(own, "1"), whole(shared, "2"), finished);
  await appendEvents(store, other, whole(shared, "1"));
  await store.removeSession("s");
  expect([await store.artifact(own), await store.artifact(shared)]).toEqual([undefined, "shared"]);
});

test("a writer ends with its store, and leaves no session behind", async () => {
  const folder = temporaryFolder();
  const one = openHere(folder);
  await one.openWriter(session);
  await one.close();
  const two = openHere(folder);
  await two.openWriter(session);
  expect(await two.sessions()).toEqual([]);
});

test("runs of an owner that dies while others follow them end", async () => {
  const folder = temporaryFolder();
  const [one, two, observer] = [openHere(folder), openHere(folder), openHere(folder, { readOnly: true })];
  await appendEvents(one, first, begun);
  const followed: string[] = [];
  for await (const { type } of two.follow({ runId: "a" }, new AbortController().signal)) {
    followed.push(type);
    expect(await observer.runs()).toMatchObject([{ runId: "a", ended: type === "run.finished" }]);
    if (type === "run.started") await one.close();
  }
  expect(followed).toEqual(["run.started", "run.finished"]);
});

test("a writer whose session another process has taken over fails, and writes nothing more", async () => {
  const folder = temporaryFolder();
  const one = openHere(folder);
  const writer = await one.openWriter(session);
  writer.append("a", begun);
  const two = openHere(folder);
  await writer.durable();
  takeOver(folder, "s");
  writer.append("a", notice("late"));
  await expect(writer.durable()).rejects.toThrow(StoreBusyError);
  for (const draft of [delta("later"), finished]) expect(() => writer.append("a", draft)).toThrow(StoreBusyError);
  await expect(writer.durable()).rejects.toThrow(StoreBusyError);
  await writer.close();
  expect((await two.read(session)).map(({ type }) => type)).toEqual(["run.started"]);
});

/** Gives a session to another owner, as a process would that considers this one dead. */
function takeOver(folder: string, sessionId: string): void {
  const database = new DatabaseSync(join(folder, "state.db"));
  const take = database.prepare(
    "UPDATE leases SET token = 'other' WHERE stream = (SELECT id FROM streams WHERE name = ?)",
  );
  take.run(sessionId);
  database.close();
}
