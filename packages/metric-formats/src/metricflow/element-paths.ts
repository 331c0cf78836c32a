/** Resolves names such as `listing__user__home_state`, as seen from one model. */
import { type PartOfTime, type TimeGrain, timeGrains } from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";
import { CustomGrains } from "./custom-grains.ts";
import type { ElementName, ElementPath, LinkedModel } from "./element-names.ts";
import { metricFlowGrains } from "./metricflow-schema.ts";
import type { MetricFlowModel } from "./read-project.ts";
import type { TimeSpine } from "./time-spines.ts";

interface GroupedMetrics {
  groupOf(metric: string, entity: string): { readonly metric: string; readonly field: string };
}

export class ElementPaths {
  readonly customs: CustomGrains;
  #metrics: GroupedMetrics | undefined;
  readonly #models: ReadonlyMap<string, LinkedModel>;

  constructor(models: ReadonlyMap<string, LinkedModel>, spines: readonly TimeSpine[]) {
    this.#models = models;
    this.customs = new CustomGrains(spines, models);
  }

  /** Finds an element. `time` is the dimension that metric_time refers to. */
  find(home: string, element: ElementName, time: string | undefined): ElementPath {
    const custom = this.customs.of(element);
    if (custom) return this.customs.link(custom.grain, this.find(home, custom.time, time));
    const { names, grain, part } = splitName(element);
    const field = names.at(-1) ?? "";
    const known = grain === undefined ? undefined : this.#grain(grain);
    const entities = [...(element.entityPath ?? []), ...names.slice(0, -1)];
    if (field === "metric_time" && entities.length === 0) {
      if (time === undefined)
        refuseImport(`metric_time has no meaning in ${home}: its measure has no agg_time_dimension.`);
      return this.#only(element.name, this.#walk(home, [], time ?? ""), known, part);
    }
    return this.#only(element.name, this.#walk(home, entities, field), known, part);
  }

  useMetrics(metrics: GroupedMetrics): void {
    this.#metrics = metrics;
  }

  /** Returns a metric that a filter compares, and the field by which it is grouped. */
  groupOf(metric: string, entity: string): { readonly metric: string; readonly field: string } {
    return (
      this.#metrics?.groupOf(metric, entity) ?? refuseImport(`A filter by the metric ${metric} is not supported here.`)
    );
  }

  /** Resolves metric_time in the table of a time spine. */
  ofSpine(element: ElementName, spine: TimeSpine): ElementPath {
    const { names, grain, part } = splitName(element);
    const [name, ...more] = [...(element.entityPath ?? []), ...names];
    if (name !== "metric_time" || more.length > 0)
      refuseImport(`"${element.name}" is not in the time spine. Ask for it without metric_time.`);
    const path = { steps: [spine.column], models: [spine.model.name], isTime: true, storedGrain: spine.grain };
    return this.#only(element.name, [path], grain === undefined ? undefined : this.#grain(grain), part);
  }

  /** Returns the models that have all of these elements themselves, without a join. */
  ownersOf(elements: readonly ElementName[]): readonly string[] {
    return [...this.#models.keys()].filter((model) =>
      elements.every((element) => {
        const { names } = splitName(this.customs.of(element)?.time ?? element);
        const entities = [...(element.entityPath ?? []), ...names.slice(0, -1)];
        const found = this.#walk(model, entities, names.at(-1) ?? "");
        return entities.length > 0 && found.some(({ steps }) => steps.length === 1);
      }),
    );
  }

  #grain(name: string): TimeGrain {
    const found = timeGrains.find((each) => each === name.toLowerCase());
    return found ?? refuseImport(`The grain ${name} is not supported. Use one of ${timeGrains.join(", ")}.`);
  }

  #only(
    name: string,
    found: readonly Walked[],
    grain: TimeGrain | undefined,
    part: PartOfTime | undefined,
  ): ElementPath {
    const [first, other] = found;
    if (!first) return refuseImport(`There is no dimension or entity "${name}" that this metric can reach.`);
    if (other) refuseImport(`"${name}" can be reached in several ways: ${found.map(pathText).join(", ")}.`);
    if ((grain || part) && !first.isTime)
      refuseImport(`"${name}" has a grain, but is not a time. Leave the grain out.`);
    if (isFiner(grain, first.storedGrain))
      refuseImport(`"${name}" is finer than its stored grain, ${first.storedGrain}. Use a coarser grain.`);
    return { ...first, grain, part };
  }

  #walk(name: string, entities: readonly string[], field: string, isBehind = false): readonly Walked[] {
    const linked = this.#models.get(name);
    if (!linked) return [];
    const [entity] = entities;
    if (entity === undefined) return this.#field(linked.model, field);
    if (entities.length === 1 && isOwnEntity(linked.model, entity)) {
      const own = this.#field(linked.model, field);
      if (own.length > 0) return own;
    }
    const joined = linked.joins.filter(
      (each) => each.entities.every((at, index) => at === entities[index]) && !(each.isOfTime && isBehind),
    );
    return joined.flatMap(({ join, entities: taken }) =>
      this.#walk(join.to, entities.slice(taken.length), field, true).map((walked) => ({
        ...walked,
        steps: [join.name ?? join.to, ...walked.steps],
        models: [name, ...walked.models],
      })),
    );
  }

  #field({ source, dimensions, entities }: MetricFlowModel, field: string): readonly Walked[] {
    const dimension = dimensions.find(({ value }) => value.name === field)?.value;
    if (!dimension && !entities.some(({ value }) => value.name === field)) return [];
    const storedGrain = timeGrains.find((each) => each === dimension?.type_params?.time_granularity);
    return [{ steps: [field], models: [source.name], isTime: dimension?.type === "time", storedGrain }];
  }
}

function isFiner(grain: TimeGrain | undefined, stored: TimeGrain | undefined): boolean {
  return grain !== undefined && stored !== undefined && timeGrains.indexOf(grain) < timeGrains.indexOf(stored);
}

type Walked = Omit<ElementPath, "grain" | "part">;

const partsByName: Readonly<Record<string, PartOfTime>> = {
  year: "year",
  quarter: "quarter",
  month: "month",
  day: "day",
  dow: "day_of_week",
  doy: "day_of_year",
};

/** Splits a name, whose last part may be a grain, or a part of a time as in `metric_time__extract_dow`. */
function splitName({ name, grain, part: given }: ElementName) {
  const all = name.toLowerCase().split("__");
  const last = all.at(-1) ?? "";
  const extracted = (all.length > 1 ? /^extract_(\w+)$/.exec(last)?.[1] : undefined) ?? given?.toLowerCase();
  const part = extracted === undefined ? undefined : partsByName[extracted];
  if (extracted !== undefined && !part)
    refuseImport(`The part ${extracted} of a date is not supported. Use ${Object.keys(partsByName).join(", ")}.`);
  if (extracted !== undefined && given === undefined) return { names: all.slice(0, -1), grain, part };
  const hasGrain = all.length > 1 && metricFlowGrains.some((each) => each === last);
  return hasGrain ? { names: all.slice(0, -1), grain: last, part } : { names: all, grain, part };
}

function pathText({ steps, models }: Walked): string {
  return [models[0], ...steps].join(".");
}

/** Whether the entity identifies rows of the model itself. */
function isOwnEntity({ source, entities }: MetricFlowModel, name: string): boolean {
  return (
    source.primary_entity === name || entities.some(({ value }) => value.name === name && value.type !== "foreign")
  );
}
