import { getErrorMessage, isBridleError } from "@bridle/protocol";
import { redactSensitive } from "@bridle/warehouse";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { KnownTable } from "../knowledge/known.ts";
import { estimateReplyTokens } from "../replies/estimate-tokens.ts";
import {
  contentOfTable,
  type DescriptionAnswer,
  descriptionAnswer,
  descriptionSystem,
  formatPrompt,
  formatTable,
} from "./description-prompt.ts";
import type { DescriptionStore } from "./description-store.ts";

/** Requests an object from the model with role `describe`. A runtime's `generateObject` can be used. */
export type GenerateDescriptions = (request: {
  readonly role: "describe";
  readonly system: string;
  readonly prompt: string;
  readonly schema: typeof descriptionAnswer;
  readonly signal?: AbortSignal | undefined;
}) => Promise<{
  readonly object: DescriptionAnswer;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
}>;

export interface DescribeTablesOptions {
  readonly knowledge: Knowledge;
  readonly store: DescriptionStore;
  readonly generate: GenerateDescriptions;
  /** Default: all connections. */
  readonly connection?: string | undefined;
  /** The maximum number of tokens of all requests and answers together. Default: no limit. */
  readonly tokens?: number | undefined;
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface DescribeTablesReport {
  /** The number of tables that the model has described in this call. */
  readonly described: number;
  /** The number of tables left out because their content has not changed, or because users or documents describe them. */
  readonly unchanged: number;
  readonly calls: number;
  readonly tokens: number;
  /** Tables without a description, each with the reason. While there are any, the descriptions are incomplete. */
  readonly failed: readonly { readonly table: string; readonly reason: string }[];
}

/** The maximum number of tokens for the tables in one request. */
const tokensPerRequest = 6000;

/** The expected length of an answer, as a share of the length of the described tables. */
const answerShare = 0.6;

/**
 * Lets a model describe tables and columns. Skips tables whose content has not changed since they were described. Descriptions by users and
 * documents have priority. If a model call fails, lists its tables in `failed` and describes the others.
 */
export async function describeTables(options: DescribeTablesOptions): Promise<DescribeTablesReport> {
  return new TableDescriber(options).run();
}

class TableDescriber {
  readonly #options: DescribeTablesOptions;
  readonly #failed: { table: string; reason: string }[] = [];
  #described = 0;
  #unchanged = 0;
  #calls = 0;
  #tokens = 0;

  constructor(options: DescribeTablesOptions) {
    this.#options = options;
  }

  async run(): Promise<DescribeTablesReport> {
    const { knowledge, store, connection, onProgress, signal } = this.#options;
    const tables = Array.from(knowledge.tables((path) => connection === undefined || path.connection === connection));
    const stale = tables.filter((table) => !isSaid(table) && store.contentOf(table.id) !== contentOfTable(table));
    this.#unchanged = tables.length - stale.length;
    let done = this.#unchanged;
    for (const batch of toBatches(stale)) {
      signal?.throwIfAborted();
      await this.#describe(batch);
      done += batch.length;
      onProgress?.({ done, total: tables.length });
    }
    const [described, unchanged, calls, tokens, failed] = [
      this.#described,
      this.#unchanged,
      this.#calls,
      this.#tokens,
      this.#failed,
    ];
    return { described, unchanged, calls, tokens, failed };
  }

  async #describe(batch: readonly KnownTable[]): Promise<void> {
    const { generate, tokens: limit, signal } = this.#options;
    const prompt = formatPrompt(batch.map((table, index) => formatTable(table, index + 1)));
    const expected = Math.ceil(estimateReplyTokens(descriptionSystem + prompt) * (1 + answerShare));
    if (limit !== undefined && this.#tokens + expected > limit)
      return this.#fail(batch, "the budget of tokens is used up");
    this.#calls += 1;
    try {
      const { object, usage } = await generate({
        role: "describe",
        system: descriptionSystem,
        prompt,
        schema: descriptionAnswer,
        signal,
      });
      this.#tokens += usage === undefined ? expected : usage.inputTokens + usage.outputTokens;
      this.#store(batch, object);
    } catch (error) {
      signal?.throwIfAborted();
      this.#tokens += usageOf(error) ?? expected;
      this.#fail(batch, getErrorMessage(error));
    }
  }

  #store(batch: readonly KnownTable[], { tables }: DescriptionAnswer): void {
    const described = batch.flatMap((table, index) => {
      const answer = tables.find((each) => each.table === `t${index + 1}`);
      const texts = answer === undefined ? undefined : textsOf(table, answer);
      if (texts === undefined || texts.size === 0) {
        this.#fail([table], "the model returned no description of it");
        return [];
      }
      return [{ id: table.id, content: contentOfTable(table), texts }];
    });
    this.#options.store.write(described);
    this.#described += described.length;
  }

  #fail(batch: readonly KnownTable[], reason: string): void {
    this.#failed.push(...batch.map(({ id }) => ({ table: id, reason })));
  }
}

/** Returns the tokens that a failed request has used; undefined if unknown. */
function usageOf(error: unknown): number | undefined {
  const usage = isBridleError(error) ? error.usage : undefined;
  return usage && usage.inputTokens + usage.outputTokens;
}

/** Whether users or documents describe the table and all of its columns already. */
function isSaid({ description, columns }: KnownTable): boolean {
  const parts = [description, ...columns.map((column) => column.description)];
  return parts.every((each) => each?.source === "person" || each?.source === "document");
}

function toBatches(tables: readonly KnownTable[]): readonly (readonly KnownTable[])[] {
  const batches: KnownTable[][] = [];
  let left = 0;
  for (const table of tables) {
    const tokens = estimateReplyTokens(formatTable(table, 1));
    if (batches.length === 0 || tokens > left) {
      batches.push([]);
      left = tokensPerRequest;
    }
    batches.at(-1)?.push(table);
    left -= tokens;
  }
  return batches;
}

const maxDescriptionLength = 400;

function textsOf(table: KnownTable, answer: DescriptionAnswer["tables"][number]): ReadonlyMap<string, string> {
  const columns = answer.columns.flatMap(({ column, description }): [string, string][] => {
    const name = /^c\d+$/.test(column) ? table.columns[Number(column.slice(1)) - 1]?.name : undefined;
    return name === undefined ? [] : [[name, clean(description)]];
  });
  return new Map([["", clean(answer.description)] as [string, string], ...columns].filter(([, text]) => text !== ""));
}

function clean(text: string): string {
  return redactSensitive(text).replaceAll(/\s+/g, " ").trim().slice(0, maxDescriptionLength).toWellFormed();
}
