import { type EventDraft, noUsage } from "@bridle/protocol";
import { begun, delta, finished } from "./drafts.ts";

const durable: readonly EventDraft["type"][] = ["tool.started", "run.finished"];

const drafts: readonly EventDraft[] = [
  begun,
  { type: "step.started", index: 1 },
  delta("I "),
  delta("will "),
  { type: "text.completed", text: "I will look." },
  { type: "tool.requested", callId: "1", tool: "t", input: {}, inputHash: "h" },
  { type: "tool.evaluated", callId: "1", decision: "allow", rule: "r" },
  { type: "tool.started", callId: "1" },
  { type: "tool.finished", callId: "1", ok: true, durationMs: 1, output: "o" },
  { type: "step.finished", index: 1, budget: 2, usage: { ...noUsage, outputTokens: 7 } },
  finished,
];

/** A run with an effect. Some of its events are made durable, which means that they survive a power cut. */
export const script = drafts.map((draft) => ({ draft, durable: durable.includes(draft.type) }));
