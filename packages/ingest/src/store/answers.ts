/** Answers of models, keyed by the exact question. Each answer is stored when it arrives, so nothing is asked twice, even after a crash. */
import type { CallUse, IngestRole } from "../models/ingest-models.ts";

export interface StoredAnswer {
  /** A hash of everything that the answer depends on: the prompt's version, the model, the schema and the content. */
  readonly key: string;
  readonly role: IngestRole;
  readonly stage: string;
  /** JSON. */
  readonly value: unknown;
  /** The versions of items that it is about. If one of them is forgotten, so is the answer. */
  readonly versions?: readonly string[] | undefined;
}

export interface AnswerStore {
  /** Undefined if it was never answered. The caller parses the value. Throws a BridleError if the store cannot be read. */
  read(key: string): unknown;
  /** Stores answers of one call for good, all or none. */
  write(answers: readonly StoredAnswer[], use: CallUse): void;
}
