import type { MetricConfig } from "@bridle/agent";
import type { Redactor } from "@bridle/core";
import { findMetric, metrics, settingsOf } from "@bridle/metrics";
import {
  getErrorMessage,
  type Judge,
  type MetricContext,
  type MetricDefinition,
  type MetricScorer,
  type ScoringContext,
} from "@bridle/protocol";
import type { Judges } from "../judges/create-judges.ts";
import { MetricError, type PlannedMetric, type Scored } from "../result/planned-metric.ts";
import type { TurnFacts } from "../result/turn-facts.ts";
import type { GraderOptions } from "./grader-options.ts";
import { openGrader } from "./run-grader.ts";
import { missingEmbedder, type ScoringEmbedder } from "./scoring-embedder.ts";
import { uniqueNames } from "./unique-names.ts";

export interface MetricPlannerOptions extends GraderOptions {
  readonly judges: Pick<Judges, "judge">;
  /**
   * What takes the place of a judging model: `metrics` leaves out judged metrics, `pass` and `fail` always give this judgement. Default: a
   * model judges.
   */
  readonly without?: "metrics" | "pass" | "fail" | undefined;
  readonly redactor: Redactor;
  /** Default: an embedding model that rejects, because none is configured. */
  readonly embedder?: Pick<ScoringEmbedder, "embed"> | undefined;
  /** Default: all metrics. */
  readonly registry?: readonly MetricDefinition[] | undefined;
}

/** Prepares the metrics of an agent file. One planner serves a whole invocation. */
export class MetricPlanner {
  readonly #options: MetricPlannerOptions;
  readonly #shared = new Map<string, unknown>();
  #leftOut = 0;

  constructor(options: MetricPlannerOptions) {
    this.#options = options;
  }

  /**
   * Returns the enabled metrics of a list, with unique names: metrics of the same kind differ by their settings, or else by a number.
   * Reads, loads and calls nothing before a turn is scored. A fault in one metric fails only that metric.
   */
  plan(configs: readonly MetricConfig[]): PlannedMetric[] {
    const enabled = configs.filter((config) => config.enabled !== false && !this.#leavesOut(config));
    const planned = enabled.map((config) => this.#planOne(config));
    const names = uniqueNames(planned.map(({ name }, index) => ({ name, threshold: enabled[index]?.threshold })));
    return planned.map((metric, index) => ({ ...metric, name: names[index] ?? metric.name }));
  }

  /** The number of judged metrics that were left out. */
  get leftOut(): number {
    return this.#leftOut;
  }

  #leavesOut(config: MetricConfig): boolean {
    if (this.#options.without !== "metrics") return false;
    const isJudged = findMetric(config, this.#options.registry ?? metrics).kind === "judged";
    if (isJudged) this.#leftOut += 1;
    return isJudged;
  }

  #planOne(config: MetricConfig): PlannedMetric {
    const definition = findMetric(config, this.#options.registry ?? metrics);
    const settings = this.#redact(definition, settingsOf(definition, config));
    const { passes, unit, defaultThreshold = 0 } = definition; // refused in agent files, if a threshold is needed
    const name = definition.label?.(settings) ?? definition.name;
    const threshold = config.threshold ?? defaultThreshold;
    const model = "model" in config ? config.model : undefined;
    const context = this.#contextOf(`${definition.name} ${JSON.stringify(model)}`, threshold);
    let scorer: MetricScorer | undefined;
    const getScorer = () => {
      scorer ??= definition.open(settings, context);
      return scorer;
    };
    const score = (facts: TurnFacts, signal: AbortSignal) =>
      definition.kind === "judged"
        ? this.#scoreWithJudge({ name, model, passes, getScorer }, facts, signal)
        : scoreAlone(getScorer, facts, { judge: noJudge, signal, embed: this.#embedder(signal) });
    return {
      name,
      type: definition.type,
      metric: definition.name,
      threshold,
      passes,
      unit: unit?.id ?? null,
      score,
    };
  }

  /** Redacts expected texts, because answers arrive without credentials. File names are not changed. */
  #redact(definition: MetricDefinition, settings: Record<string, unknown>): Record<string, unknown> {
    const entries = Object.entries(settings).map(([key, value]) =>
      definition.files?.includes(key) && typeof value === "string"
        ? [key, value]
        : [key, this.#options.redactor.value(value)],
    );
    return Object.fromEntries(entries);
  }

  #contextOf(scope: string, threshold: number): MetricContext {
    const { folder } = this.#options;
    return {
      folder,
      threshold,
      openGrader: (source) => openGrader(source, threshold, this.#options),
      share: (key, make) => this.#share(`${scope} ${key}`, make),
    };
  }

  #embedder(signal: AbortSignal): ScoringContext["embed"] {
    const { embedder = missingEmbedder } = this.#options;
    return (texts) => embedder.embed(texts, signal);
  }

  #share<T>(key: string, make: () => T): T {
    if (!this.#shared.has(key)) this.#shared.set(key, make());
    return this.#shared.get(key) as T; // the key belongs to one metric
  }

  async #scoreWithJudge(metric: JudgedUse, facts: TurnFacts, signal: AbortSignal): Promise<Scored> {
    const { name, model, passes, getScorer } = metric;
    const { without } = this.#options;
    if (without === "pass" || without === "fail") return fixedScore(without, passes);
    const labels = { case: facts.caseName, turn: String(facts.turn), metric: name };
    const call = { model, labels, signal };
    const { given, judgement } = await this.#options.judges.judge(call, async (judge) =>
      getScorer()(facts, { judge, signal, embed: this.#embedder(signal) }),
    );
    return { ...given, judgement };
  }
}

interface JudgedUse {
  readonly name: string;
  readonly model: Parameters<Judges["judge"]>[0]["model"];
  readonly passes: MetricDefinition["passes"];
  getScorer(): MetricScorer;
}

/** Returns the judgement of a rehearsal that calls no model. */
function fixedScore(wanted: "pass" | "fail", passes: MetricDefinition["passes"]): Scored {
  const isBest = (wanted === "pass") === (passes === "at-least");
  return { score: isBest ? 1 : 0, reason: `no model judged: the rehearsal sets "judges: ${wanted}"` };
}

const noJudge: Judge = async () => {
  throw new Error('Only metrics of the kind "judged" have a judge.');
};

async function scoreAlone(getScorer: () => MetricScorer, facts: TurnFacts, context: ScoringContext): Promise<Scored> {
  try {
    return await getScorer()(facts, context);
  } catch (cause) {
    if (cause instanceof MetricError || context.signal.aborted) throw cause;
    throw new MetricError(getErrorMessage(cause), { cause });
  }
}
