import type { Redactor } from "@bridle/core";
import type { AcceptedTexts } from "./accepted-texts.ts";

/** The number of bytes to search at once. */
const partBytes = 1024 * 1024;

/** The number of bytes that adjacent parts share, so that no credential is split. */
const sharedBytes = 64 * 1024;

/** The maximum number of positions to report. */
const maxPositions = 1000;

/**
 * Searches files for credentials, one after the other, and keeps only a part of each file in memory. Texts that only look like credentials
 * can be accepted, but known credentials cannot.
 */
export class SecretFinder {
  readonly #redactor: Redactor;
  readonly #accepted: Pick<AcceptedTexts, "has">;
  readonly #found: string[] = [];
  #path = "";
  #lines: LineSearch;

  constructor(redactor: Redactor, accepted: Pick<AcceptedTexts, "has">) {
    this.#redactor = redactor;
    this.#accepted = accepted;
    this.#lines = this.#searchLines();
  }

  /**
   * The positions of credentials as `file:line`, including credentials in file names. Never contains the credentials themselves.
   */
  get found(): readonly string[] {
    return this.#found.slice(0, maxPositions);
  }

  /** Whether the maximum number of positions is reached. The search then ends. */
  get isFull(): boolean {
    return this.#found.length > maxPositions;
  }

  begin(path: string): void {
    this.#path = this.#redactor.text(path);
    if (this.#path !== path) this.#found.push(`the name ${this.#path}`);
    this.#lines = this.#searchLines();
  }

  add(content: Buffer): void {
    if (!this.isFull) this.#lines.add(content);
  }

  end(): void {
    for (const line of this.#lines.end()) this.#found.push(`${this.#path}:${line}`);
  }

  #searchLines(): LineSearch {
    return new LineSearch((text) => findPositions(text, this.#redactor, this.#accepted));
  }
}

/** Finds the numbers of the lines where credentials begin. */
class LineSearch {
  readonly #find: (text: string) => readonly number[];
  readonly #lines = new Set<number>();
  /** The last bytes that were searched, which are searched again with the next part. */
  #shared = Buffer.alloc(0);
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  /** The line number at which these bytes begin. */
  #line = 1;

  constructor(find: (text: string) => readonly number[]) {
    this.#find = find;
  }

  add(bytes: Buffer): void {
    if (this.#lines.size > maxPositions) return;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes >= partBytes) this.#search();
  }

  end(): ReadonlySet<number> {
    if (this.#pendingBytes > 0) this.#search();
    return this.#lines;
  }

  #search(): void {
    const part = Buffer.concat([this.#shared, ...this.#pending]);
    const text = part.toString("utf8");
    let [counted, breaks] = [0, 0];
    for (const position of this.#find(text)) {
      breaks += text.slice(counted, position).split("\n").length - 1;
      counted = position;
      this.#lines.add(this.#line + breaks);
    }
    const next = Math.max(0, part.length - sharedBytes);
    this.#line += countLines(part.subarray(0, next));
    this.#shared = Buffer.from(part.subarray(next));
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

function findPositions(
  text: string,
  { search, text: redact }: Redactor,
  accepted: Pick<AcceptedTexts, "has">,
): readonly number[] {
  if (search === undefined) return redact(text) === text ? [] : [0];
  const open = search(text).findings.filter(({ start, end, known }) => known || !accepted.has(text.slice(start, end)));
  return open.slice(0, maxPositions).map(({ start }) => start);
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count += 1;
  return count;
}
