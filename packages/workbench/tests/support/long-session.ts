import { openWorkspace } from "@bridle/app/serving";
import { openTestContext } from "../../../app/tests/support/open-test-workspace.ts";
import { beginSession } from "../../../server/tests/support/written-session.ts";

/** Writes a session with this many calls of two events each, and with the text of an answer at regular intervals. */
export async function writeLongSession(project: string, session: string, calls: number, every = 10): Promise<void> {
  const workspace = await openWorkspace(await openTestContext(project), {});
  const writer = await beginSession(workspace.eventLog, session);
  const runId = `run_of_${session}`;
  for (let index = 0; index < calls; index += 1) {
    const call = { callId: `call-${index}`, tool: "lookup" };
    writer.append(runId, { type: "tool.requested", ...call, input: { id: `${index}` }, inputHash: `${index}` });
    writer.append(runId, { type: "tool.finished", ...call, ok: true, output: `Order ${index}`, durationMs: 3 });
    if (index % every === every - 1)
      writer.append(runId, { type: "text.completed", text: `Looked at ${index + 1} orders.` });
  }
  await writer.close();
  await workspace.close();
}
