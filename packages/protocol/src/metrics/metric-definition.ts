/**
 * The contract of a metric. One {@link MetricDefinition} in the registry of `@bridle/metrics` provides the metric's part of the agent file
 * schema, the score, the figures in reports and the rows of the documentation.
 */
import type { z } from "zod";
import type { JsonValue } from "../text/json.ts";

/** A tool call of the turn, as a metric sees it. */
export interface MetricCall {
  readonly tool: string;
  readonly input: unknown;
  readonly state: "succeeded" | "failed" | "denied" | "unfinished";
  /** The text that the model received; `null` if it received none. */
  readonly output: string | null;
}

/** The facts of one finished turn. They are frozen. */
export interface MetricFacts {
  readonly input: string;
  /** The agent's answer. With `response_format` it is the object as JSON. */
  readonly answer: string;
  /** The parsed answer, with `response_format` only. */
  readonly object?: unknown;
  /** `ground_truth` of the case. If it is a list, the first entry. */
  readonly groundTruth?: string | undefined;
  /** The other entries, if `ground_truth` is a list of accepted answers. */
  readonly otherGroundTruths?: readonly string[] | undefined;
  /** Retrieved passages, best first: those in the test case, or otherwise those in the results of retrieval tools. */
  readonly retrievalContext: readonly string[];
  readonly calls: readonly MetricCall[];
  /** The number of model responses. */
  readonly steps: number;
  readonly durationMs: number;
  /** The cost of the turn. `undefined` if the host does not report costs. */
  readonly costUsd?: number | undefined;
}

/** The result of a metric for one turn. */
export interface MetricScore {
  /** From 0 to 1, or 0 or more in the metric's unit. */
  readonly score: number;
  /** The reason for the score. Leave it out if the score explains itself. */
  readonly reason?: string | undefined;
  /** The expected and the actual text, shortened, for reports. */
  readonly expected?: string | undefined;
  readonly received?: string | undefined;
  /** The parts that the score was computed from, such as verdicts on single claims. */
  readonly evidence?: JsonValue | undefined;
}

/** A question to a judge. */
export interface JudgeQuestion<T> {
  readonly system: string;
  readonly prompt: string;
  /** The schema of the answer. */
  readonly schema: z.ZodType<T>;
}

/** A model that grades. Contract: resolves with a value that matches the schema, or rejects with the reason. */
export type Judge = <T>(question: JudgeQuestion<T>) => Promise<T>;

/** Services for one use of a metric, in addition to the facts. */
export interface ScoringContext {
  /** Aborted if the tests are stopped. */
  readonly signal: AbortSignal;
  /** The configured judge. Rejects for metrics of any kind except `judged`. */
  readonly judge: Judge;
  /**
   * Makes a vector for each text with the embedder of the agent file or of `bridle.yaml`. Rejects with a sentence if no embedder is
   * configured, or with the embedder's error.
   */
  embed(texts: readonly string[]): Promise<ScoringVectors>;
}

/** Vectors for texts, in their order, and the model that made them. */
export interface ScoringVectors {
  readonly model: string;
  readonly vectors: readonly ArrayLike<number>[];
}

/**
 * Scores one turn.
 *
 * Contract: changes nothing that it receives. Throws if it cannot compute a score. The error's message states the reason and the remedy,
 * and becomes the test's failure.
 */
export type MetricScorer = (facts: MetricFacts, context: ScoringContext) => MetricScore | Promise<MetricScore>;

/** A grader function in a user's module. */
export interface GraderSource {
  /** The name of the metric. */
  readonly name: string;
  /** The path of the module, relative to the agent file. */
  readonly file: string;
  /** The name of the export. */
  readonly function: string;
  /** What runs the module. Default: chosen by the file's extension. */
  readonly runtime?: "node" | "python" | undefined;
  /** The program that runs a Python file. Default: python3. */
  readonly python?: string | undefined;
}

/** What a metric can use while it is prepared. */
export interface MetricContext {
  /** The folder of the agent file. Paths in settings are relative to this folder. */
  readonly folder: string;
  /** The threshold that decides whether a score passes. */
  readonly threshold: number;
  /** Prepares a user's grader function. Its module is loaded with the first turn. */
  openGrader(source: GraderSource): MetricScorer;
  /** Returns the value that the first call with this key created, so that metrics with the same settings share it across all cases. */
  share<T>(key: string, make: () => T): T;
}

/** The unit of a measured score. */
export interface MetricUnit {
  /** The word that results store, such as `seconds`. */
  readonly id: string;
  /** Returns a rounded figure for reports, such as `1.2 s`. */
  format(value: number): string;
  /** Returns exact digits with the unit, such as `$0.0123`. */
  attach(digits: string): string;
}

/** Scores pass from the threshold upward (`at-least`) or downward (`at-most`). */
export type Direction = "at-least" | "at-most";

/** How a score is computed. Each kind is a section of the documentation. */
export type MetricKind = "text" | "wording" | "retrieval" | "structure" | "measured" | "judged" | "code";

/** The parts of the documentation that are not derived from other fields. */
export interface MetricDocumentation {
  /** The meaning of the score, such as `whether the answer contains a text`. */
  readonly summary: string;
  /** The range of the score, such as `0 to 1` or `US dollars`. */
  readonly range: string;
  /** Required inputs, in Markdown; empty if there are none. */
  readonly needs: string;
  /** The cost of one use, such as `none` or `1 call`. */
  readonly cost: string;
  /** The name of the page in docs/reference/metrics, if it is not the metric's name. */
  readonly page?: string | undefined;
}

/**
 * One metric, from the agent file to the report.
 *
 * There is intentionally no method that compares a score with the threshold: the rule is the same for all metrics. Worked examples are not
 * part of the definition, so that programs do not load them; they are in `packages/metrics/examples/NAME.json`.
 */
export interface MetricDefinition<
  Name extends string = string,
  Type extends string = string,
  Shape extends z.ZodRawShape = z.ZodRawShape,
  Alias extends string = string,
> {
  /** Unique among all metrics. Results and reports use it. */
  readonly name: Name;
  /** Other names that an agent file may use. */
  readonly aliases?: readonly Alias[] | undefined;
  /** The value of `type` in an agent file: a group of metrics such as `standard`, or the metric's own name. */
  readonly type: Type;
  readonly kind: MetricKind;
  /** A one-sentence description for editors. Groups have their own description. */
  readonly description?: string | undefined;
  /** The schema of each setting. Keys of settings that may be left out are `exactOptional()`. */
  readonly settings: Shape;
  /** The remedy for a missing setting, by its key, including `threshold`. */
  readonly remedies?: Readonly<Record<string, string>> | undefined;
  /** Settings that may name a file. */
  readonly files?: readonly string[] | undefined;
  /** Keys of other products that this metric does not have, with a remedy. */
  readonly unsupported?: Readonly<Record<string, string>> | undefined;
  /** The unit of the score; `null` for scores from 0 to 1. */
  readonly unit: MetricUnit | null;
  readonly passes: Direction;
  /** The default of `threshold`. Without it, an agent file has to set `threshold`. */
  readonly defaultThreshold?: number | undefined;
  readonly documentation: MetricDocumentation;
  /** Returns the name of this use in reports, such as `contains "shipped"`. Default: the metric's name. */
  label?(settings: z.output<z.ZodObject<Shape>>): string;
  /**
   * Returns why this metric cannot compare with a ground truth, and the remedy, such as `ignores articles, so …`; `undefined` if it can.
   * Contract: pure and quick, because it is called whenever an agent file is read.
   */
  groundTruthFault?(groundTruth: string, settings: z.output<z.ZodObject<Shape>>): string | undefined;
  /** Prepares the metric. Contract: does no I/O before the first score. */
  open(settings: z.output<z.ZodObject<Shape>>, context: MetricContext): MetricScorer;
}
