import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Logger, silentLogger } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { openWorkspace, RunSlots, TooManyRunsError, Workspaces } from "../../src/serving/index.ts";
import { createFolder, deskFiles, openTestContext } from "../support/open-test-workspace.ts";

/** Opens the workspaces of a folder with the agent `desk`. */
async function openWorkspaces(idleMs: number, slots = new RunSlots(32), logger: Logger = silentLogger) {
  const folder = await createFolder(deskFiles);
  const workspaces = new Workspaces({
    open: async (namespace) =>
      openWorkspace(await openTestContext(folder, namespace), { rehearse: join(folder, "script.yaml"), slots }),
    idleMs,
    logger,
  });
  onTestFinished(() => workspaces.close());
  return workspaces;
}

test("users with equal ids of sessions and keys see nothing of each other", async () => {
  const workspaces = await openWorkspaces(60_000);
  const [one, two] = [await workspaces.of("one"), await workspaces.of("two")];
  const request = { session: "trip", prompt: "Hi.", key: { value: "k", bodyHash: "h" } };
  const first = await one.runs.start(request);
  expect(await two.eventLog.sessions()).toEqual([]);
  expect(two.runs.stop(first.runId, "a test")).toBe(false);
  const second = await two.runs.start(request);
  expect(second.runId).not.toBe(first.runId);
  expect(await two.eventLog.read({ runId: first.runId })).toEqual([]);
  expect(await one.eventLog.read({ runId: second.runId })).toEqual([]);
  expect((await workspaces.of(undefined)).sessions.find("trip")).toBeUndefined();
  expect(await workspaces.of("one")).toBe(one);
});

test("a workspace that nobody uses is closed, and opened again for the next request", async () => {
  const workspaces = await openWorkspaces(0);
  const request = new AbortController();
  const first = await workspaces.of("one", request.signal);
  const { sessionId, runId } = await first.runs.start({ prompt: "Be slow." });
  request.abort();
  await workspaces.closeIdle();
  expect(workspaces.size).toBe(1); // its run is in progress
  first.runs.stop(runId, "a test");
  while (workspaces.size > 0) await setTimeout(5).then(() => workspaces.closeIdle());
  const again = await workspaces.of("one");
  expect(again).not.toBe(first);
  expect(await again.eventLog.read({ sessionId, last: 1 })).toMatchObject([{ type: "run.finished", runId }]);
});

test("a workspace stays open while a request uses it, and a failure to close one is logged", async () => {
  const failures: string[] = [];
  const logger = { ...silentLogger, error: (_fields: object, message: string) => void failures.push(message) };
  const workspaces = await openWorkspaces(0, undefined, logger);
  const request = new AbortController();
  const first = await workspaces.of("one", request.signal);
  await workspaces.closeIdle();
  expect(await workspaces.of("one")).toBe(first);
  const closed: string[] = [];
  first.onClose(async () => {
    closed.push("closed");
    throw new Error("The disk is full.");
  });
  request.abort();
  await setTimeout(5);
  await workspaces.closeIdle();
  expect([workspaces.size, closed, failures]).toEqual([0, ["closed"], ["the workspace of a user could not be closed"]]);
});

test("the runs of all users together are no more than the server allows", async () => {
  const workspaces = await openWorkspaces(60_000, new RunSlots(1));
  const [one, two] = [await workspaces.of("one"), await workspaces.of("two")];
  const { runId } = await one.runs.start({ prompt: "Be slow." });
  await expect(two.runs.start({ prompt: "Hi." })).rejects.toThrow(TooManyRunsError);
  one.runs.stop(runId, "a test");
  while (one.isInUse) await setTimeout(5);
  await two.runs.start({ prompt: "Hi." });
});
