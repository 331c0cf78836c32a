import type { PostgresToken } from "./parser.ts";

/** Text that replaces bytes of a statement. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Replaces parts of a statement. Positions count bytes, and the parts must not overlap. All other bytes stay unchanged. */
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

/** Finds the tokens of a statement by their position. */
export class TokenIndex {
  readonly #tokens: readonly PostgresToken[];
  readonly #bytes: Buffer;
  readonly #positions: ReadonlyMap<number, number>;

  constructor(sql: string, tokens: readonly PostgresToken[]) {
    this.#tokens = tokens;
    this.#bytes = Buffer.from(sql, "utf8");
    this.#positions = new Map(tokens.map(({ start }, index) => [start, index]));
  }

  /** Returns up to eight tokens from a position on, and the token before them. Undefined if no token begins there. */
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

/** Returns the tokens of a dotted name with these parts, or undefined if these tokens do not form the name. */
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

/** The length in bytes from which PostgreSQL may have shortened a name. It cuts longer names to 63 bytes, at the start of a character. */
const minCutNameLength = 60;

/** Folds a name to lower case as PostgreSQL does in a UTF-8 database: only the letters A to Z. */
function foldCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
