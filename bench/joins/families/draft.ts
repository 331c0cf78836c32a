import type { TableRows } from "../../../packages/context/src/joins/profile-rows.ts";
import type { Random } from "../../scan/random.ts";
import { type Gold, type GoldLink, keyId, linkId } from "../gold.ts";
import { findImplied } from "./implied.ts";

/** A generated database with its known keys and links. */
export interface Generated {
  readonly tables: readonly TableRows[];
  readonly gold: Gold;
}

type Value = bigint | number | string | null;

/** Returns the value of a row. Row numbers start at 0. */
export type Make = (row: number) => Value;

export interface LinkOptions {
  /** The share of rows without a value. */
  readonly nulls?: number;
  /** The share of rows whose value does not occur in the parent. */
  readonly orphans?: number;
  /** The maximum number of parent rows that are linked to, counted from the first row. */
  readonly first?: number;
  /** How many times more often the first parents are linked to than the last ones. 1 means equally often. */
  readonly skew?: number;
  /** Whether rows link to the parents in order, one after another, until all have been used. */
  readonly inOrder?: boolean;
  /** Whether nobody would declare the link. If so, the link counts neither as right nor as wrong. */
  readonly undeclared?: boolean;
  /** The parent's columns that are linked to, if they are not its key. */
  readonly to?: readonly string[];
}

/** A table that is being written, column by column. */
export class DraftTable {
  readonly name: string;
  readonly rows: number;
  readonly columns: { readonly name: string; readonly type: string; readonly values: Value[] }[] = [];
  readonly links: (GoldLink & { readonly undeclared: boolean })[] = [];
  readonly uniqueKeys: (readonly string[])[] = [];
  key: readonly string[] = [];
  readonly #random: Random;

  constructor(name: string, rows: number, random: Random) {
    this.name = name;
    this.rows = rows;
    this.#random = random;
  }

  add(name: string, type: string, make: Make): this {
    const values = Array.from({ length: this.rows }, (_, row) => make(row));
    this.columns.push({ name: this.#freeName(name), type, values });
    return this;
  }

  /** Sets the key that a user would declare. */
  keyed(...names: readonly string[]): this {
    this.key = names;
    return this;
  }

  /** Adds another key, which counts neither as right nor as wrong. */
  unique(...names: readonly string[]): this {
    this.uniqueKeys.push(names);
    return this;
  }

  /** Adds whole numbers from a first one on, with some left out. */
  serial(name: string, first = 1, gaps = 0): this {
    let number = first - 1;
    return this.add(name, "INTEGER", () => {
      number += 1 + (this.#random.next() < gaps ? Math.ceil(3 * this.#random.next()) : 0);
      return BigInt(number);
    });
  }

  /** Adds columns with the values of a parent row. */
  link(names: readonly string[], parent: DraftTable, options: LinkOptions = {}): this {
    const { nulls = 0, orphans = 0, undeclared = false, to = parent.key } = options;
    const chosen = Array.from({ length: this.rows }, (_, row) => this.#chooseParent(row, parent, options));
    const drawn = chosen.map(() => this.#random.next());
    const added = to.map((target, at) => {
      const own = parent.columns.find((column) => column.name === target);
      if (own === undefined) throw new Error(`${parent.name} has no column ${target}.`);
      this.add(names[at] ?? target, own.type, (row) => {
        const draw = drawn[row] ?? 1;
        if (draw < nulls) return null;
        const value = own.values[chosen[row] ?? 0] ?? null;
        return draw < nulls + orphans ? orphanOf(value, row) : value;
      });
      return this.columns.at(-1)?.name ?? "";
    });
    const link = { from: { table: this.name, columns: added }, to: { table: parent.name, columns: to } };
    if (this.rows > 0 && parent.rows > 0) this.links.push({ ...link, undeclared });
    return this;
  }

  /** Adds a link of columns that the table already has. */
  declare(columns: readonly string[], parent: DraftTable, to: readonly string[] = parent.key): this {
    const link = { from: { table: this.name, columns }, to: { table: parent.name, columns: to } };
    if (this.rows > 0 && parent.rows > 0) this.links.push({ ...link, undeclared: false });
    return this;
  }

  valuesOf(name: string): readonly Value[] {
    return this.columns.find((column) => column.name === name)?.values ?? [];
  }

  #chooseParent(row: number, parent: DraftTable, { first, skew = 2, inOrder = false }: LinkOptions): number {
    const rows = Math.min(parent.rows, first ?? parent.rows);
    if (inOrder) return row % Math.max(1, rows);
    // With a skew above 1, the first parents are chosen more often.
    return Math.min(rows - 1, Math.floor(rows * this.#random.next() ** skew));
  }

  #freeName(name: string): string {
    let free = name;
    while (this.columns.some((column) => column.name.toLowerCase() === free.toLowerCase())) free += "2";
    return free;
  }
}

function orphanOf(value: Value, row: number): Value {
  return typeof value === "string" ? `?${row}` : BigInt(800_000 + row);
}

/** Returns the tables in the order in which a catalog lists them, and their known keys and links. */
export function finishDraft(drafts: readonly DraftTable[]): Generated {
  const tables = drafts.map(({ name, rows, columns }) => ({
    id: name,
    name,
    columns: columns.map((column) => ({ name: column.name, type: column.type })),
    rows: Array.from({ length: rows }, (_, row) => columns.map(({ values }) => values[row] ?? null)),
  }));
  const declared = drafts.flatMap(({ links }) => links);
  const counted = declared.filter(({ undeclared, from }) => !undeclared && hasValue(from, drafts));
  const filled = drafts.filter(({ rows, key }) => rows > 0 && key.length > 0);
  const links = new Set(counted.map(linkId));
  const rest = declared.filter((link) => !counted.includes(link));
  const implied = findImplied(declared, tables).filter((id) => !links.has(id));
  return {
    tables,
    gold: {
      keys: new Set(filled.map(({ name, key }) => keyId({ table: name, columns: key }))),
      links,
      composites: new Set(counted.filter(({ from }) => from.columns.length > 1).map(linkId)),
      neutral: new Set([
        ...drafts.flatMap(({ name, uniqueKeys }) => uniqueKeys.map((columns) => keyId({ table: name, columns }))),
        ...rest.map(linkId),
        ...implied,
      ]),
      keyedTables: new Set(filled.map(({ name }) => name.toLowerCase())),
      foreignKeys: counted,
      completeKeys: true,
    },
  };
}

function hasValue({ table, columns }: GoldLink["from"], drafts: readonly DraftTable[]): boolean {
  const own = drafts.find(({ name }) => name === table);
  return columns.every((column) => own?.valuesOf(column).some((value) => value !== null));
}
