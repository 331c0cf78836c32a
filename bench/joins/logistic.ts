import type { Features } from "../../packages/context/src/joins/estimates.ts";
import type { LogisticModel } from "../../packages/context/src/joins/score-candidates.ts";

export interface Sample {
  readonly features: Features;
  readonly right: 1 | 0;
  readonly weight: number;
}

/** How much weights are drawn to zero, in units of the mean loss. */
const penalty = 2e-3;
const steps = 8;

/** Fits a logistic model by Newton's method on standardised features. The weights that it returns are for features as they are. */
export function fitLogistic(samples: readonly Sample[]): LogisticModel {
  const names = [...new Set(samples.flatMap(({ features }) => Object.keys(features)))];
  const raw = samples.map(({ features }) => names.map((name) => features[name] ?? 0));
  const means = names.map((_, at) => meanOf(raw.map((row) => row[at] ?? 0)));
  const scales = names.map(
    (_, at) => Math.sqrt(meanOf(raw.map((row) => ((row[at] ?? 0) - (means[at] ?? 0)) ** 2))) || 1,
  );
  const rows = raw.map((row) =>
    Float64Array.from([...row.map((value, at) => (value - (means[at] ?? 0)) / (scales[at] ?? 1)), 1]),
  );
  const weights = solveNewton(rows, samples);
  const unscaled = names.map((_, at) => (weights[at] ?? 0) / (scales[at] ?? 1));
  const shift = unscaled.reduce((sum, weight, at) => sum + weight * (means[at] ?? 0), 0);
  const bias = (weights.at(-1) ?? 0) - shift;
  return withBias(names, unscaled, bias);
}

/** Every candidate has the feature "always", of its kind: it carries what no other feature does. */
function withBias(names: readonly string[], weights: readonly number[], bias: number): LogisticModel {
  const model = names.map((name, at): [string, number] => {
    const weight = weights[at] ?? 0;
    return [name, name.endsWith("always") ? weight + bias : weight];
  });
  return Object.fromEntries(model.map(([name, weight]) => [name, Number(weight.toPrecision(4))]));
}

function solveNewton(rows: readonly Float64Array[], samples: readonly Sample[]): Float64Array {
  const size = rows[0]?.length ?? 0;
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  const weights = new Float64Array(size);
  for (let step = 0; step < steps; step++) {
    const gradient = weights.map((weight, at) => (at === size - 1 ? 0 : penalty * weight));
    const curvature = Array.from({ length: size }, (_, at) => {
      const row = new Float64Array(size);
      row[at] = at === size - 1 ? 1e-9 : penalty;
      return row;
    });
    for (const [index, row] of rows.entries()) addSample(row, samples[index], total, weights, gradient, curvature);
    for (const [at, row] of curvature.entries()) {
      for (let other = 0; other < at; other++) {
        const above = curvature[other];
        if (above !== undefined) above[at] = row[other] ?? 0;
      }
    }
    const change = solveLinear(curvature, gradient);
    for (let at = 0; at < size; at++) weights[at] = (weights[at] ?? 0) - (change[at] ?? 0);
  }
  return weights;
}

function addSample(
  row: Float64Array,
  sample: Sample | undefined,
  total: number,
  weights: Float64Array,
  gradient: Float64Array,
  curvature: readonly Float64Array[],
): void {
  if (sample === undefined) return;
  let sum = 0;
  for (let at = 0; at < row.length; at++) sum += (row[at] ?? 0) * (weights[at] ?? 0);
  const probability = 1 / (1 + Math.exp(-sum));
  const share = sample.weight / total;
  const error = (probability - sample.right) * share;
  const bend = Math.max(1e-6, probability * (1 - probability)) * share;
  for (let at = 0; at < row.length; at++) {
    const value = row[at] ?? 0;
    if (value === 0) continue;
    gradient[at] = (gradient[at] ?? 0) + error * value;
    const bent = curvature[at];
    if (bent === undefined) continue;
    for (let other = 0; other <= at; other++) bent[other] = (bent[other] ?? 0) + bend * value * (row[other] ?? 0);
  }
}

/** Gaussian elimination. The matrix is positive definite, because of the penalty. */
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
