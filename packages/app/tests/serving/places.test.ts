import { expect, test } from "vitest";
import { answerApproval } from "../../src/approvals/index.ts";
import { RunSlots, TooManyRunsError } from "../../src/serving/index.ts";
import { openTestWorkspace, untilEvent } from "../support/open-test-workspace.ts";

const question = { prompt: "Where is my order?" };

test("any number of open questions holds no place and no permit, and each run ends after its answer", async () => {
  const { workspace } = await openTestWorkspace({ slots: new RunSlots(1) });
  const asked: string[] = [];
  for (let count = 0; count < 6; count++) {
    const { sessionId } = await workspace.runs.start(question); // one account has four permits
    await untilEvent(workspace, sessionId, "approval.requested");
    asked.push(sessionId);
  }
  const { sessionId } = await workspace.runs.start({ prompt: "Hi." });
  await untilEvent(workspace, sessionId, "run.finished");
  const permissions = workspace.context.project.permissions();
  for (const { id } of await workspace.eventLog.approvals.open()) {
    await answerApproval(id, { decision: "allow" }, workspace.eventLog, permissions);
  }
  for (const each of asked) {
    const end = await untilEvent(workspace, each, "run.finished");
    expect(end).toMatchObject({ result: { stopReason: "natural", text: "It is on its way." } });
  }
});

test("runs that wait for their turn in a session have one place together, and only so many may wait", async () => {
  const { workspace } = await openTestWorkspace({ slots: new RunSlots(2) });
  const { sessionId, runId } = await workspace.runs.start({ prompt: "Be slow." });
  const waiting = Array.from({ length: 16 }, () =>
    workspace.runs.start({ session: sessionId, prompt: "Hi.", whenBusy: "wait" }),
  );
  await workspace.runs.start({ prompt: "Hi." }); // the second slot is free
  const tooMany = workspace.runs.start({ session: sessionId, prompt: "Hi.", whenBusy: "wait" });
  await expect(tooMany).rejects.toThrow(`16 runs wait for their turn in the session ${sessionId}.`);
  workspace.runs.stop(runId, "a test");
  const begun = await Promise.all(waiting);
  expect(new Set(begun.map((run) => run.runId)).size).toBe(16);
});

test("a place is kept for each user who has none, and given to nobody twice", () => {
  const slots = new RunSlots(4, 3);
  const [one, two, three] = [slots.share(), slots.share(), slots.share()];
  const [first] = [one.take(), one.take()];
  expect(() => one.take()).toThrow(TooManyRunsError);
  const other = two.take();
  expect(() => two.take()).toThrow(TooManyRunsError);
  three.take();
  expect(() => three.take()).toThrow("The server has 4 places for runs, and none is free.");
  first?.leave();
  first?.leave();
  other.rest();
  other.rest();
  one.take(); // user two's slot is reserved, and the first run has its own
  expect(() => one.take()).toThrow(TooManyRunsError);
  other.wake();
  other.leave();
  other.wake();
  two.take();
  expect(() => two.take()).toThrow(TooManyRunsError);
});
