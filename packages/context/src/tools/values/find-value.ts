import { type AnyTool, counted, defineTool, type ToolContext, type ToolOutput } from "@bridle/protocol";
import type { Warehouse } from "@bridle/warehouse";
import { z } from "zod";
import { findDialect } from "../../facts/find-dialect.ts";
import type { KnownColumn, KnownTable } from "../../knowledge/known.ts";
import { asLine } from "../../replies/reply.ts";
import { reportWhile } from "../../replies/report-while.ts";
import { toText } from "../../scan/join-questions.ts";
import { openForCaller } from "../open-for-caller.ts";
import type { ToolBase } from "../tool-base.ts";
import { alikeTo, matchStoredValue } from "./value-condition.ts";

const input = z.object({
  value: z.string().trim().min(1).max(200).describe("A value as it may be stored, such as Berlin or SKU-1042."),
  table: z.string().trim().optional().describe("Look in this table only, such as warehouse.public.orders."),
});

/** The limits of one call: statements, and milliseconds. */
const [maxStatements, maxMs] = [12, 20_000];

/** The number of a table's columns that one statement compares. */
const columnsPerStatement = 40;

interface FoundValue {
  readonly table: string;
  readonly column: string;
  /** The value as stored, in one of its spellings. */
  readonly value: string;
  /** The number of rows with the value; undefined if the value is known from the scan. */
  readonly rows?: number | undefined;
}

/** Finds the columns that contain a value. Sensitive columns are never compared. */
export function findValueTool(base: ToolBase): AnyTool {
  return defineTool({
    name: "find_value",
    description:
      "Find the columns in which a value occurs, such as the name of a city or a status. Use it when you do not know how a value is written or where it is. Upper and lower case are the same.",
    input,
    annotations: { readOnly: true, idempotent: true },
    execute: ({ value, table }, context) => run(base, value, table, context),
  });
}

async function run(
  base: ToolBase,
  value: string,
  name: string | undefined,
  { signal, progress }: Pick<ToolContext, "signal" | "progress">,
): Promise<ToolOutput> {
  const named = name === undefined ? undefined : base.names.find(name, base.scope.isVisible);
  if (named !== undefined && named.kind !== "table") return base.explainName(name ?? "", named);
  const wanted = named === undefined ? base.options.knowledge.tables(base.scope.isVisible) : [base.table(named.id)];
  const tables = [...wanted].filter((table) => table !== undefined);
  const lookup = new ValueLookup(base, value, signal);
  const isAlike = alikeTo(value);
  const known = tables.flatMap((table) => knownIn(table, isAlike));
  const isKnown = (table: KnownTable) => known.some((found) => found.table === table.id);
  const candidates = tables.filter((table) => !isKnown(table)).sort((a, b) => sizeOf(a) - sizeOf(b));
  const parts = candidates.flatMap((table) => divide(comparable(table)).map((columns) => ({ table, columns })));
  const looking = lookup.askAll(parts);
  await reportWhile(looking, progress, () => `Looked into ${lookup.asked} of ${counted(parts.length, "table")}.`);
  return format(base, value, [...known, ...lookup.found], lookup);
}

/** A table with as many of its columns as one statement compares. */
interface TablePart {
  readonly table: KnownTable;
  readonly columns: readonly KnownColumn[];
}

function divide(columns: readonly KnownColumn[]): readonly (readonly KnownColumn[])[] {
  const count = Math.ceil(columns.length / columnsPerStatement);
  return Array.from({ length: count }, (_, at) =>
    columns.slice(at * columnsPerStatement, (at + 1) * columnsPerStatement),
  );
}

/** Finds the value among the scan's frequent values, without a statement. */
function knownIn({ id, columns }: KnownTable, isAlike: (text: string) => boolean): FoundValue[] {
  const open = columns.filter(({ sensitive }) => sensitive === undefined);
  return open.flatMap(({ name, profile }) => {
    const same = (profile?.frequent ?? []).filter((each) => isAlike(each.value));
    return same.map((each) => ({ table: id, column: name, value: each.value }));
  });
}

function comparable({ columns }: KnownTable): readonly KnownColumn[] {
  const isText = ({ type }: KnownColumn) => type === "text" || type === "uuid";
  const canHold = ({ profile }: KnownColumn) => profile === undefined || profile.rows === 0 || profile.distinct > 0;
  return columns.filter((column) => column.sensitive === undefined && isText(column) && canHold(column));
}

function sizeOf({ rows = 0 }: KnownTable): number {
  return rows;
}

class ValueLookup {
  readonly found: FoundValue[] = [];
  readonly problems: string[] = [];
  /** Tables with columns that were not compared. */
  readonly skipped = new Set<string>();
  asked = 0;
  readonly #base: ToolBase;
  readonly #value: string;
  readonly #signal: AbortSignal;
  readonly #until: number;

  constructor(base: ToolBase, value: string, signal: AbortSignal) {
    this.#base = base;
    this.#value = value;
    this.#signal = signal;
    this.#until = performance.now() + maxMs;
  }

  async askAll(parts: readonly TablePart[]): Promise<void> {
    for (const { table, columns } of parts) await this.#ask(table, columns);
  }

  async #ask(table: KnownTable, columns: readonly KnownColumn[]): Promise<void> {
    if (this.asked >= maxStatements || performance.now() > this.#until) {
      this.skipped.add(table.id);
      return;
    }
    this.asked += 1;
    try {
      const warehouse = await openForCaller(this.#base, table.connection, this.#signal);
      await this.#count(warehouse, table, columns);
    } catch (error) {
      this.#signal.throwIfAborted();
      this.problems.push(`${table.id}: ${error instanceof Error ? error.message : "it could not be read"}`);
    }
  }

  async #count(warehouse: Warehouse, table: KnownTable, columns: readonly KnownColumn[]): Promise<void> {
    const dialect = findDialect(warehouse);
    const parts = columns.map(({ name, nativeType }) => {
      const text = toText(dialect.id, dialect.quoteIdentifier(name), nativeType);
      const matches = matchStoredValue(dialect, text, this.#value);
      return `SUM(CASE WHEN ${matches} THEN 1 ELSE 0 END), MIN(CASE WHEN ${matches} THEN ${text} END)`;
    });
    const scope = this.#base.scope.forStatement(table.connection, this.#base.notes());
    const timeoutMs = Math.max(1, Math.round(this.#until - performance.now()));
    const limits = { maxRows: 1, timeoutMs };
    const statement = `SELECT ${parts.join(", ")} FROM ${dialect.quoteTable(table)}`;
    const { rows, masked } = await warehouse.query(statement, { scope, limits, signal: this.#signal });
    for (const [index, { name }] of columns.entries()) {
      const [count, stored] = [Number(rows[0]?.[2 * index] ?? 0), rows[0]?.[2 * index + 1]];
      const isMasked = masked.some((each) => each.endsWith(`.${name}`));
      const value = typeof stored === "string" ? stored : this.#value;
      if (count > 0 && !isMasked) this.found.push({ table: table.id, column: name, value, rows: count });
    }
  }
}

function formatFound({ table, column, value, rows }: FoundValue): string {
  const count = rows === undefined ? "frequent" : counted(rows, "row");
  return `- ${asLine(`${table}.${column}`, 300)}: "${asLine(value, 200)}", ${count}`;
}

function format(
  base: ToolBase,
  value: string,
  found: readonly FoundValue[],
  { skipped: { size: skipped }, problems }: ValueLookup,
): ToolOutput {
  const reply = base.startReply();
  const shown = found.filter((each, index) => {
    return index === 0 ? reply.addPart(formatFound(each)) : reply.add(formatFound(each));
  });
  if (shown.length < found.length) reply.end(`${found.length - shown.length} more columns did not fit. Name a table.`);
  for (const problem of problems.slice(0, 5)) reply.add(`could not be read: ${asLine(problem, 200)}`);
  if (found.length === 0) reply.end(`No column that was looked at has this value.`);
  if (skipped > 0)
    reply.end(
      `${skipped} tables were not looked at completely, because a call may run ${maxStatements} statements. Name a table.`,
    );
  reply.end("Sensitive columns are never looked at.");
  return { markdown: reply.toString(), structured: { value, found, skippedTables: skipped } };
}
