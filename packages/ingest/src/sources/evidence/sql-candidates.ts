/** Finds candidates in the SQL of a card or a log: joins between tables, and measures of single tables. */
import { readQueryShape, type ShapeAggregate, type ShapeColumn, type StatementShape } from "@bridle/context";
import type { LogSyntax } from "@bridle/sql";
import { joinName } from "@bridle/warehouse";
import type { Candidate } from "../candidate.ts";
import type { ProjectionContext } from "../source.ts";
import { columnId } from "./column-id.ts";
import { projected } from "./item-text.ts";

export interface SqlText {
  readonly source: string;
  readonly item: string;
  readonly sql: string;
  /** The position of the SQL in the item's text. */
  readonly start: number;
  readonly connection?: string | undefined;
  readonly tokens?: LogSyntax | undefined;
}

type Names = Pick<ProjectionContext, "findTable" | "findColumn">;

/** Finds joins between known tables. Never guesses names. */
export function joinsInSql(text: SqlText, context: Names): readonly Candidate[] {
  const shape = readQueryShape(text.sql, text.tokens);
  return (shape?.joins ?? []).flatMap((join) => {
    const [from, to] = [join.from, join.to].map((columns) =>
      columns.map((each) => idOf(each, text.connection, context)),
    );
    const isCertain = !join.isConditional && [...(from ?? []), ...(to ?? [])].every((id) => id !== undefined);
    if (!isCertain || from === undefined || to === undefined || from.length > 8) return [];
    const body = { kind: "join", from: from.flatMap((id) => id ?? []), to: to.flatMap((id) => id ?? []) } as const;
    return [projected(body, { ...placeOf(text), ...quoteSql(text, join) })];
  });
}

/** Finds named aggregates of one table with simple filters and without parameters. */
export function measuresInSql(text: SqlText, context: Names): readonly Candidate[] {
  const shape = readQueryShape(text.sql, text.tokens);
  const [name] = shape?.tables ?? [];
  if (shape === undefined || name === undefined || !shape.isSimple) return [];
  const table = findNamedTable(name, text.connection, context);
  const filters = filtersOf(shape, text.sql);
  if (table === undefined || filters === undefined) return [];
  return shape.aggregates.flatMap((aggregate) => {
    const entry = measureOf(aggregate);
    if (entry === undefined) return [];
    const model = name.at(-1)?.toLowerCase() ?? "";
    const whole = { ...entry, ...(filters.length > 0 ? { filters: [...filters] } : {}) };
    const body = { kind: "model-part", model, table, part: "measure", name: entry.name, entry: whole } as const;
    const end = Math.max(aggregate.end, ...shape.filters.map((filter) => filter.end));
    const quote = text.sql.slice(aggregate.start, end);
    return quote.length > maxQuoted
      ? []
      : [projected(body, { ...placeOf(text), quote, start: text.start + aggregate.start })];
  });
}

const maxQuoted = 1_900;
/** The minimum length of a quote. A shorter one could match anywhere. */
const minQuoted = 20;

/** Quotes a part of the SQL, and if it is short, the words around it, too. */
function quoteSql({ sql, start: offset }: SqlText, part: { readonly start: number; readonly end: number }) {
  const isShort = part.end - part.start < minQuoted;
  const start = isShort ? part.start - wordsBefore(sql.slice(Math.max(0, part.start - 60), part.start)) : part.start;
  return { quote: sql.slice(start, Math.min(part.end, start + maxQuoted)), start: offset + start };
}

/** Returns the length of the last complete words. */
function wordsBefore(text: string): number {
  return (/(?:^|\s)(\S+\s+\S+\s+(?:\S+\s+){0,3})$/.exec(text)?.[1] ?? "").length;
}

/**
 * A meaningful name: letters and digits, with single underscores between them. Names such as `n` or `x1` are excluded elsewhere, by their
 * length.
 */
const meaningful = /^\p{L}[\p{L}\p{N}]*(?:_[\p{L}\p{N}]+)*$/u;
const aggregations: Readonly<Record<string, string>> = {
  sum: "sum",
  count: "count",
  avg: "avg",
  min: "min",
  max: "max",
  median: "median",
};

function measureOf({ function: called, isDistinct, column, isOfRows, alias }: ShapeAggregate) {
  const agg = isDistinct && called === "count" ? "count_distinct" : aggregations[called];
  const name = alias?.toLowerCase();
  const isNamed = name !== undefined && name.length > 3 && meaningful.test(name);
  if (agg === undefined || !isNamed || (isDistinct && called !== "count") || (column === undefined && !isOfRows))
    return undefined;
  return { name, agg, ...(column === undefined ? {} : { expr: column.column }) };
}

/** Returns the filters; undefined if one has a parameter and so differs between runs. */
function filtersOf({ filters }: StatementShape, sql: string): readonly string[] | undefined {
  const texts = filters.map(({ start, end, on }) => {
    const text = sql.slice(start, end).replaceAll(/\s+/g, " ");
    const position = text.toLowerCase().indexOf(on.column.toLowerCase());
    return text.slice(position).replace(/^([\w]+)["`\]]/, "$1");
  });
  return texts.some((text) => /[?$@:]|\{\{|%s/.test(text)) ? undefined : texts;
}

function idOf({ table, column }: ShapeColumn, connection: string | undefined, context: Names): string | undefined {
  const id = findNamedTable(table, connection, context);
  return id === undefined ? undefined : columnId(id, column, context);
}

/** Finds a table by its name in another tool, which may put the database's name first. */
export function findNamedTable(
  name: readonly string[],
  connection: string | undefined,
  { findTable: find }: Names,
): string | undefined {
  const names = [name, ...(name.length > 2 ? [name.slice(1)] : [])].map(joinName);
  const own = connection === undefined ? [] : names.map((each) => find(`${connection}.${each}`));
  return own.find((each) => each !== undefined) ?? names.map((each) => find(each)).find((each) => each !== undefined);
}

function placeOf({ source, item }: SqlText) {
  return { source, item };
}
