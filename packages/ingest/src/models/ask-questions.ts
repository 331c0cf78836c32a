/**
 * Asks questions in batches, and stores each answer under its own key. Questions with a stored answer are not asked again. A batch that
 * failed temporarily is sent once more at the end.
 */
import { forEachInParallel } from "@bridle/core";
import { getErrorMessage, isBridleError } from "@bridle/protocol";
import type { z } from "zod";
import { type RemoveSecrets, withoutSecrets } from "../staging/remove-secrets.ts";
import type { AnswerStore, StoredAnswer } from "./answers.ts";
import type { IngestRole } from "./ingest-models.ts";
import { isWindowUsedUp, type MeteredModels, throwIfFinal } from "./metered-models.ts";

/** A question for a model. Its key covers everything that the answer depends on. */
export interface ModelQuestion {
  readonly key: string;
  /** The question's approximate length in a prompt, in tokens. */
  readonly tokens: number;
  /** The versions of the items that the question is about. */
  readonly versions: readonly string[];
  /** The source and the item that the question is about, for display. */
  readonly source: string;
  readonly name: string;
}

/** The subject of a question. */
export type AskedAbout = Pick<ModelQuestion, "versions" | "source" | "name">;

/** One kind of question. `Q` is a question, `R` the answer to a batch. */
export interface BatchKind<Q extends ModelQuestion, R> {
  readonly role: IngestRole;
  readonly stage: string;
  readonly system: string;
  readonly schema: z.ZodType<R>;
  /** The maximum number of tokens, and of questions, in one call. */
  readonly batch: { readonly tokens: number; readonly questions: number };
  readonly expectedOutputTokens: number;
  prompt(questions: readonly Q[]): string;
  /** Returns the values to store, as JSON, in the order of the questions; undefined for a question that the reply does not answer. */
  answers(questions: readonly Q[], reply: R): readonly unknown[];
}

export interface AskServices {
  readonly models: MeteredModels;
  readonly answers: AnswerStore;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Removes secrets from a model's answer before it is stored. */
  readonly removeSecrets: RemoveSecrets;
  /** Called with the number of questions that were answered or given up. */
  onDone?(questions: number): void;
}

/** Questions without an answer, with the reason. */
export interface UnansweredQuestions<Q> {
  readonly questions: readonly Q[];
  readonly reason: string;
  /** `failed`: the call failed. `left`: not asked, because of the budget or a usage window. */
  readonly state: "failed" | "left";
}

/**
 * Asks questions. Reads the list one question at a time, so that the list may be arbitrarily long. Rejects if `signal` is aborted or the
 * store cannot be written. Lists all other failures in the result.
 */
export async function askQuestions<Q extends ModelQuestion, R>(
  questions: Iterable<Q>,
  kind: BatchKind<Q, R>,
  services: AskServices,
): Promise<readonly UnansweredQuestions<Q>[]> {
  return new Asking(kind, services).run(questions);
}

class Asking<Q extends ModelQuestion, R> {
  readonly #kind: BatchKind<Q, R>;
  readonly #services: AskServices;
  readonly #asked = new Set<string>();
  readonly #again: (readonly Q[])[] = [];
  readonly #unanswered: UnansweredQuestions<Q>[] = [];

  constructor(kind: BatchKind<Q, R>, services: AskServices) {
    this.#kind = kind;
    this.#services = services;
  }

  async run(questions: Iterable<Q>): Promise<readonly UnansweredQuestions<Q>[]> {
    const { concurrency: parallel, signal } = this.#services;
    await forEachInParallel(this.#batches(questions), { parallel, signal }, (batch, stop) =>
      this.#ask(batch, stop, true),
    );
    await forEachInParallel(this.#again, { parallel, signal }, (batch, stop) => this.#ask(batch, stop, false));
    return this.#unanswered;
  }

  /** Yields batches of the questions that have no stored answer. */
  *#batches(questions: Iterable<Q>): Iterable<readonly Q[]> {
    const { batch, stage } = this.#kind;
    const { answers, models, onDone } = this.#services;
    let open: Q[] = [];
    let tokens = 0;
    for (const question of questions) {
      if (this.#asked.has(question.key)) continue;
      this.#asked.add(question.key);
      if (answers.read(question.key) !== undefined) {
        models.spending.addStored(stage);
        onDone?.(1);
        continue;
      }
      if (open.length > 0 && (tokens + question.tokens > batch.tokens || open.length >= batch.questions)) {
        yield open;
        [open, tokens] = [[], 0];
      }
      open.push(question);
      tokens += question.tokens;
    }
    if (open.length > 0) yield open;
  }

  async #ask(questions: readonly Q[], signal: AbortSignal, mayAskAgain: boolean): Promise<void> {
    const { role, stage, system, schema, expectedOutputTokens } = this.#kind;
    const { models, answers, removeSecrets, onDone } = this.#services;
    const call = { role, stage, unit: unitOf(questions), system, prompt: this.#kind.prompt(questions), schema, signal };
    try {
      const expected = Math.max(200, expectedOutputTokens * questions.length);
      const { object, ...use } = await models.object({ ...call, expectedOutputTokens: expected });
      const values = this.#kind.answers(questions, object);
      const stored = questions.flatMap(({ key, versions }, index): readonly StoredAnswer[] => {
        const value = values[index];
        return value === undefined ? [] : [{ key, role, stage, value: withoutSecrets(value, removeSecrets), versions }];
      });
      answers.write(stored, use);
      onDone?.(stored.length);
      this.#leaveOpen(
        questions.filter((_, index) => values[index] === undefined),
        mayAskAgain,
      );
    } catch (error) {
      signal.throwIfAborted();
      throwIfFinal(error);
      if (error.code === "budget_exceeded" && questions.length > 1)
        await this.#askHalves(questions, signal, mayAskAgain);
      else if (mayAskAgain && error.retryable && !isWindowUsedUp(error)) this.#again.push(questions);
      else this.#giveUp(questions, error);
    }
  }

  #leaveOpen(questions: readonly Q[], mayAskAgain: boolean): void {
    if (questions.length === 0) return;
    if (mayAskAgain) this.#again.push(questions);
    else this.#addUnanswered({ questions, reason: "The model gave no answer about it.", state: "failed" });
  }

  /** Asks each half of the questions, because the budget may suffice for fewer questions. */
  async #askHalves(questions: readonly Q[], signal: AbortSignal, mayAskAgain: boolean): Promise<void> {
    const middle = Math.ceil(questions.length / 2);
    await this.#ask(questions.slice(0, middle), signal, mayAskAgain);
    await this.#ask(questions.slice(middle), signal, mayAskAgain);
  }

  #giveUp(questions: readonly Q[], error: unknown): void {
    const isLeft = isWindowUsedUp(error) || (isBridleError(error) && error.code === "budget_exceeded");
    this.#addUnanswered({ questions, reason: getErrorMessage(error), state: isLeft ? "left" : "failed" });
  }

  #addUnanswered(unanswered: UnansweredQuestions<Q>): void {
    this.#unanswered.push(unanswered);
    this.#services.onDone?.(unanswered.questions.length);
  }
}

function unitOf<Q extends ModelQuestion>(questions: readonly Q[]): string {
  const [first] = questions;
  return `${first?.name ?? ""}${questions.length > 1 ? ` and ${questions.length - 1} more` : ""}`;
}
