/** Converts a question about a call to AG-UI's format. */
import { describeAsker, nameAsker } from "../shared/inner-questions.ts";
import type { Asked } from "../shared/run-pauses.ts";
import type { AgUiInterrupt } from "./ag-ui-events.ts";

/** After this many milliseconds without an answer, a run denies the call. */
const approvalTimeoutMs = 3_600_000;

const responseSchema = {
  type: "object",
  properties: {
    approved: { type: "boolean" },
    message: { type: "string", description: "Sent to the model." },
    editedArgs: { type: "object", description: "Replaces the input of the call. It is not merged." },
  },
  required: ["approved"],
  additionalProperties: false,
} as const;

export function toInterrupt(asked: Asked): AgUiInterrupt {
  const { approvalId, callId, runId, time, tool, input, inputHash, preview, rule, annotations, everyTime } = asked;
  const agent = nameAsker(asked);
  return {
    id: approvalId,
    reason: "tool_call",
    message: describeQuestion(asked),
    toolCallId: toToolCallId(runId, callId),
    responseSchema,
    expiresAt: new Date(time + approvalTimeoutMs).toISOString(),
    metadata: {
      bridle: {
        tool,
        input,
        inputHash,
        rule,
        everyTime,
        ...(agent !== undefined && { agent }),
        ...(annotations && { annotations }),
        ...(preview && { preview }),
      },
    },
  };
}

/** Makes call ids unique in a thread, which has several runs, because some hosts use the same call ids in each run. */
export function toToolCallId(runId: string, callId: string): string {
  return `${runId}.${callId}`;
}

/** Formats a question as text, for clients that show only text. */
function describeQuestion(asked: Asked): string {
  const { tool, reason, preview, problem } = asked;
  return [`Run ${tool}?`, describeAsker(asked), problem, reason, preview]
    .filter((text) => text !== undefined && text !== "")
    .join("\n\n");
}
