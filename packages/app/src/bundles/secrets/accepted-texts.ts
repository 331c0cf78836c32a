import type { Redactor } from "@bridle/core";
import type { RunEvent } from "@bridle/protocol";
import { readDecidedValues } from "./decided-values.ts";

/**
 * Texts that look like credentials, but were the input of a tool call or part of a user's decision. A bundle contains them, because the
 * audit trail shows the calls that ran.
 */
export class AcceptedTexts {
  readonly #search: Redactor["search"];
  readonly #texts = new Set<string>();
  #sorted: readonly string[] = [];

  constructor({ search }: Redactor) {
    this.#search = search;
  }

  add(event: RunEvent): void {
    if (this.#search === undefined) return;
    for (const text of readDecidedValues(event)) {
      this.#addFrom(text, this.#search);
      const escaped = JSON.stringify(text);
      if (escaped.length > text.length + 2) this.#addFrom(escaped, this.#search);
    }
  }

  #addFrom(text: string, search: NonNullable<Redactor["search"]>): void {
    for (const { start, end } of search(text).findings) this.#texts.add(text.slice(start, end));
  }

  /**
   * Whether a text is accepted. The readable files of a bundle shorten long inputs, so the beginning of an accepted text is accepted too.
   */
  has(text: string): boolean {
    if (this.#sorted.length < this.#texts.size) this.#sorted = [...this.#texts].toSorted(compareCodes);
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareCodes(this.#sorted[middle] ?? "", text) < 0) low = middle + 1;
      else high = middle;
    }
    return this.#sorted[low]?.startsWith(text) ?? false;
  }
}

function compareCodes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
