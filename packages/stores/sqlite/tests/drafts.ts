import { type EventDraft, noUsage, type RunEvent } from "@bridle/protocol";

const result = { stopReason: "natural", text: "", steps: 0, toolCalls: 0, toolFailures: 0, usage: noUsage } as const;

export const begun = {
  type: "run.started",
  operation: "loop",
  backend: "memory",
  model: "m",
  tools: [],
  builtins: [],
  stepBudget: 1,
  policy: "p",
} satisfies EventDraft;
export const finished: EventDraft = { type: "run.finished", result, durationMs: 1 };

export function delta(text: string): EventDraft {
  return { type: "text.delta", text };
}

export function notice(message: string): EventDraft {
  return { type: "notice", level: "info", code: "c", message };
}

/** Whether `seq` begins at 1 and has no gap. */
export function isGapless(events: readonly RunEvent[]): boolean {
  return events.every(({ seq }, index) => seq === index + 1);
}
