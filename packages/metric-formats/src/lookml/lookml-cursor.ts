import type { SourcePosition } from "@bridle/protocol";
import { refuseImport } from "../import-report.ts";

/** The text of one LookML file, and the reading position. */
export class LookmlCursor {
  readonly #file: string;
  readonly #text: string;
  /** The positions where lines begin. */
  readonly #lines: readonly number[];
  #at = 0;
  #line = 0;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = text;
    this.#lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  get position(): SourcePosition {
    while ((this.#lines[this.#line + 1] ?? Number.POSITIVE_INFINITY) <= this.#at) this.#line += 1;
    return { file: this.#file, line: this.#line + 1, column: this.#at - (this.#lines[this.#line] ?? 0) + 1 };
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** The next character, for messages. */
  get found(): string {
    return this.isAtEnd ? "the end of the file" : JSON.stringify(this.#text[this.#at]);
  }

  /** Skips spaces and comments. */
  skipSpace(): void {
    while (this.read(/\s+/y) !== undefined || this.read(/#[^\n]*/y) !== undefined);
  }

  peek(form: RegExp): boolean {
    form.lastIndex = this.#at;
    return form.test(this.#text);
  }

  take(symbol: string): boolean {
    const isNext = this.#text.startsWith(symbol, this.#at);
    if (isNext) this.#at += symbol.length;
    return isNext;
  }

  read(form: RegExp): string | undefined {
    form.lastIndex = this.#at;
    const found = form.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  /** Reads a quoted string. A backslash escapes the next character. */
  readString(): string {
    this.#at += 1;
    const inner = this.read(/(?:[^"\\]+|\\[\s\S])*/y) ?? "";
    if (!this.take('"')) refuseImport("A text in quotes does not end. Close it.");
    return inner.replace(/\\([\s\S])/g, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
  }

  /** Reads up to `;;`. */
  readCode(key: string): string {
    const end = this.#text.indexOf(";;", this.#at);
    if (end < 0) refuseImport(`The parameter ${key} does not end. Add ;; behind it.`);
    const code = this.#text.slice(this.#at, end).trim();
    this.#at = end + 2;
    return code;
  }
}
