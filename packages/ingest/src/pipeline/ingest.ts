/** A run of ingest: fetch, store, sort, read, check. Every stage asks only what has no stored answer. */
import { forEachInParallel } from "@bridle/core";
import { getErrorMessage } from "@bridle/protocol";
import type { Candidate, CandidateBody } from "../claims/candidate.ts";
import { type ExtractionQuestion, extractionKind, extractionQuestion } from "../extraction/extraction-prompt.ts";
import type { GateServices } from "../gates/gate.ts";
import type { KnownNames } from "../gates/known-names.ts";
import { type AskServices, askQuestions } from "../models/ask-questions.ts";
import { MeteredModels } from "../models/metered-models.ts";
import type { IngestSource } from "../sources/source.ts";
import { createSecretRemoval } from "../staging/remove-secrets.ts";
import { type FetchedSource, stageSource } from "../staging/stage-source.ts";
import type { StoredItem } from "../store/item-table.ts";
import type { SqliteAnswers } from "../store/sqlite-answers.ts";
import { type TriageQuestion, triageKind } from "../triage/triage-prompt.ts";
import { runUnit, type UnitEnd } from "../units/run-unit.ts";
import { groupIntoUnits, type UnitItem, type WorkUnit } from "../units/work-unit.ts";
import { type CollectedCandidates, collectCandidates } from "./collect-candidates.ts";
import { describeOutcome } from "./describe-outcome.ts";
import type { IngestOptions, IngestResult } from "./ingest-options.ts";
import type { IngestOutcome, Unfinished } from "./ingest-outcome.ts";
import { aboutItem, ItemReader } from "./item-reader.ts";
import { ProgressReport, type ProgressStage } from "./progress.ts";

const defaults = { concurrency: 4, stepBudget: 30 };

/** Sources that are fetched at a time. */
const parallelSources = 4;

/**
 * Reads sources into checked candidates, and passes them to `finish`. What a source, a model or a unit fails to give is in the
 * outcome, and asked again by the next run; what was answered is stored at once.
 *
 * @throws IngestRunningError if another ingest is in progress; IngestStoreError if the store cannot be used; ConfigError if no budget
 * can be kept, or a model is wrong; a BridleError of the warehouse.
 */
export async function ingest<T>(options: IngestOptions<T>): Promise<IngestResult<T>> {
  const { store, now = Date.now } = options;
  const run = store.runs.begin(new Date(now()));
  let outcome: IngestOutcome | undefined;
  try {
    const result = await new IngestRun(options, run).perform();
    outcome = result.outcome;
    return result;
  } finally {
    store.runs.end(run, new Date(now()), outcome && JSON.stringify(outcome));
  }
}

class IngestRun<T> {
  readonly #options: IngestOptions<T>;
  readonly #run: number;
  readonly #signal: AbortSignal;
  readonly #models: MeteredModels;
  readonly #answers: SqliteAnswers;
  readonly #reader: ItemReader;
  readonly #progress: ProgressReport;
  readonly #removeSecrets;
  readonly #fetched: FetchedSource[] = [];
  readonly #removedSources: string[] = [];
  readonly #unfinished: Unfinished[] = [];
  readonly #startedAt: number;
  #collected: CollectedCandidates | undefined;

  constructor(options: IngestOptions<T>, run: number) {
    const { store, models, redactor, budgetUsd, concurrency = defaults.concurrency, now = Date.now } = options;
    this.#options = options;
    this.#run = run;
    this.#signal = options.signal ?? new AbortController().signal;
    this.#models = new MeteredModels(models, {
      ...{ budgetUsd, concurrency, now },
      costPerToken: (model) => store.costPerToken(model),
      onCall: () => this.#progress.touch(),
    });
    this.#answers = store.answers(run, (role) => models.modelOf(role));
    this.#reader = new ItemReader({ store, answers: this.#answers, models: this.#models });
    this.#removeSecrets = createSecretRemoval(redactor);
    this.#startedAt = now();
    const onProgress = options.onProgress?.bind(options);
    this.#progress = new ProgressReport({
      ...{ spending: this.#models.spending, now, runs: store.runs, run },
      ...(onProgress && { onProgress }),
    });
  }

  async perform(): Promise<IngestResult<T>> {
    try {
      await this.#fetch();
      const names = await this.#project();
      const gates = this.#gates(names);
      await this.#triage();
      await this.#extract();
      await this.#readClosely(gates);
      const collected = await this.#collect(gates);
      this.#progress.begin("apply", 1);
      const run = { ...this.#asking(), store: this.#options.store, outcome: this.#outcome(names) };
      const result = await this.#options.finish(collected.checked, run);
      this.#progress.add(1);
      this.#options.store.removeUnused();
      return { outcome: this.#outcome(names), result };
    } catch (error) {
      if (!this.#signal.aborted) throw error;
      return { outcome: this.#outcome(undefined), result: undefined };
    }
  }

  async #fetch(): Promise<void> {
    const { store, sources, configured, now = Date.now } = this.#options;
    const gone = configured === undefined ? [] : store.sources.list().filter(({ name }) => !configured.includes(name));
    for (const { name } of gone.filter(({ name }) => sources.every((source) => source.name !== name))) {
      store.sources.remove(name);
      this.#removedSources.push(name);
    }
    this.#progress.begin("fetch", sources.length);
    const staging = { store, run: this.#run, removeSecrets: this.#removeSecrets, now: () => new Date(now()) };
    await forEachInParallel(sources, { parallel: parallelSources, signal: this.#signal }, async (source, signal) => {
      const onItem = (name: string) => this.#progress.touch(name);
      this.#fetched.push(await stageSource(source, { ...staging, signal, onItem }));
      this.#progress.add(1, source.name);
    });
    this.#fetched.sort((a, b) => (a.source < b.source ? -1 : 1));
  }

  /** Reads what parsers can read, and the names that exist with what they define. */
  async #project(): Promise<KnownNames> {
    const { store, sources, knowledge } = this.#options;
    const names = knowledge.names();
    this.#progress.begin("project", sources.length);
    for (const source of sources) {
      this.#signal.throwIfAborted();
      await this.#projectSource(source, names);
      this.#progress.add(1, source.name);
    }
    for (const { name } of store.sources.list())
      names.define(name, store.sources.projected(name).flatMap(definedNames));
    return names;
  }

  async #projectSource(source: IngestSource, names: KnownNames): Promise<void> {
    const { store } = this.#options;
    const items = Array.from(store.items.list(source.name), ({ item }) => item);
    const versions = new Map(items.map(({ id, version }) => [id, version]));
    const textOf = (id: string) => store.texts.read(versions.get(id) ?? "") ?? "";
    try {
      const findTable = (name: string) => names.tableId(name);
      const projection = await source.project?.(items, { findTable, textOf, signal: this.#signal });
      const { candidates = [], findings = [] } = projection ?? {};
      store.sources.project(source.name, candidates.map(asProjection), findings);
    } catch (error) {
      this.#signal.throwIfAborted();
      const message = `What a parser reads in ${source.name} stays as it was: ${getErrorMessage(error)}`;
      const fetched = this.#fetched.find((each) => each.source === source.name);
      if (fetched === undefined) throw error;
      this.#fetched.splice(this.#fetched.indexOf(fetched), 1, {
        ...fetched,
        problems: [...fetched.problems, { source: source.name, message: this.#removeSecrets(message) }],
      });
    }
  }

  #gates(names: KnownNames): GateServices {
    const { knowledge } = this.#options;
    return {
      ...{ names, removeSecrets: this.#removeSecrets },
      ...(knowledge.checkModelPart && { checkModelPart: knowledge.checkModelPart.bind(knowledge) }),
      ...(knowledge.checkJoin && { checkJoin: knowledge.checkJoin.bind(knowledge) }),
    };
  }

  async #triage(): Promise<void> {
    this.#progress.begin("triage", this.#options.store.items.count());
    const unanswered = await askQuestions(this.#triageQuestions(), triageKind, this.#asking());
    for (const { questions, reason, state } of unanswered) {
      if (state === "failed") for (const { key } of questions) this.#reader.failedTriage.add(key);
      else this.#note("triage", questions, state, reason);
    }
  }

  *#triageQuestions(): Iterable<TriageQuestion> {
    const counted = this.#counted();
    for (const stored of this.#items()) {
      const read = this.#reader.read(stored);
      const questions = read === undefined ? [] : this.#reader.triageQuestions(read);
      counted(questions.length);
      yield* questions;
    }
  }

  async #extract(): Promise<void> {
    this.#progress.begin("light", this.#options.store.items.count());
    const unanswered = await askQuestions(this.#extractionQuestions(), extractionKind, this.#asking());
    for (const { questions, reason, state } of unanswered) this.#note("light", questions, state, reason);
  }

  *#extractionQuestions(): Iterable<ExtractionQuestion> {
    const model = this.#models.modelOf("extract");
    const counted = this.#counted();
    for (const stored of this.#items()) {
      const read = this.#reader.read(stored);
      const { light } = read === undefined ? { light: [] } : this.#reader.sort(read);
      counted(light.length);
      for (const passage of light) yield extractionQuestion(passage, model, aboutItem(stored.item));
    }
  }

  /** Estimates how many questions there are from those of the items so far. */
  #counted(): (questions: number) => void {
    const total = this.#options.store.items.count();
    let [items, found] = [0, 0];
    return (questions) => {
      items += 1;
      found += questions;
      this.#progress.expect(Math.round((found / items) * total));
    };
  }

  async #readClosely(gates: GateServices): Promise<void> {
    const { concurrency: parallel = defaults.concurrency, stepBudget = defaults.stepBudget, knowledge } = this.#options;
    const services = {
      ...{ models: this.#models, answers: this.#answers, gates, stepBudget, contextTools: knowledge.contextTools },
      onStep: (unit: string, step: { readonly index: number; readonly budget: number }) => {
        this.#options.onStep?.({ unit, ...step });
        this.#progress.touch(unit);
      },
    };
    const again: WorkUnit[] = [];
    const run = (mayRunAgain: boolean) => async (unit: WorkUnit, signal: AbortSignal) => {
      const end = await runUnit(unit, { ...services, signal });
      if (mayRunAgain && end.isRetryable) again.push(unit);
      else this.#noteUnit(end);
      this.#progress.add(1, unit.name);
    };
    this.#progress.begin("unit", this.#countUnits());
    await forEachInParallel(groupIntoUnits(this.#unitItems()), { parallel, signal: this.#signal }, run(true));
    await forEachInParallel(again, { parallel, signal: this.#signal }, run(false));
  }

  #countUnits(): number {
    let units = 0;
    for (const _unit of groupIntoUnits(this.#unitItems(false))) units += 1;
    return units;
  }

  /** Items that an agent has to read. Two with the same content are read once. */
  *#unitItems(isCounted = true): Iterable<UnitItem> {
    const seen = new Set<string>();
    for (const stored of this.#items()) {
      const read = this.#reader.read(stored);
      const { unit } = read === undefined ? { unit: undefined } : this.#reader.sort(read);
      if (unit === undefined || seen.has(unit.key)) continue;
      seen.add(unit.key);
      if (this.#answers.read(unit.key) === undefined) yield unit;
      else if (isCounted) this.#models.spending.addStored("unit");
    }
  }

  async #collect(gates: GateServices): Promise<CollectedCandidates> {
    const { store } = this.#options;
    this.#progress.begin("verify", 0);
    const services = { ...this.#asking(), store, answers: this.#answers, gates, reader: this.#reader };
    this.#collected = await collectCandidates(services);
    for (const { questions, reason, state } of this.#collected.unanswered)
      this.#note("verify", questions, state, reason);
    for (const { source, item } of this.#collected.unreadable) {
      store.sources.forgetCursor(source);
      const reason = "Its stored text is missing or damaged. The next run fetches it again.";
      this.#unfinished.push({ stage: "fetch", unit: item, source, items: [item], state: "failed", reason });
    }
    return this.#collected;
  }

  #asking(): AskServices {
    const { concurrency = defaults.concurrency } = this.#options;
    return {
      ...{ models: this.#models, answers: this.#answers, concurrency, signal: this.#signal },
      removeSecrets: this.#removeSecrets,
      onDone: (questions) => this.#progress.add(questions),
    };
  }

  *#items(): Iterable<StoredItem> {
    const { store, isWanted = () => true } = this.#options;
    for (const stored of store.items.list()) if (isWanted(stored.item)) yield stored;
  }

  #note(
    stage: ProgressStage,
    questions: readonly { readonly source: string; readonly name: string }[],
    state: Unfinished["state"],
    reason: string,
  ): void {
    for (const [source, own] of Map.groupBy(questions, (question) => question.source)) {
      const items = [...new Set(own.map(({ name }) => name))];
      this.#unfinished.push({ stage, unit: items[0] ?? "", source, items, state, reason: this.#removeSecrets(reason) });
    }
  }

  #noteUnit({ unit, state, reason }: UnitEnd): void {
    if (state === "done") return;
    const items = unit.items.map(({ opened }) => opened.item.id);
    const { name, source } = unit;
    this.#unfinished.push({ stage: "unit", unit: name, source, items, state, reason: this.#removeSecrets(reason) });
  }

  #outcome(names: KnownNames | undefined): IngestOutcome {
    const { store, now = Date.now } = this.#options;
    return describeOutcome({
      ...{ store, models: this.#models, fetched: this.#fetched, removedSources: this.#removedSources },
      ...{ collected: this.#collected, unfinished: this.#unfinished, isScanned: names?.isScanned ?? true },
      ...{ isStopped: this.#signal.aborted, startedAt: this.#startedAt, endedAt: now() },
    });
  }
}

function asProjection(candidate: Candidate): Candidate {
  return { ...candidate, origin: "projection" };
}

/** The names that a parser found defined: of tables, columns, models and their entries. */
function definedNames({ body }: Candidate): readonly string[] {
  return namesIn(body).flatMap((name) => [name, name.slice(name.lastIndexOf(".") + 1)]);
}

function namesIn(body: CandidateBody): readonly string[] {
  if (body.kind === "model-part") return [body.table, body.model, body.name, `${body.model}.${body.name}`];
  if (body.kind === "join") return [...body.from, ...body.to];
  return body.kind === "description" ? [body.subject] : body.tables;
}
