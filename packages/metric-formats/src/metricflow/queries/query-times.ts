/** Interprets the times in a query that uses MetricFlow's names: grains, bounds and the periods of the result. */
import { type MetricQuery, type TimeGrain, timeGrains } from "@bridle/semantic/model-parts";
import { refuseImport } from "../../import-report.ts";
import type { MetricConverter } from "../convert-metrics.ts";
import type { ElementPaths } from "../element-paths.ts";
import type { SourceMetric } from "../metricflow-schema.ts";
import { spineFor, type TimeSpine } from "../time-spines.ts";

/** A model from which a query's metrics are computed, with the meaning of metric_time there. */
export interface QueryHome {
  readonly model: string;
  readonly time: string | undefined;
  /** The measures, as `model.measure`. */
  readonly leaves: readonly string[];
}

export interface QueryShape {
  readonly metrics: readonly string[];
  readonly groupBy: readonly string[];
  readonly homes: readonly QueryHome[];
  /** The first and last day of the time spine, if the caller knows them. */
  readonly spine: { readonly from: string; readonly to: string } | undefined;
}

export class QueryTimes {
  readonly #converter: MetricConverter;
  readonly #paths: ElementPaths;
  readonly #spines: readonly TimeSpine[];

  constructor(converter: MetricConverter, paths: ElementPaths, spines: readonly TimeSpine[]) {
    this.#converter = converter;
    this.#paths = paths;
    this.#spines = spines;
  }

  /** Returns the grain to which time bounds are rounded, so that they cover whole periods: the finest grain that the query groups by. */
  boundGrain(shape: QueryShape): TimeGrain {
    const asked = shape.groupBy
      .filter((name) => name.startsWith("metric_time"))
      .flatMap((name) => this.grainOf(name, shape) ?? []);
    const [finest] = asked.toSorted(byGrain);
    return finest ?? this.grainOf("metric_time", shape) ?? "day";
  }

  /** Returns the name's own grain, or the grain that a metric declares for metric_time, or the coarsest stored grain, at least a day. */
  grainOf(name: string, { homes, metrics }: QueryShape): TimeGrain | undefined {
    const found = homes.map(({ model, time }) => this.#paths.find(model, { name }, time));
    const [first] = found;
    if (!first?.isTime || first.grain || first.part) return first?.grain;
    const declared = name === "metric_time" ? metrics.map((metric) => this.#converter.inputs.grainOf(metric)) : [];
    if (declared.length > 0 && declared.every((grain) => grain !== undefined)) return declared.toSorted(byGrain).at(-1);
    const stored = found.flatMap(({ storedGrain }) => storedGrain ?? []);
    const min = name === "metric_time" && stored.length > 0 ? (["day"] as const) : [];
    return [...declared.flatMap((grain) => grain ?? []), ...stored, ...min].toSorted(byGrain).at(-1);
  }

  /** Refuses metrics that show one of several values in each period, unless it is known which one. */
  check(shape: QueryShape): void {
    const metrics = this.#metricsIn(shape);
    const times = this.#timesOf(shape);
    const isCumulative = metrics.some(
      ({ type, time_granularity: own }) => type === "cumulative" && (own !== undefined || times.length > 1),
    );
    const looksAtStart = metrics.some(({ type_params: params }) =>
      params.metrics?.some((each) => each.offset_to_grain),
    );
    if (!isCumulative && !looksAtStart) return;
    for (const name of times) {
      const stored = shape.homes.map(({ model, time }) => this.#paths.find(model, { name }, time).storedGrain);
      const grain = this.grainOf(name, shape);
      if (stored.every((each) => each === grain)) continue;
      refuseImport(
        isCumulative
          ? `A cumulative metric by ${name} takes one value of each period (period_agg). Ask for one time, without time_granularity.`
          : `offset_to_grain by ${name} takes the first day of each period, which is not supported. Group by ${stored[0]}.`,
      );
    }
  }

  /** Returns the periods of the result. Without a time spine, these are the periods in the data. */
  periodsOf(shape: QueryShape): Pick<MetricQuery, "fillMissing" | "fillOnce" | "omitEmpty" | "spine"> {
    const [time, ...others] = this.#timesOf(shape);
    if (time === undefined) return {};
    const waiting = shape.metrics.filter((name) =>
      this.#converter.inputs.metricsIn(name).some((each) => this.#converter.onSpine.has(each.name)),
    );
    const spine = this.#spineOf(time, shape);
    const looksBack = this.#metricsIn(shape).some(isOverTime);
    const hasGroups = shape.groupBy.length > 1;
    if (waiting.length > 0 && (!spine || others.length > 0))
      refuseImport(`${waiting.join(", ")} joins the time spine, which needs its table, and one time as a group.`);
    if (waiting.length > 0 && hasGroups && (looksBack || shape.metrics.length > 1))
      refuseImport(`${waiting.join(", ")} joins the time spine with other groups. Ask for it alone.`);
    if (!spine || (waiting.length === 0 && !looksBack)) return {};
    return {
      spine,
      ...(looksBack && { omitEmpty: true }),
      ...(waiting.length > 0 && { fillMissing: true, ...(hasGroups && { fillOnce: true }) }),
    };
  }

  #spineOf(time: string, shape: QueryShape): MetricQuery["spine"] {
    if (shape.spine) return shape.spine;
    const spine = spineFor(this.#spines, this.grainOf(time, shape) ?? "day");
    return spine && { field: `${spine.model.name}.${spine.column}` };
  }

  /** Returns the groups that are the metrics' time. */
  #timesOf({ groupBy, homes }: QueryShape): readonly string[] {
    return groupBy.filter((name) =>
      homes.some(({ model, time }) => {
        const { steps } = this.#paths.find(model, { name }, time);
        return name.startsWith("metric_time") || (steps.length === 1 && steps[0] === time);
      }),
    );
  }

  #metricsIn({ metrics }: QueryShape): readonly SourceMetric[] {
    return metrics.flatMap((name) => this.#converter.inputs.metricsIn(name));
  }
}

function isOverTime({ type, type_params: params }: SourceMetric): boolean {
  return type === "cumulative" || (params.metrics ?? []).some((each) => each.offset_window || each.offset_to_grain);
}

function byGrain(a: TimeGrain, b: TimeGrain): number {
  return timeGrains.indexOf(a) - timeGrains.indexOf(b);
}
