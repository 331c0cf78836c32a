import { noUsage, type Usage } from "@bridle/protocol";
import { z } from "zod";
import type { AttemptStore, StoredAnswer } from "../models/answers.ts";
import type { CallUse, IngestRole } from "../models/ingest-models.ts";
import { jsonColumn, type StoreDatabase } from "./store-database.ts";

interface AnswersOptions {
  /** The run that pays for the calls. */
  readonly run: number;
  readonly modelOf: (role: IngestRole) => string;
}

const valueRow = z.object({ value: jsonColumn(z.unknown()) });

/** Answers in the ingest database, with their cost. */
export class SqliteAnswers implements AttemptStore {
  readonly #database: StoreDatabase;
  readonly #options: AnswersOptions;

  constructor(database: StoreDatabase, options: AnswersOptions) {
    this.#database = database;
    this.#options = options;
  }

  read(key: string): unknown {
    return this.#database.get(valueRow, "SELECT value FROM answers WHERE key = :key", { key })?.value;
  }

  write(answers: readonly StoredAnswer[], use: CallUse): void {
    const insert = "INSERT OR REPLACE INTO answers VALUES (:key, :role, :stage, :value, :now)";
    const about = "INSERT OR IGNORE INTO answer_versions (version, key) VALUES (:version, :key)";
    const now = new Date().toISOString();
    this.#database.transaction(() => {
      for (const { key, role, stage, value, versions = [] } of answers) {
        this.#database.run(insert, { key, role, stage, value: JSON.stringify(value), now });
        for (const version of versions) this.#database.run(about, { version, key });
        this.#database.run("DELETE FROM attempts WHERE key = :key", { key });
      }
      const [first] = answers;
      if (first !== undefined) this.#spend(first, use);
    });
  }

  writeAttempt(answers: readonly StoredAnswer[], use: CallUse): void {
    const insert = "INSERT OR REPLACE INTO attempts (key, value, version) VALUES (:key, :value, :version)";
    this.#database.transaction(() => {
      for (const { key, value, versions = [] } of answers)
        this.#database.run(insert, { key, value: JSON.stringify(value), version: versions[0] ?? "" });
      const [first] = answers;
      if (first !== undefined) this.#spend(first, use);
    });
  }

  readAttempt(key: string): unknown {
    return this.#database.get(valueRow, "SELECT value FROM attempts WHERE key = :key", { key })?.value;
  }

  #spend({ role, stage }: StoredAnswer, { usage = noUsage, costUsd }: CallUse): void {
    const add = `INSERT INTO spending VALUES (:run, :stage, :role, :model, 1, :input, :output, :cost)
      ON CONFLICT (run, stage, role, model) DO UPDATE SET calls = calls + 1, input_tokens = input_tokens + :input,
      output_tokens = output_tokens + :output, cost_usd = cost_usd + :cost`;
    const { run, modelOf } = this.#options;
    const used = { input: inputOf(usage), output: usage.outputTokens, cost: costUsd ?? null };
    this.#database.run(add, { run, stage, role, model: modelOf(role), ...used });
  }
}

function inputOf({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return inputTokens + cacheReadTokens + cacheWriteTokens;
}
