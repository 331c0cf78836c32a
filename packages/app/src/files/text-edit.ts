/** A text that is inserted into another text. */
export interface Insertion {
  /** The offset in the text before the edit. */
  readonly offset: number;
  readonly text: string;
}

/** The edit of a file that adds an entry. The edit only inserts text, so removing the insertions restores the file. */
export interface EntryEdit {
  /** The insertions in the order of their offsets. */
  readonly insertions: readonly Insertion[];
  /** Whether the object that contains the servers was also added. */
  readonly createsParent: boolean;
}

export function applyInsertions(text: string, insertions: readonly Insertion[]): string {
  return insertions.reduceRight(
    (edited, { offset, text: added }) => edited.slice(0, offset) + added + edited.slice(offset),
    text,
  );
}

/** Returns the text before the insertions; undefined if the insertions are not at their offsets. */
export function takeOutInsertions(text: string, insertions: readonly Insertion[]): string | undefined {
  let result = text;
  for (const { offset, text: added } of insertions) {
    if (!result.startsWith(added, offset)) return undefined;
    result = result.slice(0, offset) + result.slice(offset + added.length);
  }
  return result;
}

/**
 * Returns the lines that an edit removes and adds, with their first line number. If a line changes only in part, only that part is shown,
 * because the rest can contain secrets of other servers.
 */
export function describeDifference(before: string, after: string): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const start = commonStart(old, now);
  const end = commonStart(old.slice(start).reverse(), now.slice(start).reverse());
  const [removed, added] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  if (removed.length + added.length === 0) return [];
  const pairs = removed.map((line, index) => shorten(line, added[index]));
  const shownRemoved = pairs.map(([line]) => `-${line}`);
  const shownAdded = added.map((line, index) => `+${pairs[index]?.[1] ?? line}`);
  return [`@@ line ${start + 1} @@`, ...shownRemoved, ...shownAdded];
}

/** Returns two lines without their common parts. The indentation is kept. */
function shorten(line: string, other: string | undefined): readonly [string, string | undefined] {
  if (other === undefined) return [line, other];
  const start = commonStart(line, other);
  const end = commonStart(line.slice(start).split("").reverse(), other.slice(start).split("").reverse());
  const blanks = /^\s*/.exec(line.slice(0, start))?.[0] ?? "";
  const [before, after] = [start > blanks.length ? "…" : "", end > 0 ? "…" : ""];
  const cut = (text: string) => `${blanks}${before}${text.slice(start, text.length - end)}${after}`;
  return [cut(line), cut(other)];
}

function commonStart(a: ArrayLike<string>, b: ArrayLike<string>): number {
  let length = 0;
  while (length < Math.min(a.length, b.length) && a[length] === b[length]) length += 1;
  return length;
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
