import { openWorkspace } from "@bridle/app/serving";
import { openTestContext } from "../../../app/tests/support/open-test-workspace.ts";
import { beginSession } from "../../../server/tests/support/written-session.ts";
import { hostileTexts } from "./hostile-texts.ts";

/** Writes a session that uses each hostile text as an answer, as the name of a tool, and as its input and output. */
export async function writeHostileSession(project: string, session: string): Promise<void> {
  const workspace = await openWorkspace(await openTestContext(project), {});
  const writer = await beginSession(workspace.eventLog, session);
  const runId = `run_of_${session}`;
  for (const [index, text] of hostileTexts.entries()) {
    const call = { callId: `call-${index}`, tool: text.slice(0, 500) };
    writer.append(runId, {
      type: "tool.requested",
      ...call,
      input: { [text.slice(0, 500)]: text },
      inputHash: `${index}`,
    });
    writer.append(runId, { type: "tool.finished", ...call, ok: true, output: text, durationMs: 3 });
    writer.append(runId, { type: "text.completed", text });
  }
  await writer.close();
  await workspace.close();
}
