import { getErrorMessage, isBridleError } from "@bridle/protocol";
import type { JoinEnd } from "../facts/facts.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { KnownTable } from "../knowledge/known.ts";
import { estimateReplyTokens } from "../replies/estimate-tokens.ts";
import { asLine } from "../replies/reply.ts";
import type { JoinProposal } from "../scan/scan-options.ts";
import type { GenerateProposals } from "./generate-proposals.ts";
import { type JoinBatch, toJoinBatches } from "./join-batches.ts";
import {
  formatChild,
  formatJoinPrompt,
  formatParent,
  type JoinProposalAnswer,
  joinProposalAnswer,
  joinProposalSystem,
} from "./join-prompt.ts";

export interface ProposeJoinsOptions {
  readonly knowledge: Knowledge;
  readonly generate: GenerateProposals;
  readonly connection: string;
  /** The maximum number of tokens of all requests and answers together. Default: no limit. */
  readonly tokens?: number | undefined;
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A join that a model proposes, with its reason. The model wrote the reason, which proves nothing. */
export interface ProposedJoin extends JoinProposal {
  readonly why: string;
}

export interface ProposedJoins {
  readonly proposals: readonly ProposedJoin[];
  readonly calls: number;
  readonly tokens: number;
  /** Tables without a request to the model or without a usable answer, each with the reason. */
  readonly failed: readonly { readonly table: string; readonly reason: string }[];
  /** The number of requests that did not show all possible target tables of joins. */
  readonly partial: number;
}

/** The expected length of an answer, as a share of the tables that the request asks about. */
const answerShare = 0.4;

/** An answer with more proposals than columns is rejected, except that this many proposals are always allowed. */
const minAllowed = 10;

/**
 * Asks the model with role `model` for joins that begin in each table of a connection. Does not judge the proposals. If a call fails, lists
 * its tables in `failed`. Rejects with the error of the first call if every call fails.
 */
export async function proposeJoins(options: ProposeJoinsOptions): Promise<ProposedJoins> {
  return new JoinProposer(options).run();
}

class JoinProposer {
  readonly #options: ProposeJoinsOptions;
  readonly #proposals: ProposedJoin[] = [];
  readonly #failed: { table: string; reason: string }[] = [];
  #calls = 0;
  #answers = 0;
  #tokens = 0;
  #error: unknown;

  constructor(options: ProposeJoinsOptions) {
    this.#options = options;
  }

  async run(): Promise<ProposedJoins> {
    const { knowledge, connection, onProgress, signal } = this.#options;
    const tables = Array.from(knowledge.tables((path) => path.connection === connection));
    const batches = toJoinBatches(tables.filter(({ columns }) => columns.length > 0));
    let done = 0;
    for (const batch of batches) {
      signal?.throwIfAborted();
      await this.#ask(batch);
      done += batch.own.length;
      onProgress?.({ done, total: tables.length });
      if (this.#answers === 0 && this.#error !== undefined) throw this.#error;
    }
    const [proposals, calls, tokens, failed] = [this.#proposals, this.#calls, this.#tokens, this.#failed];
    return { proposals, calls, tokens, failed, partial: batches.filter(({ left }) => left > 0).length };
  }

  async #ask(batch: JoinBatch): Promise<void> {
    const { generate, tokens: limit, signal } = this.#options;
    const own = batch.own.map((table, index) => formatChild(table, index + 1));
    const others = batch.others.map((table, index) => formatParent(table, own.length + index + 1) ?? "");
    const prompt = formatJoinPrompt(own, others);
    const asked = estimateReplyTokens(own.join("\n"));
    const expected = estimateReplyTokens(joinProposalSystem + prompt) + Math.ceil(asked * answerShare);
    if (limit !== undefined && this.#tokens + expected > limit) {
      this.#fail(batch, "the budget of tokens is used up");
      return;
    }
    this.#calls += 1;
    try {
      const request = {
        role: "model",
        system: joinProposalSystem,
        prompt,
        schema: joinProposalAnswer,
        signal,
      } as const;
      const { object, model, usage } = await generate(request);
      this.#tokens += usage === undefined ? expected : usage.inputTokens + usage.outputTokens;
      this.#answers += 1;
      this.#read(batch, object, asLine(model ?? "a model", 80));
    } catch (error) {
      signal?.throwIfAborted();
      const usage = isBridleError(error) ? error.usage : undefined;
      this.#tokens += usage === undefined ? expected : usage.inputTokens + usage.outputTokens;
      this.#error ??= error;
      this.#fail(batch, getErrorMessage(error));
    }
  }

  #read(batch: JoinBatch, { joins }: JoinProposalAnswer, model: string): void {
    const columns = batch.own.reduce((sum, table) => sum + table.columns.length, 0);
    if (joins.length > Math.max(minAllowed, columns)) {
      const reason = `the model proposed ${joins.length} joins for ${columns} columns, so none was considered`;
      this.#fail(batch, reason);
      return;
    }
    const tables = [...batch.own, ...batch.others];
    for (const { from, to, reason } of joins) {
      this.#proposals.push({ from: endOf(from, tables), to: endOf(to, tables), model, why: asLine(reason, 200) });
    }
  }

  #fail({ own }: JoinBatch, reason: string): void {
    this.#failed.push(...own.map(({ id }) => ({ table: id, reason })));
  }
}

/**
 * Returns the named columns. A name that does not exist stays as the model wrote it, so that the check against the data refutes the join.
 */
function endOf(names: readonly string[], tables: readonly KnownTable[]): JoinEnd {
  const parts = names.map((name) => {
    const [, table = "", column = ""] = /^t(\d{1,6})\.c(\d{1,6})$/.exec(name.trim()) ?? [];
    const found = tables[Number(table) - 1];
    const known = found?.columns[Number(column) - 1];
    return found && known ? { table: found.id, column: known.name } : { table: "?", column: asLine(name, 80) };
  });
  const own = new Set(parts.map(({ table }) => table));
  const [table = "?"] = own.size === 1 ? own : [];
  return { table, columns: parts.map(({ column }) => column) };
}
