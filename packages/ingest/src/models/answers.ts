/** Answers of models, keyed by the exact question. Each answer is stored when it arrives, so nothing is asked twice, even after a crash. */
import type { CallUse, IngestRole } from "./ingest-models.ts";

export interface StoredAnswer {
  /** A hash of everything that the answer depends on: the prompt's version, the model, the schema and the content. */
  readonly key: string;
  readonly role: IngestRole;
  readonly stage: string;
  /** JSON. */
  readonly value: unknown;
  /** The versions of the items that it is about. Forgetting one of them also removes the answer. */
  readonly versions?: readonly string[] | undefined;
}

export interface AnswerStore {
  /** Undefined if the question was never answered. The caller parses the value. Throws a BridleError if the store cannot be read. */
  read(key: string): unknown;
  /** Stores the answers of one call in one transaction. */
  write(answers: readonly StoredAnswer[], use: CallUse): void;
}

export interface AttemptStore extends AnswerStore {
  /** Stores the proposals of a unit that failed or ran out of steps. The next attempt replaces them. */
  writeAttempt: AnswerStore["write"];
}
