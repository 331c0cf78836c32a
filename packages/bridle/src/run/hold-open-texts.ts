import type { EventOf, RunEvent } from "@bridle/protocol";

type TextEvent = EventOf<"text.delta"> | EventOf<"text.completed">;

/**
 * Passes the text of a step on when the step is over, and drops what a retry in its middle voids: what was written to a
 * file or to another program cannot be taken back. A run that ends within a step ends with what had come of it.
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
