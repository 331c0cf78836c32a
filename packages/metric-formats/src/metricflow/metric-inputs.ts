import { type TimeGrain, timeGrains } from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";
import type { SourceMetric } from "./metricflow-schema.ts";
import type { OwnedMeasure } from "./owned-measures.ts";
import type { Placed } from "./read-project.ts";

/** Finds the inputs from which MetricFlow's metrics are computed. */
export class MetricInputs {
  readonly #measures: ReadonlyMap<string, OwnedMeasure>;
  readonly #metrics: ReadonlyMap<string, Placed<SourceMetric>>;

  constructor(measures: ReadonlyMap<string, OwnedMeasure>, metrics: ReadonlyMap<string, Placed<SourceMetric>>) {
    this.#measures = measures;
    this.#metrics = metrics;
  }

  measure(name: string): OwnedMeasure {
    return this.#measures.get(name) ?? refuseImport(`There is no imported measure "${name}".`);
  }

  /** Returns the measures from which a metric is computed, with the meaning of metric_time for each. */
  leavesOf(name: string, open: readonly string[] = []): readonly OwnedMeasure[] {
    if (open.includes(name)) refuseImport(`The metric ${name} refers to itself. Break the cycle.`);
    const params = this.#metrics.get(name)?.value.type_params;
    const own = this.#measures.get(name);
    if (!params) return own ? [own] : refuseImport(`There is no metric "${name}".`);
    const { measure, numerator, denominator, metrics = [], conversion_type_params: conversion } = params;
    const direct = [measure, conversion?.base_measure].flatMap((input) => (input ? [this.measure(input.name)] : []));
    const others = [numerator, denominator, ...metrics].flatMap((input) => input ?? []);
    return [...direct, ...others.flatMap((input) => this.leavesOf(input.name, [...open, name]))];
  }

  /** Returns the grain that a metric declares for metric_time. */
  grainOf(name: string): TimeGrain | undefined {
    const declared = this.#metrics.get(name)?.value.time_granularity?.toLowerCase();
    const grain = timeGrains.find((each) => each === declared);
    if (declared !== undefined && !grain) refuseImport(`The time_granularity ${declared} of ${name} is not supported.`);
    return grain;
  }

  /** Returns a metric, and the metrics from which it is computed. */
  metricsIn(name: string): readonly SourceMetric[] {
    const metric = this.#metrics.get(name)?.value;
    if (!metric) return [];
    const { numerator, denominator, metrics = [] } = metric.type_params;
    const inputs = [numerator, denominator, ...metrics].flatMap((each) => each ?? []);
    return [metric, ...inputs.flatMap((each) => this.metricsIn(each.name))];
  }
}
