import { appendEvents } from "@bridle/conformance";
import { type EventDraft, type EventLog, StoreReadOnlyError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { begun, delta, finished } from "./drafts.ts";
import { downgrade, openHere, temporaryFolder } from "./folders.ts";

const input: EventDraft = {
  type: "model.input",
  turn: 1,
  sha256: "h",
  artifact: "h",
  implicitSources: [],
  hostAdds: [],
  messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
};

async function writeSessions(store: EventLog): Promise<void> {
  await appendEvents(
    store,
    { runId: "a", sessionId: "s" },
    { ...begun, labels: { a: "1" } },
    input,
    delta("x"),
    finished,
  );
  const origin: EventDraft = { type: "history.replaced", reason: "forked", from: "s", messages: [] };
  await appendEvents(store, { runId: "fork", sessionId: "branch" }, origin);
  await appendEvents(store, { runId: "b", sessionId: "s" }, begun, input, finished);
  await appendEvents(store, { runId: "c", sessionId: "open" }, begun, finished);
}

test("the sessions of the fourth format are listed the same, before and after the file is migrated, in pages too", async () => {
  const folder = temporaryFolder();
  const written = openHere(folder);
  await writeSessions(written);
  const expected = await written.sessions();
  const [after] = expected;
  if (after === undefined) throw new Error("No session was written.");
  expect(expected).toHaveLength(3);
  await written.close();
  downgrade(folder, 4);

  const reader = openHere(folder, { readOnly: true });
  expect(await reader.sessions()).toEqual(expected);
  expect(await reader.sessions({ last: 1, after })).toEqual(expected.slice(1, 2));
  await reader.close();

  const migrated = openHere(folder);
  expect(await migrated.sessions()).toEqual(expected);
  expect(await migrated.sessions({ last: 1, after })).toEqual(expected.slice(1, 2));
  await appendEvents(migrated, { runId: "d", sessionId: "s" }, { ...begun, labels: { d: "4" } });
  const [newest] = await migrated.sessions({ last: 1 });
  expect(newest).toMatchObject({
    sessionId: "s",
    runs: 3,
    labels: { d: "4" },
    firstPrompt: "Hello",
    newest: { runId: "d", ended: false },
  });
});

test("what a list shows of a session is what its events say, after any number of runs", async () => {
  const folder = temporaryFolder();
  const store = openHere(folder);
  for (let round = 0; round < 3; round++) await writeSessions(store).catch(() => {});
  const listed = await store.sessions();
  await store.close();
  downgrade(folder, 4);
  expect(await openHere(folder, { readOnly: true }).sessions()).toEqual(listed);
});

test.each([4, 7])(
  "a file of format %i knows no used-up window, and shares one once it is opened for writing",
  async (format) => {
    const folder = temporaryFolder();
    const written = openHere(folder);
    await writeSessions(written);
    const events = await written.read({ sessionId: "s" });
    await written.close();
    downgrade(folder, format);
    const window = { window: "five_hour", resetsAt: 1_800_000_000_000 };

    const reader = openHere(folder, { readOnly: true });
    expect(await reader.limits.read("ada")).toBeUndefined();
    await expect(reader.limits.replace("ada", undefined, window)).rejects.toThrow(StoreReadOnlyError);
    await reader.close();

    const migrated = openHere(folder);
    expect(await migrated.limits.replace("ada", undefined, window)).toBe(true);
    expect(await migrated.read({ sessionId: "s" })).toEqual(events);
    expect(await openHere(folder, { readOnly: true }).limits.read("ada")).toEqual(window);
  },
);
