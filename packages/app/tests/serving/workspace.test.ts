import type { RunEvent } from "@bridle/protocol";
import { expect, test } from "vitest";
import { openTestWorkspace } from "../support/open-test-workspace.ts";

test("a run that is started in a workspace is seen to its end by a viewer of its session", async () => {
  const { workspace } = await openTestWorkspace();
  const { runId, sessionId, firstSeq } = await workspace.runs.start({ prompt: "Hi." });
  expect(firstSeq).toBe(1);
  const seen: RunEvent[] = [];
  for await (const page of workspace.events.follow(sessionId, 0, AbortSignal.timeout(10_000))) {
    seen.push(...page);
    if (seen.at(-1)?.type === "run.finished") break;
  }
  expect(seen).toEqual(await workspace.eventLog.read({ sessionId }));
  expect(seen.at(-1)).toMatchObject({ runId, type: "run.finished", result: { text: "Hello from the desk." } });
  const next = await workspace.runs.start({ session: sessionId, prompt: "Hi again." });
  expect(next).toMatchObject({ sessionId, firstSeq: seen.length + 1 });
});
