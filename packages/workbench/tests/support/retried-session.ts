import { openWorkspace } from "@bridle/app/serving";
import { openTestContext } from "../../../app/tests/support/open-test-workspace.ts";
import { beginSession } from "../../../server/tests/support/written-session.ts";

/**
 * Writes a session that a run of the session `calls` started. The session's first response broke off and was requested again, and the
 * result of its call has this many characters.
 */
export async function writeRetriedSession(project: string, session: string, characters: number): Promise<void> {
  const workspace = await openWorkspace(await openTestContext(project), {});
  const writer = await beginSession(workspace.eventLog, session, {
    parentRunId: "run_of_calls",
    parentSessionId: "calls",
  });
  const runId = `run_of_${session}`;
  const call = { callId: "c", tool: "lookup" };
  const end = "the end of it";
  writer.append(runId, { type: "step.started", index: 1 });
  writer.append(runId, { type: "text.delta", text: "This is void" });
  writer.append(runId, { type: "retry.scheduled", attempt: 1, maxAttempts: 3, delayMs: 0, reason: "overloaded" });
  writer.append(runId, { type: "text.completed", text: "This counts." });
  writer.append(runId, { type: "tool.requested", ...call, input: { id: "7" }, inputHash: "0" });
  writer.append(runId, { type: "tool.evaluated", callId: "c", decision: "allow", rule: "policy.rules[0]" });
  const output = `${"word ".repeat(characters / 5)}${end}`;
  writer.append(runId, { type: "tool.finished", ...call, ok: true, output, durationMs: 3 });
  await writer.close();
  await workspace.close();
}
