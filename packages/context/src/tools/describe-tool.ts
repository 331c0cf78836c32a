import { type AnyTool, defineTool, omitUndefined, type ToolOutput } from "@bridle/protocol";
import { z } from "zod";
import type { KnownJoin, KnownTable } from "../knowledge/known.ts";
import { asLine, type FencedReply } from "../replies/reply.ts";
import type { ContextPage } from "../wiki/context-page.ts";
import { describeNamedPage } from "../wiki/page-lines.ts";
import { formatColumn, formatDescription } from "./describe-column.ts";
import { describeJoin } from "./describe-join.ts";
import { describeDrift, LiveStructure } from "./live-structure.ts";
import type { ToolBase } from "./tool-base.ts";

const input = z.object({
  name: z
    .string()
    .trim()
    .optional()
    .describe("A table or column, such as warehouse.public.orders or orders. Without a name, the tables are listed."),
  from: z.int().min(0).optional().describe("Where to continue a list that was cut, as the reply says. Default: 0."),
});

/** Shows the knowledge about one table, a part at a time. */
export function describeTableTool(base: ToolBase): AnyTool {
  const details = new TableDetails(base);
  return defineTool({
    name: "describe",
    description:
      "Read what is known about a table: its columns with types, values and descriptions, its key, its joins with the share of rows without a partner, and the pages about it. Without a name it lists the tables.",
    input,
    annotations: { readOnly: true, idempotent: true },
    execute: async ({ name = "", from = 0 }, { signal }) =>
      name === "" ? listTables(base, from) : details.run(name, from, signal),
  });
}

function listTables(base: ToolBase, from: number): ToolOutput {
  const tables = base.names.list(base.scope.isVisible);
  const reply = base.startReply();
  let next = from;
  for (const { id } of tables.slice(from)) {
    const line = `- ${asLine(id, 250)}`;
    if (!(next === from ? reply.addPart(line) : reply.add(line))) break;
    next += 1;
  }
  reply.end(
    `Tables ${tables.length === 0 ? 0 : from + 1} to ${next} of ${tables.length}.${continueFrom(next, tables.length)}`,
  );
  return {
    markdown: reply.toString(),
    structured: { tables: tables.slice(from, next).map(({ id }) => id), total: tables.length },
  };
}

class TableDetails {
  readonly #base: ToolBase;
  readonly #live: LiveStructure;

  constructor(base: ToolBase) {
    this.#base = base;
    this.#live = new LiveStructure(base);
  }

  async run(name: string, from: number, signal: AbortSignal): Promise<ToolOutput> {
    const found = this.#base.names.find(name, this.#base.scope.isVisible);
    if (found.kind !== "table") return this.#base.explainName(name, found);
    const table = this.#base.table(found.id);
    if (table === undefined) return this.#base.explainName(name, { kind: "unknown", nearest: [] });
    const columns = found.column === undefined ? table.columns : this.#columnsNamed(table, found.column);
    if (columns.length === 0) {
      const nearest = this.#base.options.search.matching(
        found.column ?? "",
        table.columns.map((column) => column.name),
      );
      const all = nearest.length > 0 ? nearest : table.columns.map((column) => column.name);
      return this.#base.explainName(name, {
        kind: "unknown",
        nearest: all.slice(0, 20).map((each) => `${table.id}.${each}`),
      });
    }
    return this.#describe({ ...table, columns }, from, signal);
  }

  #columnsNamed({ columns }: KnownTable, name: string): KnownTable["columns"] {
    const exact = columns.filter((column) => column.name === name);
    return exact.length > 0 ? exact : columns.filter((column) => column.name.toLowerCase() === name.toLowerCase());
  }

  async #describe(table: KnownTable, from: number, signal: AbortSignal): Promise<ToolOutput> {
    const reply = this.#base.startReply([table.connection]);
    const joins = this.#base.options.knowledge.joins(table.id, this.#base.scope.isVisible);
    const drift = await this.#live.drift(this.#base.table(table.id) ?? table, signal);
    const { lines, sentence } = describeDrift(drift);
    if (from === 0) for (const line of headOf(table)) reply.add(line);
    for (const line of lines) reply.add(asLine(line, 600));
    const next = from + addColumns(reply, table, from);
    const shownJoins = from === 0 ? addJoins(reply, joins) : 0;
    const pages = from === 0 ? addPages(reply, this.#pagesAbout(table)) : [];
    reply.end(`Columns ${from + 1} to ${next} of ${table.columns.length}.${continueFrom(next, table.columns.length)}`);
    if (from === 0 && shownJoins < joins.length)
      reply.end(`${joins.length - shownJoins} more joins did not fit. Search for them with search_context.`);
    if (sentence !== "") reply.end(sentence);
    const shown = { ...table, columns: table.columns.slice(from, next) };
    return {
      markdown: reply.toString(),
      structured: omitUndefined({ table: shown, joins: joins.slice(0, shownJoins), pages, drift }),
    };
  }

  #pagesAbout({ id }: KnownTable): readonly ContextPage[] {
    return this.#base.options.wiki?.aboutTable(id, this.#base.scope.isVisible) ?? [];
  }
}

function headOf(table: KnownTable): string[] {
  const { id, kind, rows, rowsAreExact, sample, problem, key, description } = table;
  const size = rows === undefined ? "" : `, ${rowsAreExact ? "" : "about "}${rows} rows`;
  return [
    `${asLine(id, 250)} (${kind}${size})${formatDescription(description)}`,
    ...(key
      ? [`key: ${key.columns.map((name) => asLine(name, 80)).join(", ")}${key.declared ? "" : " (found in the data)"}`]
      : []),
    ...(sample === undefined || sample === "all rows" ? [] : [`values measured in a sample: ${asLine(sample, 100)}`]),
    ...(problem === undefined ? [] : [`could not be read: ${asLine(problem, 200)}`]),
  ];
}

/** Adds as many columns as fit, and at least a part of the first. Returns the number of columns added. */
function addColumns(reply: FencedReply, { columns, key }: KnownTable, from: number): number {
  let added = 0;
  for (const column of columns.slice(from)) {
    const line = formatColumn(column, key?.columns ?? []);
    if (!(added === 0 ? reply.addPart(line) : reply.add(line))) break;
    added += 1;
  }
  return added;
}

function addJoins(reply: FencedReply, joins: readonly KnownJoin[]): number {
  let shown = 0;
  if (joins.length === 0 || !reply.add("joins:")) return 0;
  for (const join of joins) {
    if (!reply.add(`- ${describeJoin(join)}`)) break;
    shown += 1;
  }
  return shown;
}

const maxPages = 6;

/** Lists the pages about the table. Returns their names. */
function addPages(reply: FencedReply, pages: readonly ContextPage[]): readonly string[] {
  if (pages.length === 0 || !reply.add("pages about it, which read_page shows:")) return [];
  const shown = pages.slice(0, maxPages).filter((page) => reply.add(describeNamedPage(page)));
  if (shown.length < pages.length) reply.add(`and ${pages.length - shown.length} more`);
  return shown.map(({ slug }) => slug);
}

function continueFrom(next: number, total: number): string {
  return next < total ? ` Continue with from: ${next}.` : "";
}
