import { splitName } from "../joins/names.ts";
import type { KnownTable } from "../knowledge/known.ts";
import { estimateReplyTokens } from "../replies/estimate-tokens.ts";
import { formatChild, formatParent } from "./join-prompt.ts";

/** The tables of one request. The request numbers them by their positions here, from 1. */
export interface JoinBatch {
  /** Tables to propose joins for. */
  readonly own: readonly KnownTable[];
  /** Other tables that joins may lead to. */
  readonly others: readonly KnownTable[];
  /** The number of other tables with a key that did not fit. */
  readonly left: number;
}

/** The maximum number of tokens of each part of a request. */
const limits = { own: 4000, others: 4000 };

/** Puts every table into the `own` list of exactly one batch. If not all other tables fit, those with names in common come first. */
export function toJoinBatches(tables: readonly KnownTable[]): readonly JoinBatch[] {
  const groups: KnownTable[][] = [];
  let left = 0;
  for (const table of tables) {
    const tokens = estimateReplyTokens(formatChild(table, 1));
    if (groups.length === 0 || tokens > left) {
      groups.push([]);
      left = limits.own;
    }
    groups.at(-1)?.push(table);
    left -= tokens;
  }
  const words = new Map(tables.map((table) => [table, wordsOf(table)]));
  return groups.map((own) => withOthers(own, tables, words));
}

function withOthers(
  own: readonly KnownTable[],
  tables: readonly KnownTable[],
  words: ReadonlyMap<KnownTable, ReadonlySet<string>>,
): JoinBatch {
  const wanted = new Set(own.flatMap((table) => [...(words.get(table) ?? [])]));
  const schemas = new Set(own.map(({ schema }) => schema));
  const rank = (table: KnownTable) =>
    [...(words.get(table) ?? [])].filter((word) => wanted.has(word)).length + (schemas.has(table.schema) ? 0.5 : 0);
  const candidates = tables.filter((table) => !own.includes(table)).map((table) => ({ table, rank: rank(table) }));
  const others: KnownTable[] = [];
  let [tokens, left] = [0, 0];
  for (const { table } of candidates.toSorted((a, b) => b.rank - a.rank)) {
    const line = formatParent(table, tables.length);
    if (line === undefined) continue;
    tokens += estimateReplyTokens(line);
    if (tokens > limits.others) left += 1;
    else others.push(table);
  }
  return { own, others, left };
}

function wordsOf({ table, columns }: KnownTable): ReadonlySet<string> {
  return new Set([table, ...columns.map(({ name }) => name)].flatMap(splitName));
}
