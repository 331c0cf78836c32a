import type { EventOf, RunEvent } from "@bridle/protocol";

type TextEvent = EventOf<"text.delta"> | EventOf<"text.completed">;

/**
 * Holds back the text of a step until the step has ended, and drops text that a retry discards, because text in a file or a pipe cannot be
 * removed again. If a run ends within a step, the text so far is shown.
 */
export function holdOpenTexts(show: (event: RunEvent) => void): (event: RunEvent) => void {
  let isOpen = false;
  let held: TextEvent[] = [];

  function release(): void {
    isOpen = false;
    for (const each of held) show(each);
    held = [];
  }

  return (event) => {
    if (event.type === "step.started") isOpen = true;
    if (event.type === "retry.scheduled") held = [];
    if (event.type === "step.finished" || event.type === "run.finished") release();
    if (isOpen && (event.type === "text.delta" || event.type === "text.completed")) held.push(event);
    else show(event);
  };
}
