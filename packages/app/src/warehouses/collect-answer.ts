import { formatTableId } from "@bridle/context";
import { type RunEvent, runResultSchema } from "@bridle/protocol";
import { z } from "zod";

/** A statement that the agent ran for its answer. */
const askedQuerySchema = z.object({
  connection: z.string(),
  sql: z.string(),
  /** Whether it returned rows. A failed one is not a source of the answer. */
  ok: z.boolean(),
  /** The rows that it returned, before they were cut for the model. */
  rows: z.number().optional(),
  /** The tables that it read. */
  tables: z.array(z.string()).readonly().optional(),
});

/** The definition of a table and its source, such as `person`, `document`, `model` or `comment`. */
const definitionSchema = z.object({ table: z.string(), text: z.string(), source: z.string() });

/** A page that the agent read, with the documents that support the text it read. */
const readPageSchema = z.object({
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

/** The output of `bridle ask --json`: the answer, the statements that the agent ran, and the run. */
export const answeredQuestionSchema = z.object({
  answer: z.string(),
  /** Whether a statement read a table. If none did, the answer is not based on the data. */
  isBasedOnData: z.boolean(),
  queries: z.array(askedQuerySchema).readonly(),
  /** The definitions of the tables that were read, if they have any. */
  definitions: z.array(definitionSchema).readonly(),
  /** The pages that the agent read. */
  pages: z.array(readPageSchema).readonly(),
  run: runResultSchema,
});
export type AskedQuery = z.output<typeof askedQuerySchema>;
export type PageOfAnswer = z.output<typeof readPageSchema>;
export type UsedDefinition = z.output<typeof definitionSchema>;

/** Whether an answer can be based on a statement: it succeeded and read a table. `SELECT 42` is not a source. */
export function isSource({ ok, tables = [] }: AskedQuery): boolean {
  return ok && tables.length > 0;
}

const sqlInput = z.object({ connection: z.string().optional(), statement: z.string() });
/** The output of `query_metrics`. Its rows come from one statement. */
const metricOutput = z.object({
  connection: z.string(),
  sql: z.string(),
  tables: z.array(z.string()).readonly(),
  rows: z.array(z.unknown()).readonly(),
});
/** The output of `read_page`. */
const pageOutput = readPageSchema.extend({ text: z.string() });
const sqlOutput = z.object({
  tables: z.array(z.object({ schema: z.string(), table: z.string() })).readonly(),
  rows: z.array(z.unknown()).readonly(),
});

/** Collects from the events of a run which statements its answer is based on. */
export class AnswerSources {
  readonly #only: string;
  readonly #requested = new Map<string, z.output<typeof sqlInput>>();
  readonly #metrics = new Set<string>();
  readonly #reading = new Set<string>();
  readonly #queries: AskedQuery[] = [];
  readonly #pages = new Map<string, PageOfAnswer>();

  /** `only` is the connection of statements that name none. */
  constructor(only: string) {
    this.#only = only;
  }

  readonly onEvent = (event: RunEvent): void => {
    if (event.type === "tool.requested" && event.tool === "run_sql") {
      const input = sqlInput.safeParse(event.input);
      if (input.success) this.#requested.set(event.callId, input.data);
    } else if (event.type === "tool.requested" && event.tool === "query_metrics") {
      this.#metrics.add(event.callId);
    } else if (event.type === "tool.requested" && event.tool === "read_page") {
      this.#reading.add(event.callId);
    } else if (event.type === "tool.finished") {
      if (this.#reading.has(event.callId)) this.#finishPage(event);
      else if (this.#metrics.has(event.callId)) this.#finishMetrics(event);
      else this.#finish(event);
    }
  };

  /** In the order they ended. */
  get queries(): readonly AskedQuery[] {
    return this.#queries;
  }

  /** In the order they were read. */
  get pages(): readonly PageOfAnswer[] {
    return [...this.#pages.values()];
  }

  /** Adds the sources that the text cites, or all sources if the text has no citation marks. */
  #finishPage({ ok, structured }: Extract<RunEvent, { type: "tool.finished" }>): void {
    const output = pageOutput.safeParse(structured).data;
    if (!ok || output === undefined) return;
    const { page, title, sources, text } = output;
    const marks = new Set(Array.from(text.matchAll(/(?<!\\)\[(\d{1,3})\]/g), ([, number]) => Number(number)));
    const cited = marks.size === 0 ? sources : sources.filter((_, index) => marks.has(index + 1));
    const before = this.#pages.get(page)?.sources ?? [];
    const added = cited.filter(
      (each) => !before.some(({ source, item }) => source === each.source && item === each.item),
    );
    this.#pages.set(page, { page, title, sources: [...before, ...added] });
  }

  #finish({ callId, ok, structured }: Extract<RunEvent, { type: "tool.finished" }>): void {
    const input = this.#requested.get(callId);
    if (input === undefined) return;
    const output = sqlOutput.safeParse(structured);
    const { connection = this.#only, statement: sql } = input;
    const tables = output.data?.tables.map((name) => formatTableId({ connection, ...name }));
    this.#queries.push({ connection, sql, ok, rows: output.data?.rows.length, tables });
  }

  /** Refusals and lists of metrics are skipped, because they are not statements. */
  #finishMetrics({ ok, structured }: Extract<RunEvent, { type: "tool.finished" }>): void {
    const output = metricOutput.safeParse(structured).data;
    if (output === undefined) return;
    const { connection, sql, rows } = output;
    const tables = output.tables.map((name) => `${connection}.${name}`);
    this.#queries.push({ connection, sql, ok, rows: rows.length, tables });
  }
}
