import type { SessionEntry } from "../connection/session-entries.ts";
import { takeSentences, toSpeech } from "./sentences.ts";

/** Reads answers aloud while they are written: each sentence once, when it is complete. */
export class AnswerSpeech {
  /** The entry that is being read aloud, and the number of characters already read. */
  #index: number;
  #spoken = 0;

  /** `known` are entries that already exist, which are not read out. */
  constructor(known: readonly SessionEntry[]) {
    this.#index = known.length;
    const last = known.at(-1);
    if (last?.kind !== "text" || last.complete) return;
    this.#index = known.length - 1;
    this.#spoken = takeSentences(last.text, 0).next;
  }

  /** Returns the sentences that were completed since the last call. */
  next(entries: readonly SessionEntry[]): readonly string[] {
    if (entries.length <= this.#index) this.#begin(entries.length); // a repeated response voids its earlier text
    const lines: string[] = [];
    for (; this.#index < entries.length; this.#begin(this.#index + 1)) {
      const entry = entries[this.#index];
      if (entry?.kind !== "text") continue;
      if (entry.text.length < this.#spoken) this.#spoken = 0;
      const { sentences, next } = takeSentences(entry.text, this.#spoken);
      lines.push(...sentences);
      if (!entry.complete) {
        this.#spoken = next;
        if (this.#index === entries.length - 1) break;
      } else lines.push(entry.text.slice(next));
    }
    return lines.map(toSpeech).filter((line) => line !== "");
  }

  #begin(index: number): void {
    this.#index = index;
    this.#spoken = 0;
  }
}
