import type { Question } from "../questions/question-keys.ts";

/** Finds new questions by comparing consecutive lists of open questions. Questions in the first list are not new. */
export class NewQuestions {
  #known: ReadonlySet<string> | undefined;

  /** Returns the questions that were not open before. */
  next<Listed extends Pick<Question, "id">>(open: readonly Listed[]): readonly Listed[] {
    const known = this.#known;
    this.#known = new Set(open.map(({ id }) => id));
    return known === undefined ? [] : open.filter(({ id }) => !known.has(id));
  }
}
