import { sha256 } from "@bridle/core";
import { compileMetricQuery, type KeyViolation, type MetricQuery } from "@bridle/semantic";
import type { StructuredValue } from "@bridle/warehouse";
import { type CheckedMeasure, describeViolation, runMeasures } from "../../metrics/check-metrics.ts";
import type { ContextMetricsOptions } from "../../metrics/context-metrics.ts";
import { MetricModels, modelSetFor } from "../../metrics/metric-models.ts";
import { type MetricCaller, MetricQueries } from "../../metrics/metric-queries.ts";
import type { ReadFolder } from "../../metrics/model-folder.ts";
import { type PlacedModel, placeModel } from "../../metrics/model-table.ts";
import { StoredResults } from "../../metrics/results/stored-results.ts";
import { StatementColumns } from "../../metrics/statement-columns.ts";
import { type DraftPart, formatProposedModel, type ProposedModel, wholeModel, withoutEntry } from "./drafts.ts";

export interface DraftChecksOptions extends Omit<ContextMetricsOptions, "projectDir"> {
  /** The files of the project. */
  readonly folder: ReadFolder;
  /** The models of these files. */
  readonly existing: readonly PlacedModel[];
  readonly caller: MetricCaller;
  readonly signal?: AbortSignal | undefined;
}

/** The results of the new measures and segments of drafts. */
export interface RunDrafts {
  readonly measures: readonly CheckedMeasure[];
  /** The rows of segments by `model.name`. */
  readonly segments: ReadonlyMap<string, StructuredValue>;
}

/** Checks and runs drafts together with the models of the project, as `bridle metrics validate` does. */
export class DraftChecks {
  /** Why entries were removed, as sentences. */
  readonly notes: string[] = [];
  readonly #options: DraftChecksOptions;
  /** The results of this check only. */
  readonly #results = new StoredResults();
  #drafts: readonly ProposedModel[];

  constructor(drafts: readonly ProposedModel[], options: DraftChecksOptions) {
    this.#drafts = drafts;
    this.#options = options;
  }

  /** The drafts without the removed entries. */
  get drafts(): readonly ProposedModel[] {
    return this.#drafts;
  }

  /**
   * Removes entries without SQL, keys that the data contradict, measures that cannot be run, and segments without rows. Returns the
   * remaining entries with their values. Rejects with the warehouse's BridleError.
   */
  async run(): Promise<RunDrafts> {
    const { caller, signal } = this.#options;
    this.#dropUnusable();
    await this.#dropViolations();
    const added = new Set(this.#drafts.flatMap(namesOfAdded));
    const queries = this.#open();
    await queries.runStatements(caller, { signal });
    const measures = await runMeasures(queries.flawless(), queries, caller, signal, (name) => added.has(name));
    for (const { name, problem } of measures) {
      const [model = "", measure = ""] = name.split(".");
      if (problem !== undefined) this.#drop(model, "measures", measure, problem);
    }
    const segments = await this.#runSegments(this.#open());
    this.#open().flawless();
    this.#results.close();
    return { measures: measures.filter(({ problem }) => problem === undefined), segments };
  }

  /** Counts the rows of each new segment. A segment without rows is useless, or has an outdated value. */
  async #runSegments(queries: MetricQueries): Promise<ReadonlyMap<string, StructuredValue>> {
    const { caller, signal } = this.#options;
    const rows = new Map<string, StructuredValue>();
    for (const draft of this.#drafts) {
      const { name: model, measures = [] } = wholeModel(draft);
      const count = measures.find(({ agg, expr, filters }) => agg === "count" && !expr && !filters)?.name;
      for (const { name } of count === undefined ? [] : draft.additions.segments) {
        const query = { measures: [`${model}.${count}`], filters: [{ segment: `${model}.${name}` }] };
        const outcome = await queries.run(query, caller, { signal });
        const value = outcome.kind === "answered" ? (outcome.rows[0]?.[0] ?? null) : null;
        if (outcome.kind === "refused") this.#drop(model, "segments", name, outcome.refusal.message);
        else if (value === 0) this.#drop(model, "segments", name, "It selects no row.");
        else rows.set(`${model}.${name}`, value);
      }
    }
    return rows;
  }

  /** Returns queries over the files and drafts together. */
  #open(): MetricQueries {
    const { knowledge, connections, openWarehouse } = this.#options;
    const files = this.#files();
    const results = this.#results;
    const statements = new StatementColumns({ results, knowledge });
    const models = new MetricModels({ read: () => files }, knowledge, connections, statements);
    return new MetricQueries({ models, knowledge, openWarehouse, statements, results });
  }

  #files(): ReadFolder {
    const { files: present, problems } = this.#options.folder;
    const texts = new Map(
      this.#drafts.flatMap((draft) => (draft.existing ? [[draft.existing.file, formatProposedModel(draft)]] : [])),
    );
    const kept = present.map(({ file, text }) => ({ file, text: texts.get(file) ?? text }));
    const added = this.#drafts
      .filter(({ existing }) => existing === undefined)
      .map((draft) => ({ file: `the draft of ${draft.model.name}`, text: formatProposedModel(draft) }));
    const files = [...kept, ...added];
    return { files, problems, version: sha256(JSON.stringify(files)) };
  }

  #dropUnusable(): void {
    const { knowledge } = this.#options;
    for (const draft of this.#drafts) {
      const { connection } = draft.table;
      const set = modelSetFor(this.#placed(), connection, () => true);
      const dialect = knowledge.connections().find(({ name }) => name === connection)?.dialect ?? "duckdb";
      const check = (part: DraftPart, name: string, query: MetricQuery) => {
        const compiled = compileMetricQuery(set, query, dialect);
        if (compiled.kind === "refused") this.#drop(draft.model.name, part, name, compiled.refusal.message);
      };
      const full = (name: string) => `${draft.model.name}.${name}`;
      const count = wholeModel(draft).measures?.find(({ agg, expr }) => agg === "count" && expr === undefined)?.name;
      for (const { name } of draft.additions.measures) check("measures", name, { measures: [full(name)] });
      if (count === undefined) continue;
      for (const { name } of draft.additions.dimensions)
        check("dimensions", name, { measures: [full(count)], dimensions: [full(name)] });
      for (const { name } of draft.additions.segments)
        check("segments", name, { measures: [full(count)], filters: [{ segment: full(name) }] });
    }
  }

  /** Returns the models of the files and drafts, which may be invalid. */
  #placed(): readonly PlacedModel[] {
    const { knowledge, connections, existing } = this.#options;
    const names = new Set(this.#drafts.map(({ model }) => model.name));
    const drafted = this.#drafts.map((draft) => placeModel(wholeModel(draft), knowledge, connections));
    return [
      ...existing.filter(({ model }) => !names.has(model.name)),
      ...drafted.filter((each) => typeof each !== "string"),
    ];
  }

  async #dropViolations(): Promise<void> {
    const { caller, signal } = this.#options;
    for (const connection of new Set(this.#drafts.map(({ table }) => table.connection))) {
      const violations = await this.#open().findViolations(connection, caller, signal);
      for (const violation of violations) this.#dropViolation(violation);
    }
  }

  #dropViolation(violation: KeyViolation): void {
    const { model, join } = violation;
    const why = describeViolation(violation);
    if (join === undefined) this.#drop(model, "primary_key", "", why);
    else this.#drop(model, "joins", join, why);
  }

  /** Removes an entry from drafts only. Entries in files stay, and `bridle metrics validate` reports them. */
  #drop(model: string, part: DraftPart, name: string, why: string): void {
    this.#drafts = this.#drafts.map((draft) => {
      if (draft.model.name !== model) return draft;
      const rest = withoutEntry(draft, part, name);
      if (formatProposedModel(rest) !== formatProposedModel(draft))
        this.notes.push(`${[model, name].filter(Boolean).join(".")} was left out: ${why}`);
      return rest;
    });
  }
}

function namesOfAdded({ model, existing, additions }: ProposedModel): readonly string[] {
  const metrics = existing === undefined ? (model.metrics ?? []) : [];
  return [...additions.measures, ...metrics].map(({ name }) => `${model.name}.${name}`);
}
