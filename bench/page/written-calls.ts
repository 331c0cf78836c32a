import type { OpenWorkspace } from "@bridle/app/serving";
import type { EventDraft } from "@bridle/protocol";
import { beginSession } from "../../packages/server/tests/support/written-session.ts";

const sent = { type: "model.input", turn: 1, sha256: "0", artifact: "0", implicitSources: [], hostAdds: [] } as const;
const usage = { inputTokens: 900, outputTokens: 60, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** Writes a session of about this many events: a prompt, and steps that each have some text and two calls decided by a rule. */
export async function writeCalls({ eventLog }: OpenWorkspace, session: string, events: number): Promise<void> {
  const writer = await beginSession(eventLog, session);
  const run = `run_of_${session}`;
  writer.append(run, { ...sent, messages: [{ role: "user", content: "Look at **all** orders, one by one." }] });
  let written = 2;
  for (let index = 1; written < events; index += 1) {
    const drafts = stepOf(index);
    for (const draft of drafts) writer.append(run, draft);
    written += drafts.length;
    if (index % 500 === 0) await writer.durable();
  }
  await writer.close();
}

function stepOf(index: number): readonly EventDraft[] {
  return [
    { type: "step.started", index },
    { type: "text.completed", text: `Order **${index}** has two parts:\n\n- a walnut desk\n- a \`reading-lamp\`\n` },
    ...callOf(index, 1),
    ...callOf(index, 2),
    { type: "step.finished", index, budget: 1_000_000, usage },
  ];
}

function callOf(index: number, part: number): readonly EventDraft[] {
  const callId = `call-${index}-${part}`;
  const output = `Part ${part} of order ${index} was packed on Tuesday, and is on its way to the customer.`;
  return [
    { type: "tool.requested", callId, tool: "lookup", input: { order: `${index}`, part }, inputHash: callId },
    { type: "tool.evaluated", callId, decision: "allow", rule: "policy.rules[0]" },
    { type: "tool.started", callId },
    { type: "tool.finished", callId, ok: true, output, durationMs: 3 },
  ];
}
