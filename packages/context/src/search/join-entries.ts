import { sha256 } from "@bridle/core";
import type { EntryKind, SearchEntry } from "../facts/entry-kind.ts";
import type { TablePath } from "../facts/identifiers.ts";
import { parseTableId } from "../facts/parse-identifier.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { KnownJoin } from "../knowledge/known.ts";

/** Defines entries for joins, found by the names of their ends, their condition and the reason for a decision. */
export function joinEntries(knowledge: Knowledge): EntryKind {
  return {
    kind: "join",
    *entries() {
      for (const join of knowledge.joins()) yield toEntry(join);
    },
  };
}

function toEntry({ id, from, to, condition = "", reason = "" }: KnownJoin): SearchEntry {
  const ends = [from, to].map(({ table, columns }) => ({ path: parseTableId(table), columns }));
  const tables = ends.map(({ path }) => path).filter((path): path is TablePath => path !== undefined);
  const columns = ends.flatMap((end) => end.columns);
  return {
    id,
    fingerprint: sha256(JSON.stringify([from, to, condition, reason])),
    tables,
    fields: [
      { texts: tables.map(({ table }) => table), weight: 2, usualLength: 6 },
      { texts: columns, weight: 1, usualLength: 4 },
      { texts: [condition, reason], weight: 1, usualLength: 10 },
    ],
  };
}
