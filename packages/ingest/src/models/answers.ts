/**
 * Stores models' answers by the exact question. Each answer is stored when it arrives, so that no question is asked twice, even after a
 * crash.
 */
import type { CallUse, IngestRole } from "./ingest-models.ts";

export interface StoredAnswer {
  /** A hash of everything that the answer depends on: the prompt's version, the model, the schema and the content. */
  readonly key: string;
  readonly role: IngestRole;
  readonly stage: string;
  /** The answer, as JSON. */
  readonly value: unknown;
  /** The versions of the items that the answer is about. Forgetting one of these versions also removes the answer. */
  readonly versions?: readonly string[] | undefined;
}

export interface AnswerStore {
  /**
   * Returns the value, which the caller parses; undefined if the question was never answered. Throws a BridleError if the store cannot be
   * read.
   */
  read(key: string): unknown;
  /** Stores the answers of one call in one transaction. */
  write(answers: readonly StoredAnswer[], use: CallUse): void;
}

export interface AttemptStore extends AnswerStore {
  /** Stores the proposals of a unit that failed or ran out of steps. The next attempt replaces them. */
  writeAttempt: AnswerStore["write"];
}
