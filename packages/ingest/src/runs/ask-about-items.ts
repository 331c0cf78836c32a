/** Runs the stages that ask models about items: triage, light extraction, units. Each stage asks only questions without a stored answer. */
import { forEachInParallel } from "@bridle/core";
import { type ExtractionQuestion, extractionKind, extractionQuestion } from "../claims/extraction/extraction-prompt.ts";
import type { GateServices } from "../claims/gates/gate.ts";
import { type TriageQuestion, triageKind } from "../claims/triage/triage-prompt.ts";
import { runUnit, type UnitEnd } from "../claims/units/run-unit.ts";
import { groupIntoUnits, type UnitItem, type WorkUnit } from "../claims/units/work-unit.ts";
import { askQuestions } from "../models/ask-questions.ts";
import { aboutItem } from "./item-reader.ts";
import type { RunContext } from "./run-context.ts";

const defaultStepBudget = 30;

/**
 * Runs all stages. Rejects if the signal is aborted, the store cannot be written, or a model is misconfigured. Records other failures in
 * `context`.
 */
export async function askAboutItems(context: RunContext, gates: GateServices): Promise<void> {
  const asking = new AskingAboutItems(context);
  await asking.triage();
  await asking.extract();
  await asking.readClosely(gates);
}

class AskingAboutItems {
  readonly #context: RunContext;

  constructor(context: RunContext) {
    this.#context = context;
  }

  /** Asks the triage questions. If the question about a passage fails, an agent reads the passage closely. */
  async triage(): Promise<void> {
    const { progress, options, reader } = this.#context;
    progress.begin("triage", options.store.items.count());
    const unanswered = await askQuestions(this.#triageQuestions(), triageKind, this.#context.asking());
    for (const each of unanswered) {
      if (each.state === "left") this.#context.note("triage", each.questions, each);
      else for (const { key } of each.questions) reader.failedTriage.add(key);
    }
  }

  *#triageQuestions(): Iterable<TriageQuestion> {
    const { reader } = this.#context;
    const count = this.#counter();
    for (const stored of this.#context.items()) {
      const read = reader.read(stored);
      const questions = read === undefined ? [] : reader.triageQuestions(read);
      count(questions.length);
      yield* questions;
    }
  }

  async extract(): Promise<void> {
    const { progress, options } = this.#context;
    progress.begin("light", options.store.items.count());
    const unanswered = await askQuestions(this.#extractionQuestions(), extractionKind, this.#context.asking());
    for (const each of unanswered) this.#context.note("light", each.questions, each);
  }

  *#extractionQuestions(): Iterable<ExtractionQuestion> {
    const { reader, models } = this.#context;
    const model = models.modelOf("extract");
    const count = this.#counter();
    for (const stored of this.#context.items()) {
      const read = reader.read(stored);
      const light = read === undefined ? [] : reader.sort(read).light;
      count(light.length);
      for (const passage of light) yield extractionQuestion(passage, model, aboutItem(stored.item));
    }
  }

  /** Estimates the total number of questions from the items so far. */
  #counter(): (questions: number) => void {
    const { options, progress } = this.#context;
    const total = options.store.items.count();
    let [items, found] = [0, 0];
    return (questions) => {
      items += 1;
      found += questions;
      progress.expect(Math.round((found / items) * total));
    };
  }

  /** Runs the units, and units that failed temporarily once more after all others. */
  async readClosely(gates: GateServices): Promise<void> {
    const { progress, signal, concurrency: parallel } = this.#context;
    const again: WorkUnit[] = [];
    const work = async (unit: WorkUnit, stop: AbortSignal, mayRunAgain: boolean) => {
      const end = await this.#runUnit(unit, gates, stop);
      if (mayRunAgain && end.isRetryable) again.push(unit);
      else this.#note(end);
      progress.add(1, unit.name);
    };
    progress.begin("unit", this.#countUnits());
    const units = groupIntoUnits(this.#unitItems());
    await forEachInParallel(units, { parallel, signal }, (unit, stop) => work(unit, stop, true));
    await forEachInParallel(again, { parallel, signal }, (unit, stop) => work(unit, stop, false));
  }

  #runUnit(unit: WorkUnit, gates: GateServices, signal: AbortSignal): Promise<UnitEnd> {
    const { models, answers, options, progress } = this.#context;
    const { stepBudget = defaultStepBudget, knowledge } = options;
    return runUnit(unit, {
      models,
      answers,
      gates,
      stepBudget,
      signal,
      contextTools: knowledge.contextTools,
      onStep: (name, step) => {
        options.onStep?.({ unit: name, ...step });
        progress.touch(name);
      },
    });
  }

  #countUnits(): number {
    let units = 0;
    for (const _unit of groupIntoUnits(this.#unitItems({ countsStored: true }))) units += 1;
    return units;
  }

  /** Yields the items that an agent has to read. Items with the same content are read only once. */
  *#unitItems({ countsStored = false } = {}): Iterable<UnitItem> {
    const { reader, answers, models } = this.#context;
    const seen = new Set<string>();
    for (const stored of this.#context.items()) {
      const read = reader.read(stored);
      const unit = read === undefined ? undefined : reader.sort(read).unit;
      if (unit === undefined || seen.has(unit.key)) continue;
      seen.add(unit.key);
      if (answers.read(unit.key) === undefined) yield unit;
      else if (countsStored) models.spending.addStored("unit");
    }
  }

  #note({ unit, state, reason }: UnitEnd): void {
    if (state === "done") return;
    const questions = unit.items.map(({ opened }) => ({ source: unit.source, name: opened.item.id }));
    this.#context.note("unit", questions, { state, reason });
  }
}
