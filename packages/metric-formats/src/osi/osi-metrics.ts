/** Converts OSI's metrics, which are expressions with aggregations. Each aggregation becomes a measure, and the rest a derived metric. */
import {
  type MeasureEntry,
  type ModelMeasure,
  mapExpression,
  namesInExpression,
  type ParsedExpression,
  printExpression,
} from "@bridle/semantic/model-parts";
import type { EntryPlaces } from "../entry-places.ts";
import { type ImportReport, refuseImport } from "../import-report.ts";
import type { LocatedValue } from "../located-value.ts";
import type { ImportedDataset } from "./imported-dataset.ts";
import { aggregationOf, isAggregation, parseOsiExpression } from "./osi-expressions.ts";
import { readOsiMeasure } from "./osi-measure.ts";
import type { OsiMetric } from "./osi-schema.ts";
import { osiWordsOf, standardSqlOf } from "./osi-words.ts";

export interface LocatedMetric {
  readonly metric: OsiMetric;
  readonly at: LocatedValue;
  /** The metric's dataset; undefined if the metric uses several. */
  readonly home: ImportedDataset | undefined;
}

type Handle = Extract<ParsedExpression, { kind: "name" }>;

export class OsiMetrics {
  readonly #datasets: ReadonlyMap<string, ImportedDataset>;
  readonly #places: EntryPlaces;
  /** The metrics by `name` in the whole semantic model, or by `dataset.name`. */
  readonly #metrics = new Map<string, LocatedMetric>();
  readonly #done = new Map<string, Handle>();
  readonly #open = new Set<string>();

  constructor(datasets: ReadonlyMap<string, ImportedDataset>, places: EntryPlaces) {
    this.#datasets = datasets;
    this.#places = places;
  }

  /** Adds a metric. Throws an ImportRefusalError if the name is taken. */
  add(located: LocatedMetric): void {
    const key = keyOf(located);
    if (this.#metrics.has(key)) refuseImport("Another metric before it has the same name. Rename one.");
    if (located.home?.fields.has(located.metric.name))
      refuseImport(`A field of ${located.home.name} has the same name. Rename one.`);
    this.#metrics.set(key, located);
  }

  /** Converts single aggregations first, so that other metrics use their measures. */
  convertAll(report: ImportReport): void {
    const all = [...this.#metrics].map(([key, { metric, at }]) => {
      const subject = at.subject("metric");
      const parsed = report.attempt(subject, at.position, () => parseOsiExpression(standardSqlOf(metric.expression)));
      return { key, at, subject, parsed };
    });
    const isSingle = ({ parsed }: (typeof all)[number]) => parsed?.kind === "call" && isAggregation(parsed.name);
    for (const { key, at, subject, parsed } of [...all.filter(isSingle), ...all.filter((each) => !isSingle(each))])
      if (parsed) report.attempt(subject, at.position, () => this.#convert(key));
  }

  #convert(key: string): Handle {
    const done = this.#done.get(key);
    if (done) return done;
    const located = this.#metrics.get(key);
    if (!located) return refuseImport(`There is no imported metric "${key}".`);
    if (this.#open.has(key)) refuseImport(`The metric ${key} refers to itself. Break the cycle.`);
    this.#open.add(key);
    try {
      const handle = this.#convertMetric(located);
      this.#done.set(key, handle);
      return handle;
    } finally {
      this.#open.delete(key);
    }
  }

  #convertMetric({ metric, at, home }: LocatedMetric): Handle {
    const parsed = parseOsiExpression(standardSqlOf(metric.expression));
    const named = { name: metric.name, ...osiWordsOf(metric) };
    const only = aggregationOf(parsed);
    if (only) {
      const owner = this.#ownerOf(parsed, home);
      return this.#addMeasure(owner, { ...readOsiMeasure(only, owner), ...named }, at);
    }
    const whole = this.#checked(parsed, home);
    const handles: Handle[] = [];
    const rest = mapExpression(whole, (part) => {
      const found = aggregationOf(part);
      if (!found && part.kind !== "name") return undefined;
      const owner = found && this.#ownerOf(part, home);
      const handle =
        found && owner ? this.#measure(owner, readOsiMeasure(found, owner), metric.name, at) : this.#reference(part);
      handles.push(handle);
      return handle;
    });
    const [first] = handles;
    const owner = this.#datasets.get(first?.path[0] ?? "");
    if (!first || !owner) return refuseImport("It has no aggregation. Write one, such as SUM.");
    this.#requireFree(owner, metric.name);
    const over = (handle: ParsedExpression) => (handle.kind === "name" ? handle.path.join(".") : undefined);
    const [numerator, denominator] =
      rest.kind === "binary" && rest.operator === "/" ? [over(rest.left), over(rest.right)] : [];
    if (numerator !== undefined && denominator !== undefined)
      owner.add("metrics", { type: "ratio", numerator, denominator, ...named });
    else owner.add("metrics", { type: "derived", expr: printExpression(rest), ...named });
    this.#places.set(at.position, owner.name, "metrics", metric.name);
    return { kind: "name", path: [owner.name, metric.name] };
  }

  /** Checks everything before a measure is added, so that a refused metric adds none. */
  #checked(parsed: ParsedExpression, home: ImportedDataset | undefined): ParsedExpression {
    return mapExpression(parsed, (part) => {
      const found = aggregationOf(part);
      if (found) readOsiMeasure(found, this.#ownerOf(part, home));
      else if (part.kind === "name") this.#reference(part);
      return found || part.kind === "name" ? part : undefined;
    });
  }

  /** Resolves a name outside an aggregation, which refers to another metric. */
  #reference(part: ParsedExpression): Handle {
    const key = part.kind === "name" ? part.path.join(".") : "";
    if (!this.#metrics.has(key))
      refuseImport(`${key} is outside of an aggregation, and is not a metric. Aggregate it.`);
    return this.#convert(key);
  }

  #ownerOf(part: ParsedExpression, home: ImportedDataset | undefined): ImportedDataset {
    const named = namesInExpression(part).map((path) => (path.length > 1 ? path[0] : home?.name));
    const [first = home?.name, ...others] = [...new Set(named)];
    if (others.length > 0)
      refuseImport("An aggregation over fields of several datasets is not supported. Join before.");
    const found = first === undefined ? undefined : this.#datasets.get(first);
    if (!found) return refuseImport("A field without an imported dataset has no meaning here. Write dataset.field.");
    if (home && found !== home) refuseImport(`It is a metric of ${home.name}, and names ${found.name}.`);
    return found;
  }

  /** Returns an existing measure, or adds a new one. */
  #measure(owner: ImportedDataset, measure: Omit<ModelMeasure, "name">, metric: string, at: LocatedValue): Handle {
    const same = owner.model.measures?.find((each) => isSame(each, measure));
    if (same) return { kind: "name", path: [owner.name, same.name] };
    for (let index = 1; ; index += 1) {
      const name = `${metric}__${index}`;
      const isTaken = [...(owner.model.measures ?? []), ...(owner.model.metrics ?? [])].some(
        (each) => each.name === name,
      );
      if (!isTaken) return this.#addMeasure(owner, { name, ...measure }, at);
    }
  }

  #addMeasure(owner: ImportedDataset, measure: ModelMeasure, at: LocatedValue): Handle {
    this.#requireFree(owner, measure.name);
    owner.add("measures", measure);
    this.#places.set(at.position, owner.name, "measures", measure.name);
    return { kind: "name", path: [owner.name, measure.name] };
  }

  #requireFree(owner: ImportedDataset, name: string): void {
    const names = [...(owner.model.measures ?? []), ...(owner.model.metrics ?? [])].map((each) => each.name);
    if (names.includes(name)) refuseImport(`${owner.name} has a metric of the same name already. Rename one.`);
  }
}

function keyOf({ metric: { name }, home }: LocatedMetric): string {
  return home ? `${home.name}.${name}` : name;
}

type Formula = Pick<MeasureEntry, "agg" | "expr" | "filters">;

function isSame(a: Formula, b: Formula): boolean {
  return JSON.stringify([a.agg, a.expr, a.filters]) === JSON.stringify([b.agg, b.expr, b.filters]);
}
