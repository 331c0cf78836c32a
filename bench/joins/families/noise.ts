import type { DraftTable } from "./draft.ts";
import type { Words } from "./words.ts";

/** Adds columns that link to nothing, as real tables have them: numbers within the ranges of many keys, flags, constants, dates, text. */
export function addNoise(table: DraftTable, words: Words, count: number): void {
  for (let each = 0; each < count; each++) words.pick(makers)(table, words);
}

const makers: readonly ((table: DraftTable, words: Words) => void)[] = [
  (table, words) => table.add(words.name(words.label()), "TEXT", () => `${words.text()} ${words.text()}`),
  (table, words) => table.add(words.name(words.label()), "TEXT", () => `${words.text()} ${words.text()}`),
  (table, words) => {
    const nulls = words.chance(0.4) ? 0.3 : 0;
    table.add(words.name(words.measure()), "REAL", () =>
      words.chance(nulls) ? null : Math.round(words.random.next() * 1e5) / 100,
    );
  },
  // Numbers as small as the keys of small tables, in some tables with gaps.
  (table, words) => {
    const max = words.pick([5, 12, 31, 60, 100, 500]);
    const min = words.pick([0, 1, 1, 3]);
    const nulls = words.chance(0.4) ? words.pick([0.1, 0.3, 0.7]) : 0;
    table.add(words.name(words.counter()), "INTEGER", () =>
      words.chance(nulls) ? null : BigInt(words.between(min, max)),
    );
  },
  (table, words) => {
    const start = words.between(1900, 2010);
    const nulls = words.chance(0.4) ? 0.3 : 0;
    table.add(words.name(words.pick(["founded", "built", "began"]), "year"), "INTEGER", () =>
      words.chance(nulls) ? null : BigInt(words.between(start, 2024)),
    );
  },
  (table, words) => table.add(words.name("is", words.flag()), "INTEGER", () => BigInt(words.chance(0.3) ? 1 : 0)),
  (table, words) => table.add(words.name(words.day()), "DATE", () => words.date()),
  (table, words) => {
    const kinds = Array.from({ length: words.between(2, 6) }, () => words.text().toUpperCase().slice(0, 5));
    table.add(words.name(words.pick(["mode", "state", "class"])), "TEXT", () => words.pick(kinds));
  },
  (table, words) => {
    const constant = BigInt(words.between(0, 9));
    table.add(words.name(words.pick(["version", "edits_pending", "tenant_no"])), "INTEGER", () => constant);
  },
];

/** Adds a text column that names the row, often a different text for each row. */
export function addTitle(table: DraftTable, words: Words): void {
  const unique = words.chance(0.6);
  const name = words.name(words.pick(["name", "title", "label"]));
  table.add(name, "TEXT", (row) => `${words.text()} ${words.text()}${unique ? ` ${row + 1}` : ""}`);
  if (unique) table.unique(name);
}
