import { Discriminators } from "./discriminators.ts";
import { type ColumnProfile, isContent, type TableProfile } from "./profile.ts";
import { SchemaNames } from "./schema-names.ts";
import { Vocabulary } from "./vocabulary.ts";

/** A column with facts that follow from the profiles of the whole schema. */
export interface ColumnFacts extends ColumnProfile {
  readonly table: TableOfSchema;
  /** The column's position among all columns of the schema. */
  readonly number: number;
  /** The column's position in the table. */
  readonly position: number;
  readonly words: readonly string[];
  /** Whether the column has a value in at least 98 % of the rows. */
  readonly full: boolean;
  /** Whether the column is full, and at least 98 % of its values occur once. */
  readonly unique: boolean;
  /** Whether the column's values can identify rows at all. False for measures and long strings. */
  readonly usable: boolean;
  /** How often tables have a unique first column whose name ends in the same word, from 0 to 1. */
  readonly keyWord: number;
  /** Whether another column of the table names the target table for each row, so that a link to a single table would be wrong. */
  readonly discriminated: boolean;
}

export interface TableOfSchema {
  readonly profile: TableProfile;
  readonly words: readonly string[];
  /** The number of rows that do not repeat another one. */
  readonly rows: number;
  readonly columns: readonly ColumnFacts[];
}

export interface SchemaFacts {
  readonly tables: readonly TableOfSchema[];
  readonly columns: readonly ColumnFacts[];
  readonly vocabulary: Vocabulary;
  readonly names: SchemaNames;
  /** Words that are the whole name of unique columns in several tables. Alone, they reveal nothing about the table. */
  readonly genericWords: ReadonlySet<string>;
  /** The share of columns with a word that another table has, too. This shows how informative names are in the schema. */
  readonly named: number;
  /**
   * The share of tables with a key-like first column, among the tables with a key-like column. This shows how informative the order of
   * columns is.
   */
  readonly ordered: number;
  /** The share of the tables with few rows. In teaching databases, link tables often have no key. */
  readonly small: number;
}

/** Whether too few columns share a word with another table for names to be informative. */
export function hasFewNames({ named }: Pick<SchemaFacts, "named">): boolean {
  return named < 0.25;
}

/** The maximum number of rows of a small table. */
const fewRows = 20;

export function describeSchema(profiles: readonly TableProfile[]): SchemaFacts {
  const vocabulary = new Vocabulary(profiles);
  const discriminators = new Discriminators(profiles, vocabulary);
  const endings = countEndings(profiles, vocabulary);
  const columns: ColumnFacts[] = [];
  const tables = profiles.map((profile) => {
    const table = describeTable(profile, columns.length, vocabulary, endings, discriminators.discriminatedBy(profile));
    for (const column of table.columns) columns.push(column);
    return table;
  });
  const names = new SchemaNames(profiles);
  const genericWords = findGenericWords(tables, columns);
  return {
    tables,
    columns,
    vocabulary,
    names,
    genericWords,
    named: shareOfNamed(tables),
    ordered: shareOfOrdered(tables),
    small: shareOfSmall(tables),
  };
}

function findGenericWords(tables: readonly TableOfSchema[], columns: readonly ColumnFacts[]): ReadonlySet<string> {
  const users = countWords(columns.map(({ words }) => words));
  const alone = countWords(
    columns.filter(({ unique, words }) => unique && words.length === 1).map(({ words }) => words),
  );
  const max = Math.max(2, 0.3 * tables.length);
  const words = [...alone].filter(([word, count]) => count >= 2 && (users.get(word) ?? 0) >= max);
  return new Set(words.map(([word]) => word));
}

/** Returns the number of lists that contain each word. */
function countWords(lists: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const words of lists) for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function describeTable(
  profile: TableProfile,
  first: number,
  vocabulary: Vocabulary,
  endings: ReadonlyMap<string, number>,
  discriminated: ReadonlySet<number>,
): TableOfSchema {
  const columns: ColumnFacts[] = [];
  const table = { profile, words: vocabulary.ofTable(profile), rows: profile.rows - profile.repeatedRows, columns };
  for (const [position, column] of profile.columns.entries()) {
    const words = vocabulary.ofColumn(profile, position);
    columns.push({
      ...column,
      table,
      number: first + position,
      position,
      words,
      full: isFull(column, profile),
      unique: isUnique(column, profile),
      usable: !isContent(column),
      keyWord: endings.get(words.at(-1) ?? "") ?? 0,
      discriminated: discriminated.has(position),
    });
  }
  return table;
}

function isFull({ filled }: ColumnProfile, { rows }: TableProfile): boolean {
  return rows > 0 && filled >= 0.98 * rows;
}

function isUnique(column: ColumnProfile, table: TableProfile): boolean {
  return isFull(column, table) && column.distinct >= 0.98 * (column.filled - table.repeatedRows);
}

function countEndings(tables: readonly TableProfile[], vocabulary: Vocabulary): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  let keyed = 0;
  for (const table of tables) {
    const [first] = table.columns;
    if (first === undefined || !isUnique(first, table) || first.dates || isContent(first)) continue;
    keyed++;
    const ending = vocabulary.ofColumn(table, 0).at(-1) ?? "";
    counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  return new Map([...counts].map(([ending, count]) => [ending, count / keyed]));
}

/**
 * Computes `SchemaFacts.ordered`. Ignores tables with so few rows that any column may be unique by chance. Counts one additional table in
 * favor of the order, so that few tables prove little.
 */
function shareOfOrdered(tables: readonly TableOfSchema[]): number {
  const telling = tables.filter(({ rows, columns }) => rows >= 10 && columns.some(isKeyLike));
  return (
    (telling.filter(({ columns: [first] }) => first !== undefined && isKeyLike(first)).length + 1) /
    (telling.length + 1)
  );
}

function shareOfSmall(tables: readonly TableOfSchema[]): number {
  const filled = tables.filter(({ rows }) => rows > 0);
  return filled.length === 0 ? 0 : filled.filter(({ rows }) => rows <= fewRows).length / filled.length;
}

function isKeyLike({ unique, usable, dates }: ColumnFacts): boolean {
  return unique && usable && !dates;
}

function shareOfNamed(tables: readonly TableOfSchema[]): number {
  const says = (word: string) => word.length > 1 && !/^\d+$/.test(word);
  const users = countWords(
    tables.map(({ words, columns }) => [words, ...columns.map((each) => each.words)].flat().filter(says)),
  );
  const columns = tables.flatMap((table) => table.columns);
  const counts = countWords(columns.map(({ words }) => words));
  const common = (word: string) => (counts.get(word) ?? 0) > 0.6 * columns.length;
  const shared = new Set([...users].filter(([word, count]) => count >= 2 && !common(word)).map(([word]) => word));
  const named = columns.filter(({ words }) => words.some((word) => shared.has(word)));
  return columns.length === 0 ? 0 : named.length / columns.length;
}
