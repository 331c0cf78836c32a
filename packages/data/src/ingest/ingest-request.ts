import type { IngestProgress, IngestReport, PlannedFile } from "@bridle/ingest";

/** One run of ingest. */
export interface IngestRequest {
  /** Names in `context.sources`, paths, and `-` for the standard input. Default: all of `context.sources`. */
  readonly sources?: readonly string[] | undefined;
  /**
   * Sources to remove, with the facts that only they support: paths that were ingested, and texts such as `text:1f0c2d4e`. If `sources` is
   * empty, no other source is read and no model is called. Default: none.
   */
  readonly remove?: readonly string[] | undefined;
  /** Relative paths are resolved against this folder. Default: the folder of the project. */
  readonly cwd?: string | undefined;
  /** The items to send to models: ids, titles or globs. The facts from other items are kept. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Whether to read and call models, but write no file. The models' answers are stored for the next run. Default: false. */
  readonly dryRun?: boolean | undefined;
  /**
   * Whether to read only remembered facts and handwritten pages, without calling models, in order to write the files again. Default: false.
   */
  readonly isOwnOnly?: boolean | undefined;
  /** The maximum number of model calls in progress at a time. Default: 4. */
  readonly concurrency?: number | undefined;
  /** The budget in US dollars. A call that may exceed it does not begin; the next run continues the work. Default: no limit. */
  readonly budgetUsd?: number | undefined;
  /** The maximum number of responses of a model that works on a document. Default: 30. */
  readonly stepBudget?: number | undefined;
  /** Stops the run. The report contains the reason, and the next run continues the work. */
  readonly signal?: AbortSignal | undefined;
  /** Asks the user about each file. Default: all files are written. */
  readonly choose?: ((file: PlannedFile) => Promise<boolean>) | undefined;
  /** Called with the current stage, and with the calls, tokens and cost so far. */
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined;
  /** Called after each response of a model that works on documents. */
  readonly onStep?:
    | ((step: { readonly unit: string; readonly index: number; readonly budget: number }) => void)
    | undefined;
}

/** The results of a run, or of a dry run. */
export interface IngestedSources {
  readonly report: IngestReport;
  /** The files before and after the run, or after a run that would write. Empty if the run was stopped. */
  readonly files: readonly PlannedFile[];
}
