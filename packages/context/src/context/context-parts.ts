/** The parts of a data context, as programs see them. */
import type { MetricQuery, ModelFile, ModelProblem, SemanticModel } from "@bridle/semantic";
import type { ListChangesOptions, ListedChange } from "../files/change-log.ts";
import type { UnknownNote } from "../files/check-notes.ts";
import type { ChangeAuthor, ChangeResult, FileChange } from "../files/file-change.ts";
import type { ContextFileProblem } from "../files/file-problem.ts";
import type { AuthoredChange, PreviewedFile } from "../files/preview-changes.ts";
import type { CheckedMetrics } from "../metrics/check-metrics.ts";
import type { CheckedModelFiles, CheckFilesOptions } from "../metrics/check-model-files.ts";
import type { DescribedModel } from "../metrics/describe-models.ts";
import type { MetricRunOptions } from "../metrics/metric-queries.ts";
import type { MetricOutcome } from "../metrics/metric-query-types.ts";
import type { PlacedModel } from "../metrics/model-table.ts";
import type { ModelProposalRequest, ModelProposals } from "../proposals/models/propose-models.ts";
import type { JoinProposals, ProposalRequest } from "../proposals/propose-judged-joins.ts";
import type { JudgedProposal } from "../scan/judge-proposals.ts";
import type { JoinProposal } from "../scan/scan-options.ts";
import type { ContextPage } from "../wiki/context-page.ts";
import type { CallerOptions } from "./context-options.ts";

/** The metrics of a data context: the models of `context/models`, and queries over them. */
export interface DataMetrics {
  /**
   * Answers a query over the models of `context/models`, or explains why the query has no correct answer.
   *
   * @throws ConfigError if a model is invalid or missing; a BridleError of the warehouse.
   */
  query(query: MetricQuery, options?: MetricRunOptions & CallerOptions): Promise<MetricOutcome>;
  /** Lists the models that a caller may see. Throws ConfigError if a model is invalid, or the project has no models. */
  list(options?: CallerOptions): readonly DescribedModel[];
  /** The problems in the files of `context/models`. */
  readonly problems: readonly ModelProblem[];
  /**
   * Returns the connection, table and columns of a model that is not in `context/models` yet, or a sentence about the model's problem.
   * Undefined if nothing has been scanned.
   */
  place(model: SemanticModel): PlacedModel | string | undefined;
  /** Checks the declared keys of all models by counting in the data, and runs each measure and metric. Rejects like `query`. */
  check(options?: CallerOptions & Pick<MetricRunOptions, "signal">): Promise<CheckedMetrics>;
  /** Checks model files as if they were the project's, and runs their measures. Writes nothing. Rejects like `query`. */
  checkFiles(files: readonly ModelFile[], options?: CheckFilesOptions): Promise<CheckedModelFiles>;
  /** Drafts models of scanned tables, and runs their measures. Writes nothing. Rejects like `proposeModels`. */
  propose(request?: ModelProposalRequest): Promise<ModelProposals>;
}

/** The pages of a data context, from `context/wiki`. */
export interface DataWiki {
  /** Lists the pages that a caller may see, sorted by name. Pages with `use: never` are left out. */
  list(options?: CallerOptions): readonly ContextPage[];
  /** Finds a page by its name or title; undefined if the caller sees no such page. */
  find(name: string, options?: CallerOptions): ContextPage | undefined;
  /** Lists all pages of the project, including those that no agent sees. */
  all(): readonly ContextPage[];
  /** The problems in the files of the pages. */
  readonly problems: readonly ContextFileProblem[];
}

/** Proposes and checks joins that a scan does not find by itself. */
export interface DataJoins {
  /** Lets a model propose joins, and checks each with the data. Changes no fact and no file. Rejects like `proposeJudgedJoins`. */
  propose(options: ProposalRequest): Promise<JoinProposals>;
  /** Checks joins between scanned tables with the data. Changes no fact. Rejects with a BridleError of the warehouse. */
  judge(
    connection: string,
    proposals: readonly JoinProposal[],
    signal?: AbortSignal,
  ): Promise<readonly JudgedProposal[]>;
}

/** What people wrote about tables: the files of `context/tables`, and their changes. */
export interface DataFiles {
  /** The problems in the files. */
  readonly problems: readonly ContextFileProblem[];
  /** Tables and columns that the files name but no scan found. */
  readonly unknownNotes: readonly UnknownNote[];
  /** Makes one change in a file. Rejects like `changeTableFile`. */
  change(change: FileChange, author: ChangeAuthor): Promise<ChangeResult>;
  /** Returns the files that the changes would modify. Writes nothing. Throws ConfigError if a file cannot be edited. */
  preview(changes: readonly AuthoredChange[]): readonly PreviewedFile[];
  /** Lists the changes that were made through Bridle, newest first. */
  changes(options?: ListChangesOptions): ListedChange[];
}
