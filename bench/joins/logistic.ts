import type { Features } from "../../packages/context/src/joins/features.ts";
import type { LogisticModel } from "../../packages/context/src/joins/scores/models.ts";

export interface Sample {
  readonly features: Features;
  readonly right: 1 | 0;
  readonly weight: number;
}

/** Newton's method ends when no weight changes by more than this tolerance, or after a maximum number of steps. */
const settled = 1e-4;
const maxSteps = 12;

/** Fits a logistic model. See `fitChoices`. */
export function fitLogistic(samples: readonly Sample[], penalty: number, start?: LogisticModel): LogisticModel {
  const choices = samples.map(({ features, right, weight }) => ({ options: [{ features, right }], weight }));
  return fitChoices(choices, penalty, start);
}

/** Options of which at most one is right. */
export interface Choice {
  readonly options: readonly { readonly features: Features; readonly right: 1 | 0 }[];
  readonly weight: number;
}

/**
 * Fits the probability that each option is right, or that none is, by Newton's method on standardised features. The returned weights are
 * for unscaled features. With one option per choice, the result is a logistic model. `penalty` draws weights to zero, in units of the mean
 * loss. `start` is a model near the result, such as one fitted on almost the same samples. Such a model shortens the fit but does not
 * change the result.
 */
export function fitChoices(choices: readonly Choice[], penalty: number, start?: LogisticModel): LogisticModel {
  const options = choices.flatMap((choice) => choice.options);
  const names = [...new Set(options.flatMap(({ features }) => Object.keys(features)))];
  const raw = options.map(({ features }) => names.map((name) => features[name] ?? 0));
  const means = names.map((_, at) => meanOf(raw.map((row) => row[at] ?? 0)));
  const scales = names.map(
    (_, at) => Math.sqrt(meanOf(raw.map((row) => ((row[at] ?? 0) - (means[at] ?? 0)) ** 2))) || 1,
  );
  const scaled = raw.map((row) =>
    Float64Array.from([...row.map((value, at) => (value - (means[at] ?? 0)) / (scales[at] ?? 1)), 1]),
  );
  let at = 0;
  const prepared = choices.map((choice) => ({
    rows: choice.options.map(({ right }) => ({ row: scaled[at++] ?? new Float64Array(), right })),
    weight: choice.weight,
  }));
  const first = startFrom(start, names, means, scales);
  const weights = solveNewton(prepared, first, penalty);
  const unscaled = names.map((_, at) => (weights[at] ?? 0) / (scales[at] ?? 1));
  const shift = unscaled.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0);
  const bias = (weights.at(-1) ?? 0) - shift;
  return withBias(names, unscaled, bias);
}

/** Adds the feature "always", which every candidate has. Its weight is the constant part of the model. */
function withBias(names: readonly string[], weights: readonly number[], bias: number): LogisticModel {
  const model = names.map((name, at): [string, number] => {
    const weight = weights[at] ?? 0;
    return [name, name.endsWith("always") ? weight + bias : weight];
  });
  return Object.fromEntries(model.map(([name, weight]) => [name, Number(weight.toPrecision(4))]));
}

interface PreparedChoice {
  readonly rows: readonly { readonly row: Float64Array; readonly right: 1 | 0 }[];
  readonly weight: number;
}

/** Finds the weights of a model for standardised features. */
function startFrom(
  start: LogisticModel | undefined,
  names: readonly string[],
  means: readonly number[],
  scales: readonly number[],
): Float64Array {
  const weights = new Float64Array(names.length + 1);
  if (start === undefined) return weights;
  let bias = 0;
  for (const [at, name] of names.entries()) {
    const weight = start[name] ?? 0;
    weights[at] = weight * (scales[at] ?? 1);
    bias += weight * (means[at] ?? 0);
  }
  weights[names.length] = bias;
  return weights;
}

function solveNewton(choices: readonly PreparedChoice[], start: Float64Array, penalty: number): Float64Array {
  const total = choices.reduce((sum, { weight }) => sum + weight, 0);
  const size = start.length;
  let weights = Float64Array.from(start);
  let loss = lossOf(choices, weights, penalty, total);
  for (let step = 0; step < maxSteps; step++) {
    const gradient = weights.map((weight, at) => (at === size - 1 ? 0 : penalty * weight));
    const curvature = Array.from({ length: size }, (_, at) => {
      const row = new Float64Array(size);
      row[at] = at === size - 1 ? 1e-6 : penalty;
      return row;
    });
    for (const choice of choices) addChoice(choice, choice.weight / total, weights, gradient, curvature);
    for (const [at, row] of curvature.entries()) {
      for (let other = 0; other < at; other++) {
        const above = curvature[other];
        if (above !== undefined) above[at] = row[other] ?? 0;
      }
    }
    const change = solveLinear(curvature, gradient);
    // A whole step may lead away from the minimum, so steps are halved.
    let [share, next, nextLoss] = [1, weights, Number.POSITIVE_INFINITY];
    for (; share > 1e-3; share /= 2) {
      next = weights.map((weight, at) => weight - share * (change[at] ?? 0));
      nextLoss = lossOf(choices, next, penalty, total);
      if (nextLoss <= loss) break;
    }
    if (nextLoss > loss) break;
    [weights, loss] = [next, nextLoss];
    if (change.every((each) => Math.abs(each) < settled)) break;
  }
  return weights;
}

function lossOf(choices: readonly PreparedChoice[], weights: Float64Array, penalty: number, total: number): number {
  let loss = 0;
  for (let at = 0; at < weights.length - 1; at++) loss += 0.5 * penalty * (weights[at] ?? 0) ** 2;
  for (const { rows, weight } of choices) {
    const sums = rows.map(({ row }) => sumOf(row, weights));
    const max = Math.max(0, ...sums);
    const whole = sums.reduce((sum, each) => sum + Math.exp(each - max), Math.exp(-max));
    const right = rows.findIndex((row) => row.right === 1);
    loss += (weight / total) * (Math.log(whole) + max - (right < 0 ? 0 : (sums[right] ?? 0)));
  }
  return loss;
}

function sumOf(row: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < row.length; at++) sum += (row[at] ?? 0) * (weights[at] ?? 0);
  return sum;
}

/** Adds the slope and the curvature of one choice. `share` is the weight of the choice. */
function addChoice(
  { rows }: PreparedChoice,
  share: number,
  weights: Float64Array,
  gradient: Float64Array,
  curvature: readonly Float64Array[],
): void {
  const sums = rows.map(({ row }) => sumOf(row, weights));
  const max = Math.max(0, ...sums);
  const powers = sums.map((sum) => Math.exp(sum - max));
  const whole = powers.reduce((sum, power) => sum + power, Math.exp(-max));
  const mean = new Float64Array(weights.length);
  for (const [index, { row, right }] of rows.entries()) {
    const probability = (powers[index] ?? 0) / whole;
    addScaled(gradient, row, (probability - right) * share);
    addScaled(mean, row, probability);
    addProduct(curvature, row, Math.max(1e-6, probability) * share);
  }
  addProduct(curvature, mean, -share);
}

function addScaled(sum: Float64Array, row: Float64Array, factor: number): void {
  for (let at = 0; at < row.length; at++) sum[at] = (sum[at] ?? 0) + factor * (row[at] ?? 0);
}

/** Adds the product of a row with itself, times a factor, to the lower half of a symmetric matrix. */
function addProduct(matrix: readonly Float64Array[], row: Float64Array, factor: number): void {
  for (let at = 0; at < row.length; at++) {
    const value = row[at] ?? 0;
    const bent = matrix[at];
    if (value === 0 || bent === undefined) continue;
    for (let other = 0; other <= at; other++) bent[other] = (bent[other] ?? 0) + factor * value * (row[other] ?? 0);
  }
}

/** Solves the equations by Gaussian elimination. The matrix is positive definite because of the penalty. */
function solveLinear(matrix: readonly Float64Array[], right: Float64Array): Float64Array {
  const rows = matrix.map((row, at) => Float64Array.from([...row, right[at] ?? 0]));
  for (const [at, pivot] of rows.entries()) {
    for (const row of rows.slice(at + 1)) {
      const factor = (row[at] ?? 0) / (pivot[at] ?? 1);
      if (factor !== 0)
        for (let column = at; column < row.length; column++)
          row[column] = (row[column] ?? 0) - factor * (pivot[column] ?? 0);
    }
  }
  const found = new Float64Array(rows.length);
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at] ?? new Float64Array();
    let rest = row[rows.length] ?? 0;
    for (let column = at + 1; column < rows.length; column++) rest -= (row[column] ?? 0) * (found[column] ?? 0);
    found[at] = rest / (row[at] ?? 1);
  }
  return found;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
