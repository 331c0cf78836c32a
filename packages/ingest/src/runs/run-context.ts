import type { AskServices } from "../models/ask-questions.ts";
import { MeteredModels } from "../models/metered-models.ts";
import { createSecretRemoval, type RemoveSecrets } from "../staging/remove-secrets.ts";
import type { StoredItem } from "../store/item-table.ts";
import type { SqliteAnswers } from "../store/sqlite-answers.ts";
import type { IngestOptions } from "./ingest-options.ts";
import type { Unfinished } from "./ingest-outcome.ts";
import { ItemReader } from "./item-reader.ts";
import { ProgressReport } from "./progress.ts";

/** The options of a run without `finish`, which the stages do not need. */
export type StageOptions = Omit<IngestOptions<unknown>, "finish">;

/** The state shared by all stages of a run. */
export class RunContext {
  readonly options: StageOptions;
  readonly run: number;
  readonly signal: AbortSignal;
  readonly concurrency: number;
  readonly models: MeteredModels;
  readonly answers: SqliteAnswers;
  readonly reader: ItemReader;
  readonly progress: ProgressReport;
  readonly removeSecrets: RemoveSecrets;
  readonly unfinished: Unfinished[] = [];
  readonly now: () => number;

  constructor(options: StageOptions, run: number) {
    const { store, models, redactor, budgetUsd, asksNothing, concurrency = 4, now = Date.now } = options;
    this.options = options;
    this.run = run;
    this.now = now;
    this.concurrency = concurrency;
    this.signal = options.signal ?? new AbortController().signal;
    this.models = new MeteredModels(models, {
      budgetUsd,
      asksNothing,
      concurrency,
      now,
      costPerToken: (model) => store.costPerToken(model),
      onCall: () => this.progress.touch(),
    });
    this.answers = store.answers(run, (role) => models.modelOf(role));
    this.reader = new ItemReader({ store, answers: this.answers, models: this.models });
    this.removeSecrets = createSecretRemoval(redactor);
    const onProgress = options.onProgress?.bind(options);
    const { spending } = this.models;
    this.progress = new ProgressReport({ spending, now, runs: store.runs, run, ...(onProgress && { onProgress }) });
  }

  /** Iterates over the items that models may be asked about. */
  *items(): Iterable<StoredItem> {
    const { store, isWanted = () => true } = this.options;
    for (const stored of store.items.list()) if (isWanted(stored.item)) yield stored;
  }

  asking(): AskServices {
    const { models, answers, concurrency, signal, removeSecrets } = this;
    const onDone = (questions: number) => this.progress.add(questions);
    return { models, answers, concurrency, signal, removeSecrets, onDone };
  }

  /** Records work that was not finished, grouped by source. All questions that a stage left open become one entry per source. */
  note(
    stage: string,
    questions: readonly { readonly source: string; readonly name: string }[],
    { state, reason }: Pick<Unfinished, "state" | "reason">,
  ): void {
    for (const [source, own] of Map.groupBy(questions, (question) => question.source)) {
      const index = this.unfinished.findIndex(
        (each) => state === "left" && each.state === state && each.stage === stage && each.source === source,
      );
      const known = this.unfinished[index];
      const items = [...new Set([...(known?.items ?? []), ...own.map(({ name }) => name)])];
      const fresh = { stage, unit: items[0] ?? "", source, items, state, reason: this.removeSecrets(reason) };
      if (known === undefined) this.unfinished.push(fresh);
      else this.unfinished[index] = { ...known, items };
    }
  }
}
