import { type EventDraft, noUsage, type RunEvent } from "@bridle/protocol";

const result = { stopReason: "natural", text: "", steps: 0, toolCalls: 0, toolFailures: 0, usage: noUsage } as const;

export const begun: EventDraft = {
  type: "run.started",
  operation: "loop",
  backend: "memory",
  model: "m",
  tools: [],
  builtins: [],
  stepBudget: 1,
  policy: "p",
};

export const finished: EventDraft = { type: "run.finished", result, durationMs: 1 };

export function delta(text: string): EventDraft {
  return { type: "text.delta", text };
}

export function notice(message: string): EventDraft {
  return { type: "notice", level: "info", code: "c", message };
}

export function question(approvalId: string): EventDraft {
  return {
    type: "approval.requested",
    approvalId,
    callId: approvalId,
    attempt: 1,
    tool: "t",
    input: { path: "x" },
    inputHash: "h",
    builtin: false,
    rule: "default",
    everyTime: false,
  };
}

/** Creates the event for the outcome of a question, with the name of the user who answered, if any. */
export function decided(approvalId: string, by: string | undefined): EventDraft {
  const outcome =
    by === undefined
      ? ({ decision: "deny", source: "timeout" } as const)
      : ({ decision: "allow", source: "answer" } as const);
  return {
    type: "approval.decided",
    approvalId,
    callId: approvalId,
    scope: "once",
    ...outcome,
    ...(by !== undefined && { by }),
  };
}

/** Whether `seq` begins at 1 and has no gap. */
export function isGapless(events: readonly RunEvent[]): boolean {
  return events.every(({ seq }, index) => seq === index + 1);
}
