import type { AnswerListener } from "@bridle/protocol";
import { startTimer } from "../time/timer.ts";

/** Milliseconds between two checks for answers from other processes. */
const lookMs = 200;

/** The delay of the first check, because this process often answers many questions together before other processes can. */
const firstLookMs = 100;

export interface AnswerWatchOptions {
  /** Returns the questions that have an answer in the log. */
  answered(ids: readonly string[]): Promise<readonly string[]>;
  /** Calls `look` whenever another process may have answered, until the returned function is called. Default: regularly. */
  watchOthers?: ((look: () => void) => () => void) | undefined;
}

/** Waits for the answers to all open questions of a log together, so that many questions need no more reads than one question. */
export class AnswerWatch {
  readonly #options: AnswerWatchOptions;
  readonly #listeners = new Map<string, Set<AnswerListener>>();
  #cancelLook: (() => void) | undefined;
  #stopOthers: (() => void) | undefined;
  #isLooking = false;
  #lookAgain = false;

  constructor(options: AnswerWatchOptions) {
    this.#options = options;
  }

  /** Calls the listener once, when the question has an answer. Returns a function that removes the listener. */
  add(id: string, listener: AnswerListener): () => void {
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(listener));
    this.#lookWithin(firstLookMs); // the answer may have come before
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
      this.#restIfUnused();
    };
  }

  /** Reports that this process has answered a question. */
  announce(id: string): void {
    const listeners = this.#listeners.get(id) ?? [];
    this.#listeners.delete(id);
    for (const { onAnswer } of listeners) onAnswer();
    this.#restIfUnused();
  }

  #lookWithin(ms: number): void {
    this.#cancelLook ??= startTimer(ms, () => {
      this.#cancelLook = undefined;
      this.#stopOthers ??= (this.#options.watchOthers ?? lookRegularly)(() => void this.#look());
      void this.#look();
    });
  }

  #restIfUnused(): void {
    if (this.#listeners.size > 0) return;
    this.#cancelLook?.();
    this.#cancelLook = undefined;
    this.#stopOthers?.();
    this.#stopOthers = undefined;
  }

  /** Returns the open questions that have an answer. If the read fails, tells the listeners, and reads again later. */
  async #readAnswered(): Promise<readonly string[]> {
    try {
      return await this.#options.answered([...this.#listeners.keys()]);
    } catch (error) {
      if (this.#listeners.size > 0) this.#lookWithin(lookMs);
      for (const { onFailure } of [...this.#listeners.values()].flatMap((listeners) => [...listeners]))
        onFailure?.(error);
      return [];
    }
  }

  async #look(): Promise<void> {
    this.#lookAgain = this.#isLooking;
    if (this.#isLooking || this.#listeners.size === 0) return;
    this.#isLooking = true;
    try {
      for (const id of await this.#readAnswered()) this.announce(id);
    } finally {
      this.#isLooking = false; // a listener may have thrown
    }
    if (this.#lookAgain) await this.#look();
  }
}

function lookRegularly(look: () => void): () => void {
  const timer = setInterval(look, lookMs);
  return () => clearInterval(timer);
}
