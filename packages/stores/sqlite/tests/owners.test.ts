import { StoreBusyError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { begun, delta, finished, notice } from "./drafts.ts";
import { openHere, temporaryFolder } from "./folders.ts";

const [first, second] = ["a", "b"].map((runId) => ({ runId, sessionId: "s" })) as [Scope, Scope];
interface Scope {
  runId: string;
  sessionId: string;
}

test("a second writer of a session gets an error that names the holder, until the first run has ended", () => {
  const folder = temporaryFolder();
  const [one, two] = [openHere(folder), openHere(folder)];
  one.append(first, begun);
  expect(() => two.append(second, begun)).toThrow(StoreBusyError);
  expect(() => two.append(second, begun)).toThrow(
    "The session s is in use by another runtime of this process. Wait until its run has ended, or use another.",
  );
  expect(() => two.removeSession("s")).toThrow(StoreBusyError);
  expect(two.append({ runId: "c", sessionId: "other" }, begun).seq).toBe(1);
  one.append(first, finished);
  expect(two.append(second, begun).seq).toBe(3);
  expect(() => one.append(first, notice("late"))).toThrow(StoreBusyError);
  two.append(second, finished);
  expect(one.append(first, notice("late")).seq).toBe(5);
});

test("an event log that is opened again ends the runs of a closed one, in the same process too", () => {
  const folder = temporaryFolder();
  const one = openHere(folder);
  one.append(first, begun);
  one.append(first, delta("half of a sen"));
  one.close();
  const events = openHere(folder).events({ runId: "a" });
  expect(events.map(({ type }) => type)).toEqual(["run.started", "text.delta", "run.finished"]);
  expect(events[2]).toMatchObject({ result: { text: "half of a sen", error: { code: "process_died" } } });
});

test("streamed text is on disk soon, or at once with the next other event", async () => {
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

test("removing a session removes the artifacts that no other session uses", () => {
  const store = openHere(temporaryFolder());
  const [own, shared] = [store.putArtifact("own"), store.putArtifact("shared")];
  const whole = (artifact: string, callId: string) =>
    ({ type: "tool.finished", callId, ok: true, durationMs: 1, output: "cut", artifact }) as const;
  for (const draft of [whole(own, "1"), whole(shared, "2"), finished]) store.append(first, draft);
  store.append({ runId: "c", sessionId: "other" }, whole(shared, "1"));
  store.removeSession("s");
  expect([store.artifact(own), store.artifact(shared)]).toEqual([undefined, "shared"]);
});

test("a claimed session has one writer until its run has ended or the claim ends", () => {
  const folder = temporaryFolder();
  const [one, two] = [openHere(folder), openHere(folder)];
  const endClaim = one.claim("s");
  expect(() => two.claim("s")).toThrow(StoreBusyError);
  expect(() => one.claim("s")).toThrow(StoreBusyError);
  expect(() => two.append(second, begun)).toThrow(StoreBusyError);
  endClaim();
  endClaim();
  two.claim("s");
  expect(two.append(second, begun).seq).toBe(1);
  expect(() => one.claim("s")).toThrow(expect.objectContaining({ code: "store_busy", holder: process.pid }));
  two.append(second, finished);
  one.claim("s");
  endClaim();
  expect(() => two.claim("s")).toThrow(StoreBusyError);
  expect(one.append(first, begun).seq).toBe(3);
  expect(one.sessions()).toHaveLength(1);
});

test("a claim ends with its process, and leaves no session behind", () => {
  const folder = temporaryFolder();
  const one = openHere(folder);
  one.claim("s");
  one.close();
  const two = openHere(folder);
  two.claim("s");
  expect(two.sessions()).toEqual([]);
});

test("runs of an owner that died while the event log is open end on request", () => {
  const folder = temporaryFolder();
  const [one, two, observer] = [openHere(folder), openHere(folder), openHere(folder, { readOnly: true })];
  one.append(first, begun);
  two.endInterrupted();
  expect(two.runs()).toMatchObject([{ runId: "a", ended: false }]);
  one.close();
  observer.endInterrupted();
  expect(two.runs()).toMatchObject([{ runId: "a", ended: false }]);
  two.endInterrupted();
  two.endInterrupted();
  expect(two.events({ runId: "a" }).map(({ type }) => type)).toEqual(["run.started", "run.finished"]);
});
