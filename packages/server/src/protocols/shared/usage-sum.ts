import { addUsage, noUsage, type RunEvent, type Usage } from "@bridle/protocol";

/** Sums the tokens of a run so far. A usage report replaces the tokens of the steps since the last report. */
export class UsageSum {
  #reported: Usage = noUsage;
  #ofSteps: Usage = noUsage;

  add(event: RunEvent): void {
    if (event.type === "step.finished") this.#ofSteps = addUsage(this.#ofSteps, event.usage);
    if (event.type !== "usage.reported") return;
    this.#reported = addUsage(this.#reported, event.usage);
    this.#ofSteps = noUsage;
  }

  get total(): Usage {
    return addUsage(this.#reported, this.#ofSteps);
  }
}

/** Counts input tokens as most protocols do, including cached tokens. */
export function wholeInput({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}
