import { type OpenContextOptions, OpenedContext } from "@bridle/context";
import type { WhyAnswer } from "@bridle/ingest";
import type { Project } from "@bridle/project";
import type { AgentRuntime } from "@bridle/protocol";
import type { IngestedSources, IngestRequest } from "./ingest-request.ts";
import { openProjectIngest, type ProjectIngest, type ProjectIngestOptions } from "./project-ingest.ts";

export interface ContextIngestOptions extends IngestRequest {
  /** The whole standard input, for the source `-`. Default: there is none. */
  readonly readInput?: (() => Promise<string>) | undefined;
  /** A runtime of the same project; you close it. Default: ingest makes one, whose runs are in the project's event log. */
  readonly runtime?: AgentRuntime | undefined;
}

/** The context of a project, which also reads documents and tools. Close it after use. */
export class IngestingContext extends OpenedContext {
  readonly #project: Project;
  readonly #isRehearsed: boolean;

  /** Use `createContext`. Throws FactsError. */
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
   * Reads sources, lets models extract what matters, checks it, and writes pages, models and notes about tables. What is unchanged is
   * not asked again. What a model or a source fails to give is in the report, and the next run continues.
   *
   * @throws ConfigError if a setting or a source is wrong, or another ingest is in progress; a BridleError of the warehouse.
   * @example
   * const { report } = await context.ingest({ sources: ["docs/wiki"], budgetUsd: 2 });
   * console.log(report.added.length, report.contested);
   */
  ingest({ runtime, readInput, ...request }: ContextIngestOptions = {}): Promise<IngestedSources> {
    return this.#with({ runtime, readInput }, (ingest) => ingest.run(request));
  }

  /**
   * Why something is known: a page, a claim, a table, a column, a join, a model or an entry of one, down to quotes of documents.
   *
   * @throws ConfigError if the file of decisions is wrong; IngestStoreError.
   * @example
   * const { claims } = await context.why("trips.gross_fare");
   * console.log(claims[0]?.sources[0]?.quote);
   */
  why(key: string): Promise<WhyAnswer> {
    return this.#with({}, (ingest) => ingest.why(key));
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
