import type { RunReplay } from "@bridle/client";

/** An event of a run that can be selected. */
export interface ReplayPlace {
  readonly seq: number;
  readonly kind: "input" | "step" | "decision";
  readonly title: string;
}

/** Returns the events that the user can move between, in order. */
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

/** Returns the next event after the given one, or the previous one. */
export function neighbour(places: readonly ReplayPlace[], at: number, direction: 1 | -1): number | undefined {
  if (direction === 1) return places.find(({ seq }) => seq > at)?.seq;
  return places.findLast(({ seq }) => seq < at)?.seq;
}
