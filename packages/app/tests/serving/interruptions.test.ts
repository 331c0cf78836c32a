import { join } from "node:path";
import { openDatabase } from "@bridle/core";
import { expect, onTestFinished, test } from "vitest";
import { answerApproval, listDecidedApprovals } from "../../src/approvals/index.ts";
import { ServingEndedError } from "../../src/serving/index.ts";
import { ServingState } from "../../src/serving/serving-state.ts";
import { createFolder, deskFiles, openTestWorkspace, untilEvent } from "../support/open-test-workspace.ts";

const key = { value: "k", bodyHash: "h" };
const planned = { runId: "run_planned", sessionId: "trip" };

/** Claims a key as a process that has died. */
function leaveKey(folder: string): void {
  const state = new ServingState(join(folder, ".bridle"), Date.now);
  state.claim({ ...key, value: `run ${key.value}` }, JSON.stringify(planned));
  state.close();
  const database = openDatabase(join(folder, ".bridle", "server.db"));
  database.exec("UPDATE requests SET pid = 4194304, start_time = 'never'"); // higher than any process id
  database.close();
}

test("a request whose server died before its run began begins the run that was planned", async () => {
  const folder = await createFolder(deskFiles);
  leaveKey(folder);
  const { workspace } = await openTestWorkspace({}, folder);
  expect(await workspace.runs.start({ prompt: "Hi.", key })).toEqual({ ...planned, firstSeq: 1 });
  expect(await workspace.eventLog.runs()).toHaveLength(1);
});

test("a request whose server died after its run began gets that run, and begins none", async () => {
  const folder = await createFolder(deskFiles);
  const { workspace } = await openTestWorkspace({}, folder);
  const writer = await workspace.eventLog.openWriter({ sessionId: planned.sessionId });
  writer.append(planned.runId, { type: "notice", level: "info", code: "c", message: "m" });
  await writer.close();
  leaveKey(folder);
  expect(await workspace.runs.start({ prompt: "Hi.", key })).toEqual({ ...planned, firstSeq: 1 });
  expect(await workspace.eventLog.read({ sessionId: "trip" })).toHaveLength(1);
});

test("a workspace that is closed leaves its questions open, and the next one lists and uses the answers", async () => {
  const { workspace, folder } = await openTestWorkspace();
  const { sessionId } = await workspace.runs.start({ prompt: "Where is my order?" });
  await untilEvent(workspace, sessionId, "approval.requested");
  const closing = workspace.close(20);
  await expect(workspace.runs.start({ prompt: "Hi." })).rejects.toThrow(ServingEndedError);
  await closing;
  const next = (await openTestWorkspace({}, folder)).workspace;
  const [question, ...others] = await next.eventLog.approvals.open();
  expect(question).toMatchObject({ tool: "lookup", sessionId, alive: false });
  expect(others).toEqual([]);
  const permissions = next.context.project.permissions();
  const { outcome } = await answerApproval(question?.id ?? "", { decision: "allow" }, next.eventLog, permissions);
  expect(outcome).toBe("stored");
  const listed = () => listDecidedApprovals(next.eventLog, 10);
  expect(await listed()).toMatchObject([{ id: question?.id, decision: "allow", scope: "once", at: null }]);
  await next.runs.start({ session: sessionId, prompt: "Hi." });
  expect(await listed()).toMatchObject([{ id: question?.id, decision: "allow", at: expect.any(String) }]);
  const events = await next.eventLog.read({ sessionId });
  expect(events.find(({ type }) => type === "run.finished")).toMatchObject({ result: { stopReason: "stopped" } });
  expect(events.findLast(({ type }) => type === "approval.decided")).toMatchObject({ decision: "allow" });
});

test("a run that ends within the grace period is not stopped", async () => {
  const { workspace, folder } = await openTestWorkspace();
  const { runId } = await workspace.runs.start({ prompt: "Hi." });
  await workspace.close(60_000);
  const next = (await openTestWorkspace({}, folder)).workspace;
  onTestFinished(() => next.close());
  const [end] = await next.eventLog.read({ runId, last: 1 });
  expect(end).toMatchObject({ type: "run.finished", result: { stopReason: "natural" } });
});

test("a workspace that ends still answers questions, and their runs use the time", async () => {
  const { workspace } = await openTestWorkspace();
  const { sessionId } = await workspace.runs.start({ prompt: "Where is my order?" });
  await untilEvent(workspace, sessionId, "approval.requested");
  const ending = workspace.end(60_000);
  await expect(workspace.runs.start({ prompt: "Hi." })).rejects.toThrow(ServingEndedError);
  const [question] = await workspace.eventLog.approvals.open();
  const permissions = workspace.context.project.permissions();
  await answerApproval(question?.id ?? "", { decision: "allow" }, workspace.eventLog, permissions);
  await ending;
  const [end] = await workspace.eventLog.read({ sessionId, last: 1 });
  expect(end).toMatchObject({ type: "run.finished", result: { stopReason: "natural", text: "It is on its way." } });
});

test("a job keeps its workspace in use, and is stopped when the time of the workspace is over", async () => {
  const { workspace } = await openTestWorkspace();
  const stopped: string[] = [];
  const leave = workspace.jobs.begin({
    places: 2,
    stop() {
      stopped.push("stopped");
      leave();
    },
  });
  expect(workspace.isInUse).toBe(true);
  await workspace.end(0);
  expect([stopped, workspace.isInUse]).toEqual([["stopped"], false]);
  expect(() => workspace.jobs.begin({ places: 1, stop() {} })).toThrow(ServingEndedError);
});
