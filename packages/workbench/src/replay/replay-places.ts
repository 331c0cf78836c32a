import type { RunReplay } from "@bridle/client";

/** An event of a run that a person may want to see. */
export interface ReplayPlace {
  readonly seq: number;
  readonly kind: "input" | "step" | "decision";
  readonly title: string;
}

/** The places to move between, in their order. */
export function replayPlaces({
  inputs,
  steps,
  decisions,
}: Pick<RunReplay, "inputs" | "steps" | "decisions">): readonly ReplayPlace[] {
  const places: ReplayPlace[] = [
    ...inputs.map(({ seq, messages }) => ({
      seq,
      kind: "input" as const,
      title: `Sent to the model: ${messages === 1 ? "1 message" : `${messages} messages`}`,
    })),
    ...steps.map(({ seq, index, model }) => ({
      seq,
      kind: "step" as const,
      title: `Response ${index}${model === null ? "" : `, ${model}`}`,
    })),
    ...decisions.map(({ seq, decision, tool, rule }) => ({
      seq,
      kind: "decision" as const,
      title: `${decision} ${tool} by ${rule}`,
    })),
  ];
  return places.sort((a, b) => a.seq - b.seq);
}

/** The next place after an event, or the one before it. */
export function neighbour(places: readonly ReplayPlace[], at: number, direction: 1 | -1): number | undefined {
  if (direction === 1) return places.find(({ seq }) => seq > at)?.seq;
  return places.findLast(({ seq }) => seq < at)?.seq;
}
