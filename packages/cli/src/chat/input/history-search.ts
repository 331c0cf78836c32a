import { matchesKey } from "@earendil-works/pi-tui";
import type { PromptHistory } from "./prompt-history.ts";

/**
 * The effect of a key on a search: the search continues, or it ends with or without a prompt. Keys without a meaning in the search end it,
 * too.
 */
export type SearchStep = "continues" | "chosen" | "cancelled" | "other";

/** Searches earlier prompts, from the newest to the oldest. */
export class HistorySearch {
  readonly #history: PromptHistory;
  #words = "";
  #found: { readonly at: number; readonly prompt: string } | undefined;
  /** Whether no older prompt contains the words. */
  #isAtEnd = false;

  constructor(history: PromptHistory) {
    this.#history = history;
  }

  /** The prompt that was found; `undefined` without a match. */
  get prompt(): string | undefined {
    return this.#found?.prompt;
  }

  get line(): string {
    const words = `Search in earlier prompts: ${this.#words}`;
    if (this.#words === "") return `${words}_ (type a part of one; Esc cancels)`;
    if (this.#found === undefined) return `${words} (not found; Esc cancels)`;
    return `${words} (Enter takes it, ${this.#isAtEnd ? "no older one" : "Ctrl-R an older one"}, Esc cancels)`;
  }

  key(data: string): SearchStep {
    if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c") || matchesKey(data, "ctrl+g")) return "cancelled";
    if (matchesKey(data, "enter") || matchesKey(data, "tab")) return this.#found ? "chosen" : "cancelled";
    if (matchesKey(data, "ctrl+r")) this.#showOlder();
    else if (matchesKey(data, "backspace")) this.#search(this.#words.slice(0, -1));
    else if (/^[^\p{C}]+$/u.test(data)) this.#search(this.#words + data);
    else return "other";
    return "continues";
  }

  #search(words: string): void {
    this.#words = words;
    this.#isAtEnd = false;
    this.#found = words === "" ? undefined : this.#history.findBefore(words);
  }

  #showOlder(): void {
    const older = this.#words === "" ? undefined : this.#history.findBefore(this.#words, this.#found?.at);
    if (older === undefined) this.#isAtEnd = true;
    else this.#found = older;
  }
}
