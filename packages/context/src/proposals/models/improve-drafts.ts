import { getErrorMessage, isBridleError } from "@bridle/protocol";
import { estimateReplyTokens } from "../../replies/estimate-tokens.ts";
import type { GenerateProposals } from "../generate-proposals.ts";
import { applyDraftAnswer } from "./apply-answer.ts";
import { draftAnswer, draftSystem, formatDraft, formatDraftPrompt } from "./draft-prompt.ts";
import type { ProposedModel } from "./drafts.ts";
import { areEmpty } from "./find-additions.ts";

export interface ImproveOptions {
  readonly generate: GenerateProposals;
  /** The maximum number of tokens of all requests and answers together. Default: no limit. */
  readonly tokens?: number | undefined;
  readonly onProgress?: ((progress: { readonly done: number; readonly total: number }) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ImprovedDrafts {
  readonly drafts: readonly ProposedModel[];
  readonly calls: number;
  readonly tokens: number;
  /** Tables with unchanged drafts, each with the reason. */
  readonly failed: readonly { readonly table: string; readonly reason: string }[];
}

/** The maximum number of tokens for the drafts in one request. */
const tokensPerRequest = 4000;

/** The expected length of an answer, as a share of the length of the drafts in the request. */
const answerShare = 1.5;

/**
 * Lets the model with role `model` choose, name and describe the entries of drafts. A failed call leaves its drafts unchanged. Rejects with
 * the error of the first call if every call fails.
 */
export async function improveDrafts(
  drafts: readonly ProposedModel[],
  options: ImproveOptions,
): Promise<ImprovedDrafts> {
  return new DraftImprover(options).run(drafts);
}

class DraftImprover {
  readonly #options: ImproveOptions;
  readonly #improved = new Map<ProposedModel, ProposedModel>();
  readonly #failed: { table: string; reason: string }[] = [];
  #calls = 0;
  #answers = 0;
  #tokens = 0;
  #error: unknown;

  constructor(options: ImproveOptions) {
    this.#options = options;
  }

  async run(drafts: readonly ProposedModel[]): Promise<ImprovedDrafts> {
    const { onProgress, signal } = this.#options;
    const open = drafts.filter(({ additions }) => !areEmpty(additions));
    let done = 0;
    for (const batch of toBatches(open)) {
      signal?.throwIfAborted();
      await this.#ask(batch);
      done += batch.length;
      onProgress?.({ done, total: open.length });
      if (this.#answers === 0 && this.#error !== undefined) throw this.#error;
    }
    const improved = drafts.map((draft) => this.#improved.get(draft) ?? draft);
    return { drafts: improved, calls: this.#calls, tokens: this.#tokens, failed: this.#failed };
  }

  async #ask(batch: readonly ProposedModel[]): Promise<void> {
    const { generate, tokens: limit, signal } = this.#options;
    const prompt = formatDraftPrompt(batch.map((draft, at) => formatDraft(draft, at + 1)));
    const expected = Math.ceil(estimateReplyTokens(draftSystem + prompt) * (1 + answerShare));
    if (limit !== undefined && this.#tokens + expected > limit) {
      this.#fail(batch, "the budget of tokens is used up");
      return;
    }
    this.#calls += 1;
    try {
      const { object, usage } = await generate({
        role: "model",
        system: draftSystem,
        prompt,
        schema: draftAnswer,
        signal,
      });
      this.#tokens += usage === undefined ? expected : usage.inputTokens + usage.outputTokens;
      this.#answers += 1;
      for (const [at, draft] of batch.entries()) {
        const answer = object.models.find(({ model }) => model === `t${at + 1}`);
        if (answer !== undefined) this.#improved.set(draft, applyDraftAnswer(draft, answer));
      }
    } catch (error) {
      signal?.throwIfAborted();
      const usage = isBridleError(error) ? error.usage : undefined;
      this.#tokens += usage === undefined ? expected : usage.inputTokens + usage.outputTokens;
      this.#error ??= error;
      this.#fail(batch, getErrorMessage(error));
    }
  }

  #fail(batch: readonly ProposedModel[], reason: string): void {
    this.#failed.push(...batch.map(({ table }) => ({ table: table.id, reason })));
  }
}

function toBatches(drafts: readonly ProposedModel[]): readonly (readonly ProposedModel[])[] {
  const batches: ProposedModel[][] = [];
  let left = 0;
  for (const draft of drafts) {
    const tokens = estimateReplyTokens(formatDraft(draft, 1));
    if (batches.length === 0 || tokens > left) {
      batches.push([]);
      left = tokensPerRequest;
    }
    batches.at(-1)?.push(draft);
    left -= tokens;
  }
  return batches;
}
