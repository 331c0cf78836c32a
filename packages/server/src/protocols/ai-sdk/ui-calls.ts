/** Converts calls and questions about them to chunks. Pure. */
import { type EventOf, omitUndefined } from "@bridle/protocol";
import { nameAsker } from "../shared/inner-questions.ts";
import type { Asked } from "../shared/run-pauses.ts";
import type { UiChunk } from "./ui-chunks.ts";

const byHost = { dynamic: true, providerExecuted: true } as const;

export type CallChunk = Extract<UiChunk, { type: "tool-input-available" }>;

export function toCall({ callId, tool, input }: EventOf<"tool.requested">): CallChunk {
  return { type: "tool-input-available", toolCallId: callId, toolName: tool, input, ...byHost };
}

export function toApprovalRequest({ approvalId, reason, ...asked }: Asked, toolCallId: string): UiChunk {
  const { tool, input, inputHash, preview, problem, rule, everyTime, annotations } = asked;
  const about = { tool, input, inputHash, preview, problem, rule, everyTime, annotations };
  const approvalDescriptor = omitUndefined({ ...about, agent: nameAsker(asked) });
  return {
    type: "tool-approval-request",
    approvalId,
    toolCallId,
    approvalDescriptor,
    ...(reason !== undefined && { reason }),
  };
}

export function toApprovalResponse({ approvalId, decision, message }: EventOf<"approval.decided">): UiChunk {
  const reason = message === undefined ? {} : { reason: message };
  const approved = decision === "allow";
  return { type: "tool-approval-response", approvalId, approved, ...reason, providerExecuted: true };
}

/** Converts a question about a part of a running call to a separate part of the message. */
export function toInnerCall({ approvalId, tool, input }: Asked): CallChunk {
  return { type: "tool-input-available", toolCallId: approvalId, toolName: tool, input, ...byHost };
}

/**
 * Converts the answer to a question about a part of a running call to the outcome of its message part. The caller's log contains only the
 * answer, and without an outcome, clients would send the answer again.
 */
export function toInnerOutcome({ approvalId, decision }: EventOf<"approval.decided">): UiChunk {
  if (decision !== "allow") return { type: "tool-output-denied", toolCallId: approvalId };
  return { type: "tool-output-available", toolCallId: approvalId, output: "It was allowed.", ...byHost };
}

export function toOutputError(callId: string, errorText: string): UiChunk {
  return { type: "tool-output-error", toolCallId: callId, errorText, ...byHost };
}

export function toCallOutput({ callId, ok, output, images, structured }: EventOf<"tool.finished">): UiChunk {
  if (!ok) return toOutputError(callId, output);
  const whole =
    images === undefined && structured === undefined ? output : omitUndefined({ text: output, images, structured });
  return { type: "tool-output-available", toolCallId: callId, output: whole, ...byHost };
}
