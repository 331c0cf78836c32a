import { StoreBusyError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { begun, delta, finished, notice } from "./drafts.ts";
import { openHere, temporaryFolder } from "./folders.ts";

const [first, second] = ["a", "b"].map((runId) => ({ runId, sessionId: "s" })) as [Place, Place];
interface Place {
  runId: string;
  sessionId: string;
}

test("a second writer of a session is told who has it, until the run there has ended", () => {
  const folder = temporaryFolder();
  const [one, two] = [openHere(folder), openHere(folder)];
  one.append(first, begun);
  expect(() => two.append(second, begun)).toThrow(StoreBusyError);
  expect(() => two.append(second, begun)).toThrow(
    "The session s is in use in this process, by another runtime. Wait until its run has ended, or use another.",
  );
  expect(() => two.removeSession("s")).toThrow(StoreBusyError);
  expect(two.append({ runId: "c", sessionId: "other" }, begun).seq).toBe(1);
  one.append(first, finished);
  expect(two.append(second, begun).seq).toBe(3);
  expect(() => one.append(first, notice("late"))).toThrow(StoreBusyError);
  two.append(second, finished);
  expect(one.append(first, notice("late")).seq).toBe(5);
});

test("a record that is opened again ends what the closed one left, in the same process too", () => {
  const folder = temporaryFolder();
  const one = openHere(folder);
  one.append(first, begun);
  one.append(first, delta("half of a sen"));
  one.close();
  const events = openHere(folder).events({ runId: "a" });
  expect(events.map(({ type }) => type)).toEqual(["run.started", "text.delta", "run.finished"]);
  expect(events[2]).toMatchObject({ result: { text: "half of a sen", error: { code: "process_died" } } });
});

test("pieces of text are on disk soon after, and with the next other event at once", async () => {
  const folder = temporaryFolder();
  const [one, two] = [openHere(folder), openHere(folder, { readOnly: true })];
  const count = () => two.events({ runId: "a" }).length;
  one.append({ runId: "a" }, begun);
  expect(count()).toBe(1);
  for (const text of ["x", "y"]) one.append({ runId: "a" }, delta(text));
  expect(count()).toBe(1);
  await expect.poll(count).toBe(3);
  one.append({ runId: "a" }, delta("z"));
  one.append({ runId: "a" }, notice("now"));
  expect(count()).toBe(5);
});

test("a session that is removed takes the artifacts with it that no other one has", () => {
  const store = openHere(temporaryFolder());
  const [own, shared] = [store.putArtifact("own"), store.putArtifact("shared")];
  const whole = (artifact: string, callId: string) =>
    ({ type: "tool.finished", callId, ok: true, durationMs: 1, output: "cut", artifact }) as const;
  for (const draft of [whole(own, "1"), whole(shared, "2"), finished]) store.append(first, draft);
  store.append({ runId: "c", sessionId: "other" }, whole(shared, "1"));
  store.removeSession("s");
  expect([store.artifact(own), store.artifact(shared)]).toEqual([undefined, "shared"]);
});

test("a session that is claimed is nobody else's until its run has ended, or until it is given back", () => {
  const folder = temporaryFolder();
  const [one, two] = [openHere(folder), openHere(folder)];
  const giveBack = one.claim("s");
  expect(() => two.claim("s")).toThrow(StoreBusyError);
  expect(() => one.claim("s")).toThrow(StoreBusyError);
  expect(() => two.append(second, begun)).toThrow(StoreBusyError);
  giveBack();
  giveBack();
  two.claim("s");
  expect(two.append(second, begun).seq).toBe(1);
  expect(() => one.claim("s")).toThrow(expect.objectContaining({ code: "store_busy", holder: process.pid }));
  two.append(second, finished);
  one.claim("s");
  giveBack();
  expect(() => two.claim("s")).toThrow(StoreBusyError);
  expect(one.append(first, begun).seq).toBe(3);
  expect(one.sessions()).toHaveLength(1);
});

test("a claim goes with its process, and leaves no session behind", () => {
  const folder = temporaryFolder();
  const one = openHere(folder);
  one.claim("s");
  one.close();
  const two = openHere(folder);
  two.claim("s");
  expect(two.sessions()).toEqual([]);
});

test("what a dead owner leaves while the record is open is ended on request", () => {
  const folder = temporaryFolder();
  const [one, two, looking] = [openHere(folder), openHere(folder), openHere(folder, { readOnly: true })];
  one.append(first, begun);
  two.endInterrupted();
  expect(two.runs()).toMatchObject([{ runId: "a", ended: false }]);
  one.close();
  looking.endInterrupted();
  expect(two.runs()).toMatchObject([{ runId: "a", ended: false }]);
  two.endInterrupted();
  two.endInterrupted();
  expect(two.events({ runId: "a" }).map(({ type }) => type)).toEqual(["run.started", "run.finished"]);
});
