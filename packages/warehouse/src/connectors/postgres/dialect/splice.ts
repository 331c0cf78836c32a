import type { PostgresToken } from "./parser.ts";

/** A replacement of bytes of a statement. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Replaces parts of a text. Positions count bytes, and the parts must not overlap. Everything else stays unchanged. */
export function applySplices(sql: string, splices: readonly Splice[]): string {
  const bytes = Buffer.from(sql, "utf8");
  const parts: string[] = [];
  let done = 0;
  for (const { start, end, text } of splices.toSorted((a, b) => a.start - b.start)) {
    parts.push(bytes.toString("utf8", done, start), text);
    done = end;
  }
  parts.push(bytes.toString("utf8", done));
  return parts.join("");
}

/** The tokens of a statement, by their position. */
export class TokenIndex {
  readonly #tokens: readonly PostgresToken[];
  readonly #bytes: Buffer;
  readonly #positions: ReadonlyMap<number, number>;

  constructor(sql: string, tokens: readonly PostgresToken[]) {
    this.#tokens = tokens;
    this.#bytes = Buffer.from(sql, "utf8");
    this.#positions = new Map(tokens.map(({ start }, index) => [start, index]));
  }

  /** The tokens from a position on, and the token before it. Undefined if no token begins there. */
  at(
    place: number,
  ): { readonly before: PostgresToken | undefined; readonly tokens: readonly PostgresToken[] } | undefined {
    const index = this.#positions.get(place);
    if (index === undefined) return undefined;
    return { before: this.#tokens[index - 1], tokens: this.#tokens.slice(index, index + 8) };
  }

  textOf({ start, end }: PostgresToken): string {
    return this.#bytes.toString("utf8", start, end);
  }
}

/** The tokens of a dotted name with this many parts, or undefined if the tokens are something else. */
export function takeName(
  tokens: readonly PostgresToken[],
  parts: readonly string[],
  index: TokenIndex,
): readonly PostgresToken[] | undefined {
  const taken = tokens.slice(0, parts.length * 2 - 1);
  const matches = taken.every((token, position) => {
    const text = index.textOf(token);
    return position % 2 === 1 ? text === "." : isNameToken(text, parts[position / 2] ?? "");
  });
  return taken.length === parts.length * 2 - 1 && matches ? taken : undefined;
}

function isNameToken(text: string, name: string): boolean {
  if (name === "*") return text === "*";
  const written = text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : foldCase(text);
  return written === name || (written.startsWith(name) && Buffer.byteLength(name) >= minCutNameLength);
}

/** In bytes. PostgreSQL truncates a longer name to 63 bytes, at the start of a character. */
const minCutNameLength = 60;

/** In a database with UTF-8, PostgreSQL only folds the letters A to Z. */
function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
