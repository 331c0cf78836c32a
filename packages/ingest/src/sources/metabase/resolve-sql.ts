/** Resolves references in the SQL of cards: other cards, snippets, parameters and optional clauses. */
import { ConfigError } from "@bridle/protocol";

export interface SqlLibrary {
  /** Returns the SQL of a card as it was written; undefined if the card is unknown or has none. */
  cardSql(id: number): string | undefined;
  snippet(name: string): string | undefined;
}

export interface ResolvedSql {
  readonly sql: string;
  /** The cards that the SQL uses. */
  readonly cards: readonly number[];
  /** Clauses that are used only if their parameters have values. */
  readonly optional: readonly string[];
}

/** The maximum length of the result. A chain of cards that each use the next card twice would exhaust the memory. */
const maxChars = 200_000;
const maxLevels = 50;

/**
 * Resolves the references in a card's SQL. Throws a ConfigError for circular references, missing parts, and SQL that becomes too long;
 * callers add the subject to its message.
 */
export function resolveCardSql(sql: string, card: number | undefined, library: SqlLibrary): ResolvedSql {
  const resolver = new SqlResolver(library);
  const own = card === undefined ? [] : [`card ${card}`];
  const resolved = resolver.resolve(sql, own);
  return { sql: resolved, cards: [...resolver.cards].toSorted((a, b) => a - b), optional: resolver.optional };
}

const tag = /\{\{\s{0,20}(?:#(\d{1,15})[^{}]{0,200}|snippet:\s{0,20}([^{}]{1,200}?)\s{0,20})\}\}/g;

class SqlResolver {
  readonly cards = new Set<number>();
  readonly optional: string[] = [];
  readonly #library: SqlLibrary;
  #chars = 0;

  constructor(library: SqlLibrary) {
    this.#library = library;
  }

  /** Resolves a part. `path` lists the cards and snippets that are being resolved, outermost first. */
  resolve(sql: string, path: readonly string[]): string {
    this.#chars += sql.length;
    if (this.#chars > maxChars || path.length > maxLevels)
      throw new ConfigError("its SQL becomes too long when the cards and snippets in it are written out");
    return this.#withoutOptional(sql).replaceAll(tag, (_, card: string | undefined, snippet: string | undefined) =>
      card === undefined ? this.#snippet(snippet ?? "", path) : this.#card(Number(card), path),
    );
  }

  #card(id: number, path: readonly string[]): string {
    const name = `card ${id}`;
    if (path.includes(name)) throw circle([...path, name]);
    const sql = this.#library.cardSql(id);
    if (sql === undefined)
      throw new ConfigError(`it uses ${name}, which is archived, has no SQL, or is not shown to this login`);
    this.cards.add(id);
    return `(${this.resolve(sql.trim().replace(/;+\s*$/, ""), [...path, name])})`;
  }

  #snippet(name: string, path: readonly string[]): string {
    const step = `snippet ${name}`;
    if (path.includes(step)) throw circle([...path, step]);
    const content = this.#library.snippet(name);
    if (content === undefined) throw new ConfigError(`it uses the snippet ${name}, which there is not`);
    return this.resolve(content, [...path, step]);
  }

  #withoutOptional(sql: string): string {
    return sql.replaceAll(/\[\[([^\][]{0,2000})\]\]/g, (whole, clause: string) => {
      if (!clause.includes("{{")) return whole;
      this.optional.push(clause.trim());
      return "";
    });
  }
}

function circle(path: readonly string[]): ConfigError {
  return new ConfigError(`it uses itself: ${path.join(" → ")}`);
}
