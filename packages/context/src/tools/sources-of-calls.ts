/**
 * Finds what a tool call has read, for programs that show or check the sources of an answer. The schemas only describe the parts of the
 * tools' results that these functions read.
 */
import type { StructuredRows } from "@bridle/warehouse";
import { z } from "zod";
import { formatTableId } from "../facts/identifiers.ts";

/** The names of the tools whose calls read data or pages. */
export const runSqlName = "run_sql";
export const queryMetricsName = "query_metrics";
export const readPageName = "read_page";

const rowsShape = {
  columns: z.array(z.object({ type: z.string() })).readonly(),
  /** One list of values for each row, in the order of the columns. */
  rows: z.array(z.array(z.json()).readonly()).readonly(),
  truncated: z.string().optional(),
};

const runSqlInput = z.object({ statement: z.string(), connection: z.string().optional() });
const runSqlOutput = z.object({
  ...rowsShape,
  tables: z.array(z.object({ schema: z.string(), table: z.string() })).readonly(),
  masked: z.array(z.string()).readonly().default([]),
});
const queryMetricsOutput = z.object({
  ...rowsShape,
  connection: z.string(),
  sql: z.string(),
  tables: z.array(z.string()).readonly(),
});

/** A page that was read, with the documents that support it. */
export const pageSourcesSchema = z.object({
  page: z.string(),
  title: z.string(),
  sources: z
    .array(
      z.object({
        source: z.string(),
        item: z.string(),
        title: z.string().optional(),
        updated: z.string().optional(),
        location: z.string().optional(),
      }),
    )
    .readonly(),
});
const readPageOutput = pageSourcesSchema.extend({ text: z.string() });

/** The parts of the tools' structured outputs that these functions read. */
export type RunSqlOutput = WithRows<z.input<typeof runSqlOutput>>;
export type QueryMetricsOutput = WithRows<z.input<typeof queryMetricsOutput>>;
export type ReadPageOutput = z.input<typeof readPageOutput>;

type WithRows<T> = Omit<T, "rows"> & Pick<StructuredRows, "rows">;

/** A tool call, as events and test results contain it. */
export interface CalledTool {
  readonly tool: string;
  readonly input: unknown;
  /** The structured output. Undefined if the call has none, for example because it was denied. */
  readonly structured?: unknown;
}

/** A statement that a model wrote, or that a metric query was compiled to. */
export interface CalledStatement {
  readonly connection: string;
  readonly sql: string;
  /** Undefined if the statement failed. */
  readonly result?: ReadRows | undefined;
}

export interface ReadRows extends Omit<z.output<typeof runSqlOutput>, "tables"> {
  /** The ids of the tables that the statement read, such as `shop.public.orders`. */
  readonly tables: readonly string[];
}

/**
 * Returns the statement of a `run_sql` or `query_metrics` call. Undefined for other calls, and for a metric query that was refused. `only`
 * is the connection of calls that do not name one. Such calls are possible if there is only one connection.
 */
export function statementOfCall({ tool, input, structured }: CalledTool, only: string): CalledStatement | undefined {
  if (tool === queryMetricsName) {
    const output = queryMetricsOutput.safeParse(structured).data;
    if (output === undefined) return undefined;
    const { connection, sql, ...rows } = output;
    const tables = output.tables.map((name) => `${connection}.${name}`);
    return { connection, sql, result: { ...rows, masked: [], tables } };
  }
  const given = tool === runSqlName ? runSqlInput.safeParse(input).data : undefined;
  if (given === undefined) return undefined;
  const { connection = only, statement: sql } = given;
  const output = runSqlOutput.safeParse(structured).data;
  const result = output && { ...output, tables: output.tables.map((name) => formatTableId({ connection, ...name })) };
  return { connection, sql, result };
}

/**
 * Returns the page that a `read_page` call read, with the sources that its text cites, or with all sources if the text has no citation
 * marks.
 */
export function pageOfCall({ tool, structured }: CalledTool): z.output<typeof pageSourcesSchema> | undefined {
  const output = tool === readPageName ? readPageOutput.safeParse(structured).data : undefined;
  if (output === undefined) return undefined;
  const { page, title, sources, text } = output;
  const marks = new Set(Array.from(text.matchAll(/(?<!\\)\[(\d{1,3})\]/g), ([, number]) => Number(number)));
  return { page, title, sources: marks.size === 0 ? sources : sources.filter((_, index) => marks.has(index + 1)) };
}
