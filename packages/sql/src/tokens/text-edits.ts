/** A part of a statement and the text that replaces it. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Replaces parts of a statement, which must not overlap, and leaves everything else unchanged. */
export function applyEdits(statement: string, edits: readonly TextEdit[]): string {
  let result = "";
  let position = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    result += statement.slice(position, edit.start) + edit.text;
    position = edit.end;
  }
  return result + statement.slice(position);
}
