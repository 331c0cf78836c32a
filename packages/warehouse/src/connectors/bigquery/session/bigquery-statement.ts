import { randomUUID } from "node:crypto";
import { InvalidRequestError, isBridleError, NetworkError } from "@bridle/protocol";
import { z } from "zod";
import type { StreamOptions } from "../../../port/connector.ts";
import { StatementEnd, statementGraceMs } from "../../../sessions/statement-end.ts";
import { timeoutFailure } from "../../../sessions/timeout-failure.ts";
import type { BigQueryClient } from "./bigquery-client.ts";
import { BigQueryFailure, explainBigQueryFailure } from "./failures.ts";
import { type BigQueryPage, jobSchema, resultSchema } from "./job-answers.ts";

/** How many milliseconds one request waits for the end of a job. */
const waitMs = 10_000;
const overBytes = "bytesBilledLimitExceeded";
const maxPageRows = 10_000;

export interface StatementSettings {
  readonly location?: string | undefined;
  readonly maximumBytesBilled: number;
}

/** One statement: a dry run, a job, and the pages of its result. */
export class BigQueryStatement {
  readonly #client: BigQueryClient;
  readonly #settings: StatementSettings;
  readonly #options: StreamOptions;
  readonly #id = `bridle_${randomUUID()}`;
  readonly #end: StatementEnd;
  #location: string | undefined;
  #bytes: string | undefined;
  #isSent = false;
  #isDone = false;

  constructor(client: BigQueryClient, settings: StatementSettings, options: StreamOptions) {
    this.#client = client;
    this.#settings = settings;
    this.#options = options;
    this.#location = settings.location;
    this.#end = new StatementEnd(options);
  }

  /** Dry-runs the statement, runs it if it only reads, and returns the first page of its result. */
  async open(sql: string): Promise<BigQueryPage> {
    try {
      this.#options.signal?.throwIfAborted();
      this.#client.statements += 1;
      await this.#try(sql);
      await this.#insert(sql);
      return await this.#waitForEnd();
    } catch (error) {
      await this.stop();
      throw this.#explain(error);
    }
  }

  /** Requests the page after the one that returned `pageToken`. */
  async next(pageToken: string): Promise<BigQueryPage> {
    try {
      return await this.#page({ pageToken });
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /** Dry-runs the statement, which is free of charge, to find out the kind of the statement. */
  async #try(sql: string): Promise<void> {
    const job = await this.#client.send(
      { path: [this.#client.project, "jobs"], body: this.#job(sql, true), signal: this.#end.signal },
      jobSchema,
    );
    if (job.status.errorResult !== undefined) throw new BigQueryFailure(400, job.status.errorResult);
    const kind = job.statistics.query?.statementType ?? "unknown";
    if (kind !== "SELECT")
      throw new InvalidRequestError(
        `BigQuery takes the statement for one of the kind ${kind}. Only a SELECT can be sent here.`,
      );
    this.#bytes = job.statistics.totalBytesProcessed ?? job.statistics.query?.totalBytesProcessed;
    this.#location = job.jobReference.location ?? this.#location;
  }

  /**
   * Starts the job. The signal does not abort this request, because the job may run even if no answer arrives. The job's identifier makes
   * it safe to send the request again.
   */
  async #insert(sql: string): Promise<void> {
    this.#end.signal.throwIfAborted();
    this.#isSent = true;
    try {
      const job = await this.#client.send(
        { path: [this.#client.project, "jobs"], body: this.#job(sql, false) },
        jobSchema,
      );
      this.#location = job.jobReference.location ?? this.#location;
      if (job.status.errorResult !== undefined) throw new BigQueryFailure(400, job.status.errorResult);
    } catch (error) {
      const isRunning = error instanceof BigQueryFailure && error.reason === "duplicate";
      // If the service refuses the job, the job does not run. After other failures, it may run.
      if (error instanceof BigQueryFailure && !isRunning && (error.status < 500 || error.reason === overBytes))
        this.#isDone = true;
      if (!isRunning) throw error;
    }
    this.#end.signal.throwIfAborted();
  }

  #job(sql: string, dryRun: boolean) {
    const { location, maximumBytesBilled } = this.#settings;
    const query = {
      query: sql,
      useLegacySql: false,
      priority: "INTERACTIVE",
      maximumBytesBilled: String(maximumBytesBilled),
    };
    return {
      jobReference: {
        projectId: this.#client.project,
        jobId: dryRun ? `${this.#id}_dry_run` : this.#id,
        ...(location === undefined ? {} : { location }),
      },
      configuration: { dryRun, jobTimeoutMs: String(this.#options.timeoutMs), labels: { client: "bridle" }, query },
    };
  }

  async #waitForEnd(): Promise<BigQueryPage> {
    for (;;) {
      const page = await this.#page({
        timeoutMs: String(Math.min(waitMs, this.#options.timeoutMs + statementGraceMs)),
      });
      this.#location = page.jobReference.location ?? this.#location;
      if (!page.jobComplete) continue;
      this.#isDone = true;
      return page;
    }
  }

  #page(query: Readonly<Record<string, string>>): Promise<BigQueryPage> {
    const rows = Math.max(1, Math.min(maxPageRows, this.#options.maxRows + 1));
    const common = { location: this.#location, maxResults: String(rows), "formatOptions.useInt64Timestamp": "true" };
    const path = [this.#client.project, "queries", this.#id];
    return this.#client.send({ path, query: { ...common, ...query }, signal: this.#end.signal }, resultSchema);
  }

  #explain(error: unknown): unknown {
    const reason = this.#end.reason(error);
    if (reason !== undefined) return reason;
    if (error instanceof BigQueryFailure) return this.#explainBigQueryFailure(error);
    if (isBridleError(error)) return error;
    if (error instanceof z.ZodError || error instanceof SyntaxError)
      return new InvalidRequestError("BigQuery sent a result that cannot be read.", { cause: error });
    const message = error instanceof Error ? error.message : String(error);
    return new NetworkError(`The connection to BigQuery was lost (${message}). Try again.`, { cause: error });
  }

  #explainBigQueryFailure(failure: BigQueryFailure) {
    if (failure.reason === "timeout" || failure.reason === "stopped" || /\btimed? ?out\b/i.test(failure.message))
      return timeoutFailure(this.#options.timeoutMs);
    if (failure.reason === overBytes) {
      const read = this.#bytes === undefined ? "more than is allowed" : `${this.#bytes} bytes`;
      return new InvalidRequestError(
        `The statement would read ${read}, and maximumBytesBilled is ${this.#settings.maximumBytesBilled}. Read fewer columns or partitions, or raise it.`,
      );
    }
    return explainBigQueryFailure(failure, this.#client.project, this.#client.tokens.place);
  }

  /** Cancels the job if it may still run. */
  async stop(): Promise<void> {
    this.#end.dispose();
    if (this.#isDone || !this.#isSent) return;
    this.#isDone = true;
    const path = [this.#client.project, "jobs", this.#id, "cancel"];
    await this.#client.send({ path, query: { location: this.#location }, body: {} }, z.unknown()).catch(() => {});
  }
}
