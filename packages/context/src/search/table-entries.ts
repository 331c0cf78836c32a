import { sha256 } from "@bridle/core";
import type { EntryKind, SearchEntry } from "../facts/entry-kind.ts";
import { splitCompoundName } from "../facts/search-words.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { KnownColumn, KnownTable } from "../knowledge/known.ts";

/** Defines entries for tables, with their columns, descriptions and frequent values. The facts contain no values of sensitive columns. */
export function tableEntries(knowledge: Knowledge): EntryKind {
  return {
    kind: "table",
    *entries() {
      for (const table of knowledge.tables()) yield toEntry(table);
    },
  };
}

function toEntry(table: KnownTable): SearchEntry {
  const { id, columns, description } = table;
  const described = columns.flatMap((column) => column.description?.text ?? []);
  const values = columns.flatMap(valuesOf);
  const names = columns.map(({ name }) => name);
  return {
    id,
    fingerprint: sha256(JSON.stringify([table.table, description?.text, names, described, values])),
    tables: [table],
    fields: [
      { texts: [table.table], weight: 4, usualLength: 3 },
      { texts: [table.schema, table.connection], weight: 0.3, usualLength: 2 },
      { texts: [description?.text ?? ""], weight: 2.5, usualLength: 12 },
      { texts: names, weight: 1.5, usualLength: 30 },
      { texts: described, weight: 1.2, usualLength: 60 },
      { texts: values, weight: 0.8, usualLength: 40 },
    ],
    meaning: meaningOf(table, names, described),
  };
}

/** The maximum length of a value. Longer values are free text, whose words do not describe the table. */
const maxValueLength = 60;

function valuesOf({ profile, sensitive }: KnownColumn): readonly string[] {
  if (sensitive !== undefined || profile === undefined) return [];
  return profile.frequent
    .map(({ value }) => value)
    .filter((value) => value.length <= maxValueLength && /\p{L}/u.test(value));
}

/** The maximum length of a text to embed. Many embedding models would cut a longer text. */
const maxChars = 1500;

/** Returns the text to embed, which contains no values. */
function meaningOf({ table, description }: KnownTable, names: readonly string[], described: readonly string[]): string {
  const inWords = (name: string) => splitCompoundName(name).join(" ");
  const parts = [inWords(table), description?.text, names.map(inWords).join(", "), described.join(" ")];
  return parts.filter(Boolean).join(". ").slice(0, maxChars).toWellFormed();
}
