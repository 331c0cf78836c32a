import type { RunEvent } from "@bridle/protocol";
import { codeBlock } from "./code-fence.ts";
import { type CallFacts, collectRunFacts } from "./run-facts.ts";
import { formatDecisions, formatOffset, formatOutcome } from "./run-words.ts";

/** Each tool call in full: input, decisions and result. Markdown for people. */
export function formatToolCalls(events: readonly RunEvent[]): string {
  const runs = collectRunFacts(events).filter(({ calls }) => calls.length > 0);
  if (runs.length === 0) return "No tool was called.\n";
  return runs.map(({ runId, calls }) => `# ${runId}\n\n${calls.map(callText).join("\n\n")}\n`).join("\n");
}

function callText(call: CallFacts): string {
  const { tool, callId, atMs, input, approvals, progress, finished, denied } = call;
  const edited = approvals.findLast((answer) => answer.input !== undefined)?.input;
  const parts = [
    `## ${tool} (${callId}) at ${formatOffset(atMs)}: ${call.outcome}`,
    `Input:\n\n${inFence(input)}`,
    ...(edited === undefined ? [] : [`Input as a person edited it:\n\n${inFence(edited)}`]),
    `Decision: ${formatDecisions(call)}`,
    ...(progress.length === 0 ? [] : [`Progress:\n\n${progress.map((message) => `- ${message}`).join("\n")}`]),
    finished || denied !== undefined
      ? `Result for the model:\n\n${codeBlock(finished?.output ?? denied ?? "")}`
      : `It ${formatOutcome(call)}.`,
    ...(finished?.structured === undefined ? [] : [`Structured result:\n\n${inFence(finished.structured)}`]),
    ...(finished?.artifact === undefined ? [] : [`The whole result: artifacts/${finished.artifact}`]),
    ...(finished ? [`It took ${finished.durationMs} ms.`] : []),
  ];
  return parts.join("\n\n");
}

function inFence(value: unknown): string {
  return codeBlock(JSON.stringify(value, undefined, 2) ?? "");
}
