import type { Redactor } from "@bridle/core";
import type { PlaceModel } from "@bridle/metric-formats";
import type { AnyTool } from "@bridle/protocol";
import type { CheckedCandidate } from "../claims/checked-candidate.ts";
import type { GateServices } from "../claims/gates/gate.ts";
import type { KnownNames } from "../claims/gates/known-names.ts";
import type { AskServices } from "../models/ask-questions.ts";
import type { IngestModels } from "../models/ingest-models.ts";
import type { IngestSource, StagedItem } from "../sources/source.ts";
import type { IngestStore } from "../store/ingest-store.ts";
import type { IngestOutcome } from "./ingest-outcome.ts";
import type { IngestProgress } from "./progress.ts";

/** Answers ingest's questions about the project's warehouses. */
export interface IngestKnowledge extends Pick<GateServices, "checkModelPart" | "checkJoin"> {
  /** Returns the current names. */
  names(): KnownNames;
  /** Finds the table and columns of a model from another tool. Default: the table is found by name, and columns are unknown. */
  readonly placeModel?: PlaceModel | undefined;
  /** Returns a string that changes when checks of joins and models may have other results. Default: these are checked in every run. */
  version?(): string;
  /** The context's tools for readable connections. Ingest adds its own tools. */
  readonly contextTools: readonly AnyTool[];
}

export interface IngestOptions<T> {
  /** The sources to fetch. */
  readonly sources: readonly IngestSource[];
  /** The names of all sources of the project. Items of other sources are removed. Default: no items are removed. */
  readonly configured?: readonly string[] | undefined;
  readonly store: IngestStore;
  readonly models: IngestModels;
  readonly knowledge: IngestKnowledge;
  /** Removes credentials before anything is stored. */
  readonly redactor: Redactor;
  /** The maximum number of concurrent calls. Default: 4. */
  readonly concurrency?: number | undefined;
  /** The budget in US dollars. No call starts that may exceed it. Default: no limit. */
  readonly budgetUsd?: number | undefined;
  /** The maximum number of model responses in a work unit. Default: 30. */
  readonly stepBudget?: number | undefined;
  /** Whether models may be asked about an item. Known facts about other items remain. Default: true for all items. */
  readonly isWanted?: ((item: StagedItem) => boolean) | undefined;
  /**
   * Whether `finish` only shows a plan. If so, no item, text or source is removed, but new versions and answers are stored. Default: false.
   */
  readonly isPlan?: boolean | undefined;
  /** Whether to call no model. If so, earlier facts remain where an answer is missing. Default: false. */
  readonly asksNothing?: boolean | undefined;
  /** Whether a script plays the models. Later runs do not reuse its answers. Default: false. */
  readonly isRehearsed?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly now?: (() => number) | undefined;
  onProgress?(progress: IngestProgress): void;
  /** Called after each model response in a work unit. */
  onStep?(step: { readonly unit: string; readonly index: number; readonly budget: number }): void;
  /** Turns the candidates into claims, and writes the resulting files. Not called if the run was stopped. */
  finish(candidates: readonly CheckedCandidate[], run: FinishedReading): Promise<T>;
}

/** The services for the rest of a run: stored answers, and models that count calls and keep the budget. */
export interface FinishedReading extends AskServices {
  readonly store: IngestStore;
  /** The outcome so far. Calls that are made later are added at the end. */
  readonly outcome: IngestOutcome;
}

export interface IngestResult<T> {
  readonly outcome: IngestOutcome;
  /** Undefined if the run was stopped. */
  readonly result: T | undefined;
}
