import { expect, test } from "vitest";
import { removeSessions } from "../../src/sessions/index.ts";
import { createFolder, deskFiles, openTestWorkspace, untilEvent } from "../support/open-test-workspace.ts";

const files = {
  ...deskFiles,
  "agent.yaml": deskFiles["agent.yaml"]?.replace("then: ask", "then: allow") ?? "",
  "tools.mjs": `export function lookup({ id }) { return ("Order " + id + " is on its way. ").repeat(100); }\n`,
};

/** Opens a workspace with a session that has a long result. */
async function openLongSession() {
  const { workspace, folder } = await openTestWorkspace({}, await createFolder(files));
  const { sessionId } = await workspace.runs.start({ prompt: "Where is my order?" });
  await untilEvent(workspace, sessionId, "run.finished");
  return { workspace, folder, sessionId };
}

test("a compacted history is in the event log at once, so another process continues with it", async () => {
  const { workspace, folder, sessionId } = await openLongSession();
  expect(await workspace.runs.compact(sessionId, "drop-tool-results")).toBe(true);
  const [newest] = await workspace.eventLog.read({ sessionId, last: 1 });
  expect(newest).toMatchObject({ type: "history.replaced", reason: "compacted", strategy: "drop-tool-results" });
  expect(JSON.stringify(newest)).not.toContain("Order 7 is on its way");
  expect(await workspace.eventLog.runs({ sessionId })).toHaveLength(1); // a compaction is not a run
  expect(await workspace.runs.compact(sessionId, "drop-tool-results")).toBe(false);
  const other = (await openTestWorkspace({}, folder)).workspace;
  expect((await other.runs.start({ session: sessionId, prompt: "Hi." })).firstSeq).toBe((newest?.seq ?? 0) + 1);
  const replaced = (await other.eventLog.read({ sessionId })).filter(({ type }) => type === "history.replaced");
  expect(replaced).toHaveLength(1);
});

test("a session that is compacted, removed and begun again has nothing of the old conversation", async () => {
  const { workspace, sessionId } = await openLongSession();
  expect(await workspace.runs.compact(sessionId, "drop-tool-results")).toBe(true);
  await removeSessions(workspace.eventLog, [sessionId]).next();
  workspace.sessions.remove(sessionId);
  await workspace.runs.start({ session: sessionId, prompt: "Hi.", whenBusy: "wait" });
  await untilEvent(workspace, sessionId, "run.finished");
  const events = JSON.stringify(await workspace.eventLog.read({ sessionId }));
  expect(events).not.toContain("history.replaced");
  expect(events).not.toContain("order");
});

test("a session in which a run is in progress is not compacted", async () => {
  const { workspace, sessionId } = await openLongSession();
  await workspace.runs.start({ session: sessionId, prompt: "Be slow.", whenBusy: "wait" });
  const refused = workspace.runs.compact(sessionId, "drop-tool-results");
  await expect(refused).rejects.toMatchObject({ code: "store_busy" });
});
