import { type OpenContextOptions, OpenedContext } from "@bridle/context";
import type { MemoryScope, Remembered, WhyAnswer } from "@bridle/ingest";
import type { Project } from "@bridle/project";
import { type AgentRuntime, given, InvalidRequestError, optionsCheck } from "@bridle/protocol";
import { z } from "zod";
import type { IngestedSources, IngestRequest } from "./ingest-request.ts";
import { openProjectIngest, type ProjectIngest, type ProjectIngestOptions } from "./project-ingest.ts";

export interface ContextIngestOptions extends IngestRequest {
  /** The whole standard input, for the source `-`. Default: none. */
  readonly readInput?: (() => Promise<string>) | undefined;
  /** A runtime of the same project. The caller closes it. Default: ingest creates a runtime that logs to the project's event log. */
  readonly runtime?: AgentRuntime | undefined;
}

export interface ContextRememberOptions {
  /** The author of the fact. */
  readonly by: string;
  /** `project`: for everybody who uses the project. `user`: for the user of this machine, in every project. Default: `project`. */
  readonly scope?: MemoryScope | undefined;
  /** The first day on which the fact is valid, such as 2026-03-01. */
  readonly since?: string | undefined;
  /** The conversation that the fact comes from. */
  readonly session?: string | undefined;
  /** Whether to store the text as one statement, without calling a model to extract its facts. Default: false. */
  readonly isVerbatim?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

const error = { error: InvalidRequestError };

const checkIngest = optionsCheck<ContextIngestOptions>(
  "ingest",
  {
    sources: given.texts.optional(),
    remove: given.texts.optional(),
    cwd: given.text.optional(),
    only: given.texts.optional(),
    dryRun: given.flag.optional(),
    isOwnOnly: given.flag.optional(),
    concurrency: given.number.optional(),
    budgetUsd: given.number.optional(),
    stepBudget: given.number.optional(),
    signal: given.signal.optional(),
    choose: given.callback.optional(),
    onProgress: given.callback.optional(),
    onStep: given.callback.optional(),
    readInput: given.callback.optional(),
    runtime: given.object.optional(),
  },
  error,
);

const checkRemember = optionsCheck<ContextRememberOptions>(
  "remember",
  {
    by: given.text,
    scope: z.enum(["project", "user"]).optional(),
    since: given.text.optional(),
    session: given.text.optional(),
    isVerbatim: given.flag.optional(),
    signal: given.signal.optional(),
  },
  error,
);

/** A project's context, with methods that also read documents and tools. Close it after use. */
export class DataContext extends OpenedContext {
  readonly #project: Project;
  readonly #isRehearsed: boolean;

  /** Not called by programs, which use `createContext`. Throws FactsError. */
  constructor(
    options: OpenContextOptions,
    project: Project,
    { isRehearsed = false }: { isRehearsed?: boolean | undefined },
  ) {
    super(options);
    this.#project = project;
    this.#isRehearsed = isRehearsed;
  }

  /**
   * Reads sources, lets models extract the important facts, checks them, and writes pages, models and notes about tables. Models are not
   * called again for unchanged parts. The report lists failures of models and sources, and the next run continues the work.
   *
   * @throws ConfigError if a setting or a source is wrong, or another ingest is in progress; a BridleError of the warehouse.
   * @example
   * const { report } = await context.ingest({ sources: ["docs/wiki"], budgetUsd: 2 });
   * console.log(report.added.length, report.contested);
   */
  async ingest(options: ContextIngestOptions = {}): Promise<IngestedSources> {
    checkIngest(options);
    const { runtime, readInput, ...request } = options;
    return this.#with({ runtime, readInput }, (ingest) => ingest.run(request));
  }

  /**
   * Explains why something is known: a page, a claim, a table, a column, a join, a model or an entry of a model, down to quotes from
   * documents.
   *
   * @throws ConfigError if the file with decisions is invalid; IngestStoreError.
   * @example
   * const { claims } = await context.why("trips.gross_fare");
   * console.log(claims[0]?.sources[0]?.quote);
   */
  why(key: string): Promise<WhyAnswer> {
    return this.#with({}, (ingest) => ingest.why(key));
  }

  /**
   * Remembers a fact that a user stated, after the same checks as everything that ingest writes. The next ingest writes it on a page.
   *
   * @throws InvalidRequestError if the text is empty or too long; ConfigError if the memory file is invalid; a BridleError of the model, if
   * one is called.
   * @example
   * const remembered = await context.remember("Revenue never includes deposits.", { by: "Ann" });
   */
  async remember(text: string, options: ContextRememberOptions): Promise<Remembered> {
    checkRemember(options);
    const { scope = "project", isVerbatim = false, ...told } = options;
    return this.#with({}, async (ingest) => {
      const { remember } = await import("@bridle/ingest");
      const models = isVerbatim ? undefined : ingest.models();
      return remember(text, { ...told, memory: ingest.memory(scope), gates: ingest.gates(), models });
    });
  }

  async #with<T>(
    options: Pick<ProjectIngestOptions, "runtime" | "readInput">,
    work: (ingest: ProjectIngest) => T | Promise<T>,
  ): Promise<T> {
    const isRehearsed = this.#isRehearsed;
    const ingest = await openProjectIngest(this.#project, { context: this, isRehearsed, ...options });
    try {
      return await work(ingest);
    } finally {
      await ingest.close();
    }
  }
}
