import { parseTableId } from "../../facts/parse-identifier.ts";
import { splitName } from "../../joins/names.ts";
import type { ColumnSet } from "../../joins/profile.ts";

/** The maximum number of questions about the columns of one table, and a higher maximum for those with names that suggest a link. */
const [anyOf, namedOf] = [120, 400];

/** Words that do not suggest a link, in addition to numbers and words of one or two letters. */
const emptyWords = new Set(["key", "code", "number", "value", "name"]);

/** Keeps a table of a thousand columns from causing as many questions. */
export class QuestionLimit {
  readonly #asked = new Map<string, number>();

  /** Whether one more question about the columns of the child may be asked. If so, it is counted. */
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

/** Without the ending of a plural. */
function stemOf(word: string): string {
  return word.replace(/(?:es|s)$/, "");
}
