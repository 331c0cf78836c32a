import type { RunEvent } from "@bridle/protocol";
import { fenced } from "./fenced.ts";
import { type CallFacts, factsOfRuns } from "./run-facts.ts";
import { decisionsOf, fateOf, seconds } from "./story-words.ts";

/** Each call of a tool, whole: what it was given, what decided, what came of it. Markdown for people. */
export function toolsText(events: readonly RunEvent[]): string {
  const runs = factsOfRuns(events).filter(({ calls }) => calls.length > 0);
  if (runs.length === 0) return "No tool was called.\n";
  return runs.map(({ runId, calls }) => `# ${runId}\n\n${calls.map(callText).join("\n\n")}\n`).join("\n");
}

function callText(call: CallFacts): string {
  const { tool, callId, atMs, input, approvals, progress, finished, denied } = call;
  const edited = approvals.findLast((answer) => answer.input !== undefined)?.input;
  const parts = [
    `## ${tool} (${callId}) at ${seconds(atMs)}: ${call.outcome}`,
    `Input:\n\n${inFence(input)}`,
    ...(edited === undefined ? [] : [`Input as a person edited it:\n\n${inFence(edited)}`]),
    `Decision: ${decisionsOf(call)}`,
    ...(progress.length === 0 ? [] : [`Progress:\n\n${progress.map((message) => `- ${message}`).join("\n")}`]),
    finished || denied !== undefined
      ? `The model was told:\n\n${fenced(finished?.output ?? denied ?? "")}`
      : `It ${fateOf(call)}.`,
    ...(finished?.structured === undefined ? [] : [`Beside the text:\n\n${inFence(finished.structured)}`]),
    ...(finished?.artifact === undefined ? [] : [`The whole result: artifacts/${finished.artifact}`]),
    ...(finished ? [`It took ${finished.durationMs} ms.`] : []),
  ];
  return parts.join("\n\n");
}

function inFence(value: unknown): string {
  return fenced(JSON.stringify(value, undefined, 2) ?? "");
}
