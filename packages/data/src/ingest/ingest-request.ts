import type { IngestProgress, IngestReport, PlannedFile } from "@bridle/ingest";

/** One run of ingest. */
export interface IngestRequest {
  /** Names in `context.sources`, paths, and `-` for the standard input. Default: all of `context.sources`. */
  readonly sources?: readonly string[] | undefined;
  /**
   * Sources to remove, with the facts that only they support: paths that were ingested, and texts such as `text:1f0c2d4e`. If `sources` is
   * empty, no other source is read and no model is asked. Default: none.
   */
  readonly remove?: readonly string[] | undefined;
  /** Paths start here. Default: the folder of the project. */
  readonly cwd?: string | undefined;
  /** Models are asked about these items only: ids, titles or globs. The facts about other items are kept. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Read and ask, but write no file. The answers of models are stored for the next run. Default: false. */
  readonly dryRun?: boolean | undefined;
  /** Reads only remembered facts and handwritten pages, and asks no model: to write files again. Default: false. */
  readonly isOwnOnly?: boolean | undefined;
  /** Calls of models in progress at a time. Default: 4. */
  readonly concurrency?: number | undefined;
  /** US dollars. No call begins that may exceed it, and the next run continues. Default: no limit. */
  readonly budgetUsd?: number | undefined;
  /** The responses of a model that works on a document. Default: 30. */
  readonly stepBudget?: number | undefined;
  /** Stops the run. The report contains the reason, and the next run continues. */
  readonly signal?: AbortSignal | undefined;
  /** Asks the user about each file. Default: all are written. */
  readonly choose?: ((file: PlannedFile) => Promise<boolean>) | undefined;
  /** Called with the stage, and with calls, tokens and cost so far. */
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined;
  /** Called after each response of a model that works on documents. */
  readonly onStep?:
    | ((step: { readonly unit: string; readonly index: number; readonly budget: number }) => void)
    | undefined;
}

/** The results of a run, or of a dry run. */
export interface IngestedSources {
  readonly report: IngestReport;
  /** The files before and after the run, or as they would be. Empty if the run was stopped. */
  readonly files: readonly PlannedFile[];
}
