import {
  type ComparedRows,
  type ContextQuestion,
  compareRows,
  type OpenedContext,
  type QuestionReference,
} from "@bridle/context";
import { getErrorMessage } from "@bridle/protocol";
import { structureRows } from "@bridle/warehouse";

import { formatRowsAsText } from "./format-rows-as-text.ts";

/** The maximum number of rows in a known answer. */
const maxRows = 10_000;

/** Thrown if a known answer cannot be used. The message contains the reason and the remedy. */
export class KnownAnswerError extends Error {
  override readonly name = "KnownAnswerError";
}

/** The known answers of questions. Each statement runs only once. */
export class ReferenceRows {
  readonly #context: OpenedContext;
  readonly #rows = new Map<string, Promise<ComparedRows>>();

  constructor(context: OpenedContext) {
    this.#context = context;
  }

  /** Returns the rows. Rejects with a KnownAnswerError. */
  read(reference: QuestionReference, question: ContextQuestion, signal: AbortSignal): Promise<ComparedRows> {
    const { sql, metrics, rows } = reference;
    const key = JSON.stringify([question.connection, question.tolerance, question.ordered, sql, metrics, rows]);
    const known = this.#rows.get(key) ?? this.#read(reference, question, signal);
    this.#rows.set(key, known);
    known.catch(() => this.#rows.delete(key)); // an interrupted statement can run again
    return known;
  }

  /** Runs a statement of an agent again, and reads all of its rows. */
  async run(connection: string, sql: string, signal: AbortSignal): Promise<ComparedRows> {
    const result = await this.#context.sql(connection, sql, { limits: { maxRows }, signal });
    if (result.truncated !== undefined) throw tooMany(`The statement`);
    return structureRows(result);
  }

  async #read(reference: QuestionReference, question: ContextQuestion, signal: AbortSignal): Promise<ComparedRows> {
    const { rows } = reference;
    const found = await this.#execute(reference, question, signal);
    if (found === undefined) return { rows: rows ?? [] };
    if (rows === undefined) return found;
    const { ordered, tolerance } = question;
    const { isSame, reason } = compareRows({ rows }, found, { ordered, tolerance });
    if (isSame) return found;
    throw new KnownAnswerError(
      `The reference does not return the rows of the question. ${reason} It returns: ${formatRowsAsText(found)}. Correct one of them.`,
    );
  }

  async #execute(
    { sql, metrics }: QuestionReference,
    { connection }: ContextQuestion,
    signal: AbortSignal,
  ): Promise<ComparedRows | undefined> {
    try {
      if (sql !== undefined) return await this.run(connection, sql, signal);
      if (metrics === undefined) return undefined;
      const outcome = await this.#context.metrics.query(metrics, { maxRows, signal });
      if (outcome.kind === "refused") throw new KnownAnswerError(`The query is refused: ${outcome.refusal.message}`);
      if (outcome.kind === "answered" && outcome.truncated !== undefined) throw tooMany("The query");
      return outcome.kind === "answered" ? outcome : undefined;
    } catch (cause) {
      if (cause instanceof KnownAnswerError || signal.aborted) throw cause;
      throw new KnownAnswerError(`The reference cannot run: ${getErrorMessage(cause)}`, { cause });
    }
  }
}

function tooMany(subject: string): KnownAnswerError {
  return new KnownAnswerError(`${subject} returns more than ${maxRows} rows, which are not compared. Aggregate them.`);
}
