import type { Question } from "../questions/question-keys.ts";

/** Which questions are new, from one list of open questions to the next. Those of the first list are not. */
export class NewQuestions {
  #known: ReadonlySet<string> | undefined;

  /** The questions that were not open before. */
  next<Listed extends Pick<Question, "id">>(open: readonly Listed[]): readonly Listed[] {
    const known = this.#known;
    this.#known = new Set(open.map(({ id }) => id));
    return known === undefined ? [] : open.filter(({ id }) => !known.has(id));
  }
}
