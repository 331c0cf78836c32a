import type { Features } from "../features.ts";
import { hasFewNames, type SchemaFacts } from "../schema-facts.ts";

/** A logistic model: a weight for each feature. */
export type LogisticModel = Readonly<Record<string, number>>;

/** Fitted models for schemas with informative names, and for those without. */
export interface JoinModelSets {
  readonly named: JoinModels;
  readonly unnamed: JoinModels;
}

/** Keys help to find links, and links help to find keys, so both are scored alternately. */
export interface JoinModels {
  readonly rounds: readonly { readonly keys: LogisticModel; readonly links: LogisticModel }[];
  readonly keys: LogisticModel;
  /** Scores links of several columns, after the links of single columns are known. */
  readonly composites: LogisticModel;
  /** Converts final scores into probabilities, fitted on data sets that the models were not fitted on. */
  readonly calibration: { readonly keys: Calibration; readonly links: Calibration };
}

/** Applied to the logarithm of the odds. */
export interface Calibration {
  readonly scale: number;
  readonly shift: number;
}

export function modelsFor(schema: SchemaFacts, { named, unnamed }: JoinModelSets): JoinModels {
  return hasFewNames(schema) ? unnamed : named;
}

/** Returns the probability that a candidate with these features is right. */
export function scoreFeatures(model: LogisticModel, features: Features): number {
  return probabilityOf(weigh(model, features));
}

export function probabilityOf(sum: number): number {
  return 1 / (1 + Math.exp(-sum));
}

/** Adds the weighted features to a sum. */
export function weigh(model: LogisticModel, features: Features, start = 0): number {
  let sum = start;
  for (const name in features) sum += (features[name] ?? 0) * (model[name] ?? 0);
  return sum;
}

export function calibrate(score: number, { scale, shift }: Calibration): number {
  return probabilityOf(scale * oddsOf(score) + shift);
}

/** Returns the logarithm of the odds. */
export function oddsOf(score: number): number {
  const within = Math.min(1 - 1e-9, Math.max(1e-9, score));
  return Math.log(within / (1 - within));
}
