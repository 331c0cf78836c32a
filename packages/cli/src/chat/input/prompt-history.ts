/** The prompts that can be used again, the oldest first. Consecutive duplicates are stored once. */
export class PromptHistory {
  readonly #prompts: string[] = [];

  add(prompt: string): void {
    const text = prompt.trim();
    if (text !== "" && this.#prompts.at(-1) !== text) this.#prompts.push(text);
  }

  /** Finds the newest prompt before `end` that contains the words, ignoring case, and its position. */
  findBefore(words: string, end = this.#prompts.length): { readonly at: number; readonly prompt: string } | undefined {
    const wanted = words.toLowerCase();
    const at = this.#prompts.findLastIndex((prompt, index) => index < end && prompt.toLowerCase().includes(wanted));
    const prompt = this.#prompts[at];
    return prompt === undefined ? undefined : { at, prompt };
  }
}
