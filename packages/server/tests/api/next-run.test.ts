import { setTimeout } from "node:timers/promises";
import { noUsage } from "@bridle/protocol";
import { expect, onTestFinished, test } from "vitest";
import { openTestContext } from "../../../app/tests/support/open-test-workspace.ts";
import { startApi, untilEnd } from "../support/start-api.ts";
import { beginSession } from "../support/written-session.ts";

test("a client that sends the next prompt when it sees the end of a run is not refused", async () => {
  const api = await startApi();
  for (let turn = 0; turn < 20; turn += 1) {
    const { status, body } = await api.post("/sessions/one/runs", { prompt: "Hi." });
    expect([turn, status, body.detail]).toEqual([turn, 202, undefined]);
    await untilEnd(body.runId, api.workspace.eventLog);
  }
});

test("a prompt waits if another process has logged the end of its run and is about to let the session go", async () => {
  const api = await startApi();
  const { project } = await openTestContext(api.folder);
  const other = await project.openEventLog({ creates: true });
  onTestFinished(() => other.close());
  const writer = await beginSession(other, "one");
  expect(await api.post("/sessions/one/runs", { prompt: "Hi." })).toMatchObject({ status: 409 });
  const result = { stopReason: "natural", text: "", steps: 0, toolCalls: 0, toolFailures: 0, usage: noUsage } as const;
  writer.append("run_of_one", { type: "run.finished", result, durationMs: 1 });
  await writer.durable();
  const sent = api.post("/sessions/one/runs", { prompt: "Hi." });
  await setTimeout(200);
  await writer.close();
  expect(await sent).toMatchObject({ status: 202 });
});
