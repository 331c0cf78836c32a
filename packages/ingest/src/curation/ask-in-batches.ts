/** Asks a model many small questions, several in one call, and stores each answer separately. Skips questions with a stored answer. */

import { fenceLines } from "@bridle/context";
import { forEachInParallel, sha256 } from "@bridle/core";
import { getErrorMessage } from "@bridle/protocol";
import { z } from "zod";
import type { AnswerStore } from "../models/answers.ts";
import type { IngestModels, IngestRole } from "../models/ingest-models.ts";
import { throwIfFinal } from "../models/metered-models.ts";

/** A question with everything that its answer depends on. */
export interface SmallQuestion {
  /** Lines of data. Each text from a document is one line. */
  readonly text: string;
  /** The versions of the items that the question is about. Forgetting one of these versions also removes the answer. */
  readonly versions?: readonly string[] | undefined;
}

/** A kind of question. */
export interface SmallQuestionKind<Raw, Value> {
  readonly role: IngestRole;
  readonly stage: string;
  /** Increase this number when the prompt or the schema changes, so that old answers do not count. */
  readonly version: number;
  readonly system: string;
  readonly task: string;
  /** The model's output for one call. */
  readonly schema: z.ZodType<Raw>;
  /** The stored answer to one question. */
  readonly value: z.ZodType<Value>;
  /** Extracts the answers from the model's output, by the number of the question (from 1). */
  read(raw: Raw): readonly { readonly number: string; readonly value: Value }[];
  /** The maximum number of questions in a call. */
  readonly max: number;
  /** The expected output tokens of one answer. */
  readonly expectedOutputTokens: number;
}

export interface BatchOptions {
  readonly models: IngestModels;
  readonly answers: AnswerStore;
  /** The maximum number of concurrent calls. Default: 4. */
  readonly concurrency?: number | undefined;
  readonly signal: AbortSignal;
  /** Called with the number of questions that earlier runs have answered. */
  readonly onStored?: ((stage: string, questions: number) => void) | undefined;
  /** Called after each call. */
  readonly onProgress?:
    | ((progress: { readonly stage: string; readonly done: number; readonly total: number }) => void)
    | undefined;
}

/** A call without a usable answer to some of its questions. */
export interface FailedCall {
  readonly stage: string;
  readonly message: string;
  /** Whether the same call may succeed later. */
  readonly isRetryable: boolean;
  readonly questions: number;
}

export interface AskedQuestions<Value> {
  /** The answers in the order of the questions; undefined for a question without an answer. */
  readonly answers: readonly (Value | undefined)[];
  readonly failed: readonly FailedCall[];
}

/** The maximum number of characters of all questions in one call, about four per token. */
const maxChars = 24_000;
/** After this many failed calls in a row, the remaining calls are not tried, because the account or the host is probably the cause. */
const maxFailures = 3;

/** Asks the questions. Rejects only if `signal` is aborted, the store cannot be used, or a model's name or login is wrong. */
export async function askInBatches<Raw, Value>(
  questions: readonly SmallQuestion[],
  kind: SmallQuestionKind<Raw, Value>,
  options: BatchOptions,
): Promise<AskedQuestions<Value>> {
  return new BatchAsker(kind, options).run(questions);
}

interface KeyedQuestion extends SmallQuestion {
  readonly key: string;
}

class BatchAsker<Raw, Value> {
  readonly #kind: SmallQuestionKind<Raw, Value>;
  readonly #options: BatchOptions;
  readonly #known = new Map<string, Value>();
  readonly #failed: FailedCall[] = [];
  #failures = 0;
  #skipped = 0;

  constructor(kind: SmallQuestionKind<Raw, Value>, options: BatchOptions) {
    this.#kind = kind;
    this.#options = options;
  }

  async run(questions: readonly SmallQuestion[]): Promise<AskedQuestions<Value>> {
    const { concurrency: parallel = 4, signal, onProgress, onStored } = this.#options;
    const keyed = questions.map((question) => ({ ...question, key: this.#keyOf(question) }));
    for (const { key } of keyed) this.#readStored(key);
    const open = [...new Map(keyed.map((each) => [each.key, each])).values()].filter(
      ({ key }) => !this.#known.has(key),
    );
    if (this.#known.size > 0) onStored?.(this.#kind.stage, this.#known.size);
    let done = 0;
    await forEachInParallel(toBatches(open, this.#kind.max), { parallel, signal }, async (batch, ended) => {
      if (this.#failures >= maxFailures) this.#skipped += batch.length;
      else await this.#ask(batch, ended);
      done += batch.length;
      onProgress?.({ stage: this.#kind.stage, done, total: open.length });
    });
    const reason = this.#failed.at(-1)?.message ?? "";
    if (this.#skipped > 0) this.#fail(`Not asked after ${maxFailures} failed calls. ${reason}`, true, this.#skipped);
    return { answers: keyed.map(({ key }) => this.#known.get(key)), failed: this.#failed };
  }

  #keyOf({ text }: SmallQuestion): string {
    const { role, stage, version, system, task } = this.#kind;
    return sha256(JSON.stringify([stage, version, this.#options.models.modelOf(role), system, task, text]));
  }

  #readStored(key: string): void {
    const stored = this.#options.answers.read(key);
    const parsed = stored === undefined ? undefined : this.#kind.value.safeParse(stored);
    if (parsed?.success) this.#known.set(key, parsed.data);
  }

  async #ask(batch: readonly KeyedQuestion[], signal: AbortSignal): Promise<void> {
    const { role, stage, system, task, schema, read } = this.#kind;
    const lines = batch.map(({ text }, index) => `q${index + 1}\n${text}`);
    const expectedOutputTokens = Math.max(200, this.#kind.expectedOutputTokens * batch.length);
    const prompt = `${task}\n\n${fenceLines(lines)}`;
    const call = { role, stage, system, prompt, schema, expectedOutputTokens, signal };
    const answer = await this.#options.models.object(call).catch((error: unknown) => {
      signal.throwIfAborted();
      throwIfFinal(error);
      this.#fail(getErrorMessage(error), error.retryable, batch.length);
    });
    const found = answer === undefined ? new Map<string, Value>() : clearAnswers(read(answer.object), batch);
    this.#failures = found.size > 0 ? 0 : this.#failures + 1;
    if (answer === undefined) return;
    const versions = new Map(batch.map((question) => [question.key, question.versions]));
    const stored = [...found].map(([key, value]) => ({ key, role, stage, value, versions: versions.get(key) }));
    if (stored.length > 0) this.#options.answers.write(stored, { usage: answer.usage, costUsd: answer.costUsd });
    for (const [key, value] of found) this.#known.set(key, value);
    if (found.size < batch.length) this.#fail("The model gave no usable answer.", true, batch.length - found.size);
  }

  #fail(message: string, isRetryable: boolean, questions: number): void {
    this.#failed.push({ stage: this.#kind.stage, message, isRetryable, questions });
  }
}

/** Returns the answers by question key. Two different answers to one question count as no answer. */
function clearAnswers<Value>(
  given: readonly { readonly number: string; readonly value: Value }[],
  batch: readonly KeyedQuestion[],
): ReadonlyMap<string, Value> {
  const byNumber = Map.groupBy(given, ({ number }) => number.trim());
  return new Map(
    batch.flatMap(({ key }, index): [string, Value][] => {
      const [first, ...others] = byNumber.get(`q${index + 1}`) ?? [];
      const isClear = others.every(({ value }) => JSON.stringify(value) === JSON.stringify(first?.value));
      return first !== undefined && isClear ? [[key, first.value]] : [];
    }),
  );
}

function toBatches(questions: readonly KeyedQuestion[], max: number): readonly (readonly KeyedQuestion[])[] {
  const batches: KeyedQuestion[][] = [];
  let chars = 0;
  for (const question of questions) {
    const last = batches.at(-1);
    chars += question.text.length;
    if (last === undefined || last.length >= max || chars > maxChars) {
      batches.push([question]);
      chars = question.text.length;
    } else last.push(question);
  }
  return batches;
}

/** The name by which an answer refers to a question of its batch. */
export const questionNumber = z.string().describe("The number of the question, such as q1.");
