import { type AnyTool, defineTool, omitUndefined, type ToolContext, type ToolOutput } from "@bridle/protocol";
import { type QueryResult, structureRows } from "@bridle/warehouse";
import { z } from "zod";
import { formatTableId } from "../facts/identifiers.ts";
import type { KnownJoin } from "../knowledge/known.ts";
import { describeMultiplied, isShown, type MultipliedRows } from "../multiplicity/multiplied-rows.ts";
import { findMultipliedIn } from "../multiplicity/statement-warnings.ts";
import { asLine } from "../replies/reply.ts";
import { addRows } from "../replies/reply-rows.ts";
import { reportWhile } from "../replies/report-while.ts";
import { describeJoin } from "./describe-join.ts";
import { explainRefusal } from "./explain-refusal.ts";
import { describeDrift, LiveStructure, type TableDrift } from "./live-structure.ts";
import { openForCaller } from "./open-for-caller.ts";
import { type RunSqlOutput, runSqlName } from "./sources-of-calls.ts";
import type { ToolBase } from "./tool-base.ts";

/** The maximum time that a finished statement waits for the structure of its database. */
const maxDriftMs = 2_000;

/** The maximum number of rows of a result, unless the model asks for another number. */
const defaultRows = 100;

/** Runs one read-only statement. */
export function runSqlTool(base: ToolBase): AnyTool {
  const live = new LiveStructure(base);
  const [only, ...others] = base.connectionNames;
  const connection = z.string().describe(`The connection: ${base.connectionNames.join(", ")}.`);
  const isSingle = only !== undefined && others.length === 0;
  return defineTool({
    name: runSqlName,
    description:
      "Run one SQL statement that reads, in the dialect of the connection. Unknown tables and columns are refused with the nearest names. The reply says which joins of the statement lose or repeat rows, which columns are masked and whether rows were cut.",
    input: z.object({
      statement: z.string().trim().min(1).describe("One SELECT. Name tables with their schema, such as public.orders."),
      connection: isSingle ? connection.optional() : connection,
      max_rows: z.int().min(1).max(1000).optional().describe(`The most rows to read. Default: ${defaultRows}.`),
    }),
    annotations: { readOnly: true, idempotent: true },
    execute: ({ statement, connection: name = only ?? "", max_rows: rows = defaultRows }, context) =>
      run({ base, live }, name, statement, rows, context),
  });
}

/** What the tool's calls share: the caller's tools, and the current structure of the databases. */
interface Run {
  readonly base: ToolBase;
  readonly live: LiveStructure;
}

async function run(
  { base, live }: Run,
  name: string,
  statement: string,
  maxRows: number,
  { signal, progress }: Pick<ToolContext, "signal" | "progress">,
): Promise<ToolOutput> {
  if (!base.connectionNames.includes(name)) {
    const known = base.connectionNames.slice(0, 20).join(", ");
    return { markdown: `There is no connection of this name that you may use. There are: ${known}.`, isError: true };
  }
  try {
    const warehouse = await openForCaller(base, name, signal);
    const scope = base.scope.forStatement(name, base.notes());
    const running = warehouse.query(statement, { scope, limits: { maxRows }, signal });
    const result = await reportWhile(running, progress, (seconds) => `The statement runs on ${name} for ${seconds} s.`);
    const drift = await findDrift({ base, live }, name, result, signal);
    const { knowledge } = base.options;
    const ran = { connection: name, statement, tables: result.tables };
    return formatResult(base, name, result, drift, findMultipliedIn(ran, knowledge, base.scope.isVisible));
  } catch (error) {
    return explainRefusal(base, name, error);
  }
}

/** Compares the tables that a statement read with the scan's facts. Leaves out tables that no scan found. */
async function findDrift(
  { base, live }: Run,
  connection: string,
  { tables }: QueryResult,
  signal: AbortSignal,
): Promise<readonly DriftOfTable[]> {
  const known = tables.map((table) => base.table(formatTableId({ connection, ...table })));
  const found = known.filter((table) => table !== undefined);
  const drifts = await Promise.all(found.map((table) => live.drift(table, signal, maxDriftMs)));
  return found.flatMap(({ id }, at) => {
    const drift = drifts[at];
    return drift !== undefined && drift.gone.length + drift.added.length > 0 ? [{ table: id, ...drift }] : [];
  });
}

interface DriftOfTable extends TableDrift {
  readonly table: string;
}

function formatDrift({ table, ...drift }: DriftOfTable): string {
  return `${asLine(table, 250)}: ${asLine(describeDrift(drift).lines.join("; "), 400)}`;
}

function formatResult(
  base: ToolBase,
  connection: string,
  result: QueryResult,
  drift: readonly DriftOfTable[],
  multiplied: readonly MultipliedRows[],
): ToolOutput {
  const reply = base.startReply([connection]);
  const joins = joinsOf(base, connection, result);
  const notes = notesOf(result, joins);
  const warnings = multiplied.map((each) => `warning: ${asLine(describeMultiplied(each), 500)}`);
  for (const line of [...warnings, ...notes, ...drift.map(formatDrift)]) reply.add(line);
  const data = structureRows(result);
  const shown = addRows(reply, data);
  for (const sentence of endings(result, shown)) reply.end(sentence);
  if (multiplied.some(isShown))
    reply.end("Rows are counted more than once: see the warning in the data. Correct the statement before you answer.");
  else if (multiplied.length > 0)
    reply.end("Rows may be counted more than once: see the warning in the data. Check it before you answer.");
  if (drift.length > 0) reply.end("Tables have changed since the scan: see the data.");
  const { truncated, tables, masked, filtered, durationMs } = result;
  return {
    markdown: reply.toString(),
    structured: omitUndefined({
      ...data,
      truncated,
      tables,
      masked,
      filtered,
      joins,
      shownRows: shown,
      durationMs,
      ...(drift.length > 0 && { drift }),
      ...(multiplied.length > 0 && { multiplied }),
    }) satisfies RunSqlOutput,
  };
}

/** Returns known joins between the tables of a statement. A result may lack rows without a partner in such a join. */
function joinsOf(base: ToolBase, connection: string, { tables }: QueryResult): readonly KnownJoin[] {
  const ids = new Set(tables.map((table) => formatTableId({ connection, ...table })));
  const joins = [...ids].flatMap((id) => base.options.knowledge.joins(id, base.scope.isVisible));
  const between = joins.filter(({ from, to }) => ids.has(from.table) && ids.has(to.table) && from.table !== to.table);
  return between.filter((join, index) => between.findIndex(({ id }) => id === join.id) === index).slice(0, 8);
}

function notesOf({ masked, filtered }: QueryResult, joins: readonly KnownJoin[]): string[] {
  const list = (names: readonly string[]) =>
    names
      .slice(0, 20)
      .map((name) => asLine(name, 150))
      .join(", ");
  return [
    ...(masked.length > 0 ? [`replaced by digests, because they are sensitive: ${list(masked)}`] : []),
    ...(filtered.length > 0 ? [`rows are left out by a rule of the connection: ${list(filtered)}`] : []),
    ...joins.map((join) => `join: ${describeJoin(join)}`),
  ];
}

function endings({ rows, truncated, tables }: QueryResult, shown: number): string[] {
  const cut =
    shown < rows.length
      ? [`Only ${shown} of ${rows.length} rows fit into this reply. Select fewer columns, or aggregate.`]
      : [];
  const more =
    truncated === undefined
      ? []
      : [`The result was cut by the limit of ${truncated}, so there are more rows. Do not state totals from it.`];
  const size =
    rows.length === 0 ? "The statement returned no rows." : `${rows.length} ${rows.length === 1 ? "row" : "rows"}.`;
  const source = tables.length === 0 ? [] : ["Cite the tables and the statement in your answer."];
  return [size, ...cut, ...more, ...source];
}
