const newline = 0x0a;
const space = 0x20;

/**
 * Finds the line that begins with a word and a space, in a file sorted by the bytes of the first word of each line. Uses bisection,
 * so that an index of several megabytes need not be read into a map. `undefined` if the file has no such line.
 */
export function lineOf(word: string, sorted: Buffer): string | undefined {
  const wanted = Buffer.from(word);
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const start = lineStart(sorted, (from + to) >> 1);
    const order = wanted.compare(sorted, start, sorted.indexOf(space, start));
    if (order === 0) return readLine(start, sorted);
    if (order < 0) to = start;
    else from = lineEnd(sorted, start) + 1;
  }
  return undefined;
}

/** Reads the line that begins at a byte offset. */
export function readLine(offset: number, file: Buffer): string {
  return file.toString("latin1", offset, lineEnd(file, offset));
}

function lineStart(file: Buffer, at: number): number {
  return at === 0 ? 0 : file.lastIndexOf(newline, at - 1) + 1;
}

function lineEnd(file: Buffer, from: number): number {
  const end = file.indexOf(newline, from);
  return end === -1 ? file.length : end;
}
