import { pageOfCall, pageSourcesSchema, statementOfCall } from "@bridle/context";
import { type RunEvent, runResultSchema } from "@bridle/protocol";
import { z } from "zod";

/** A statement that the agent ran for its answer. */
const askedQuerySchema = z.object({
  connection: z.string(),
  sql: z.string(),
  /** Whether the statement returned rows. A failed statement is not a source of the answer. */
  ok: z.boolean(),
  /** The rows that the statement returned, before they were shortened for the model. */
  rows: z.number().optional(),
  /** The tables that the statement read. */
  tables: z.array(z.string()).readonly().optional(),
});

/** The definition of a table and its source, such as `person`, `document`, `model` or `comment`. */
const definitionSchema = z.object({ table: z.string(), text: z.string(), source: z.string() });

/** The output of `bridle ask --json`: the answer, the statements that the agent ran, and the run. */
export const answeredQuestionSchema = z.object({
  answer: z.string(),
  /** Whether a statement read a table. If not, the answer is not based on the data. */
  isBasedOnData: z.boolean(),
  queries: z.array(askedQuerySchema).readonly(),
  /** The definitions of the tables that were read, if known. */
  definitions: z.array(definitionSchema).readonly(),
  /** The pages that the agent read. */
  pages: z.array(pageSourcesSchema).readonly(),
  run: runResultSchema,
});
export type AskedQuery = z.output<typeof askedQuerySchema>;
export type PageOfAnswer = z.output<typeof pageSourcesSchema>;
export type UsedDefinition = z.output<typeof definitionSchema>;

/** Whether an answer can be based on a statement: it succeeded and read a table. `SELECT 42` is not a source. */
export function isSource({ ok, tables = [] }: AskedQuery): boolean {
  return ok && tables.length > 0;
}

/** Collects from the events of a run the statements and pages that its answer is based on. */
export class AnswerSources {
  readonly #only: string;
  readonly #requested = new Map<string, Extract<RunEvent, { type: "tool.requested" }>>();
  readonly #queries: AskedQuery[] = [];
  readonly #pages = new Map<string, PageOfAnswer>();

  /** `only` is the connection of statements that name no connection. */
  constructor(only: string) {
    this.#only = only;
  }

  readonly onEvent = (event: RunEvent): void => {
    if (event.type === "tool.requested") this.#requested.set(event.callId, event);
    else if (event.type === "tool.finished") this.#finish(event);
  };

  /** The statements in the order in which they ended. */
  get queries(): readonly AskedQuery[] {
    return this.#queries;
  }

  /** The pages in the order in which they were read. */
  get pages(): readonly PageOfAnswer[] {
    return [...this.#pages.values()];
  }

  #finish({ callId, ok, structured }: Extract<RunEvent, { type: "tool.finished" }>): void {
    const requested = this.#requested.get(callId);
    if (requested === undefined) return;
    const { tool, input } = requested;
    const statement = statementOfCall({ tool, input, structured }, this.#only);
    if (statement !== undefined) {
      const { connection, sql, result } = statement;
      this.#queries.push({ connection, sql, ok, rows: result?.rows.length, tables: result?.tables });
    }
    const page = ok ? pageOfCall({ tool, input, structured }) : undefined;
    if (page !== undefined) this.#addPage(page);
  }

  /** Adds the sources of a page, because a page is read in parts, each with its own sources. */
  #addPage({ page, title, sources }: PageOfAnswer): void {
    const before = this.#pages.get(page)?.sources ?? [];
    const added = sources.filter(
      (each) => !before.some(({ source, item }) => source === each.source && item === each.item),
    );
    this.#pages.set(page, { page, title, sources: [...before, ...added] });
  }
}
