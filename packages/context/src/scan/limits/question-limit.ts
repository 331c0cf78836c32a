import { parseTableId } from "../../facts/parse-identifier.ts";
import { splitName } from "../../joins/names.ts";
import type { ColumnSet } from "../../joins/profile.ts";

/** The maximum number of questions about the columns of one table, and a higher maximum if the names suggest a link. */
const [anyOf, namedOf] = [120, 400];

/** Words that do not suggest a link, in addition to numbers and words of one or two letters. */
const emptyWords = new Set(["key", "code", "number", "value", "name"]);

/** Limits the number of questions that a table with a thousand columns can cause. */
export class QuestionLimit {
  readonly #asked = new Map<string, number>();

  /** Whether one more question about the child's columns may be asked. If so, counts the question. */
  mayAsk(child: ColumnSet, parent: ColumnSet): boolean {
    const asked = this.#asked.get(child.table) ?? 0;
    if (asked >= (speaksForLink(child, parent) ? namedOf : anyOf)) return false;
    this.#asked.set(child.table, asked + 1);
    return true;
  }
}

/** Whether a column of the child has a word of the parent's table or columns. */
function speaksForLink(child: ColumnSet, parent: ColumnSet): boolean {
  const table = parseTableId(parent.table)?.table ?? "";
  const words = new Set([table, ...parent.columns].flatMap(splitName).map(stemOf));
  const own = child.columns.flatMap(splitName).filter((word) => /\p{L}{3}/u.test(word) && !emptyWords.has(word));
  return own.some((word) => words.has(stemOf(word)));
}

/** Removes a plural ending. */
function stemOf(word: string): string {
  return word.replace(/(?:es|s)$/, "");
}
