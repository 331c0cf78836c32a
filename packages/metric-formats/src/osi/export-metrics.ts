import {
  type ModelMeasure,
  type ModelMetric,
  mapExpression,
  type ParsedExpression,
  type SemanticModel,
} from "@bridle/semantic/model-parts";
import { type ExportReport, refuseExport } from "../export-report.ts";
import type { MetricFormulaText } from "../metric-formulas.ts";
import { printStandardSql } from "../standard-sql.ts";
import { inStandardSql, wordsOfOsi } from "./osi-values.ts";

type OsiMetricText = Readonly<Record<string, unknown>>;

/** Places metrics: those over one dataset belong to that dataset, and all others to the whole semantic model. */
export class OsiMetricPlaces {
  readonly across: OsiMetricText[] = [];
  readonly #names = new Set<string>();
  readonly #own = new Map<string, OsiMetricText[]>();
  readonly #report: ExportReport;

  constructor(report: ExportReport) {
    this.#report = report;
  }

  of(model: string): readonly OsiMetricText[] {
    return this.#own.get(model) ?? [];
  }

  /** Adds a metric. Throws an ExportRefusalError. */
  add(
    home: SemanticModel,
    kind: string,
    entry: ModelMeasure | ModelMetric,
    { expression, owners }: MetricFormulaText,
  ): void {
    const used = new Set<SemanticModel>();
    mapExpression(expression, (part) => {
      const owner = owners.get(part);
      if (owner) used.add(owner);
      return owner && part;
    });
    const [only = home, ...others] = used;
    const isOwn = others.length === 0 && only === home;
    const written = isOwn ? expression : mapExpression(expression, (part) => qualified(part, owners.get(part)));
    const metric = { name: entry.name, expression: inStandardSql(printStandardSql(written)), ...wordsOfOsi(entry) };
    if (isOwn) this.#own.set(home.name, [...this.of(home.name), metric]);
    else this.#addAcross(home, kind, metric);
    const isSimple = expression.kind === "call" && owners.has(expression) && "type" in entry;
    if (isSimple)
      this.#report.change(home.name, `${kind} ${entry.name}`, "It is an aggregation there, as measures are.");
  }

  #addAcross(home: SemanticModel, kind: string, metric: OsiMetricText & { readonly name: string }): void {
    if (this.#names.has(metric.name)) refuseExport("Another model has a metric of the same name over several models.");
    this.#names.add(metric.name);
    this.across.push(metric);
    const reason = `It is a metric of the whole semantic model there, and not of ${home.name}.`;
    this.#report.change(home.name, `${kind} ${metric.name}`, reason);
  }
}

/** Qualifies names. Outside its dataset, a metric may name only declared fields. */
function qualified(part: ParsedExpression, owner: SemanticModel | undefined): ParsedExpression | undefined {
  if (!owner || part.kind !== "call") return undefined;
  const fieldOf = (column: string): ParsedExpression => {
    const found = owner.dimensions?.find(({ name, expr = name }) => expr === column);
    const why = `It names the column ${column} of ${owner.name}, which is not a dimension.`;
    return found ? { kind: "name", path: [owner.name, found.name] } : refuseExport(`${why} Declare one.`);
  };
  const [key, ...others] = owner.primary_key ?? [];
  if (part.args.length === 0) {
    const why = `It counts the rows of ${owner.name}, which has no primary key of one column.`;
    return key !== undefined && others.length === 0 ? { ...part, args: [fieldOf(key)] } : refuseExport(why);
  }
  const name = (each: ParsedExpression) => (each.kind === "name" ? fieldOf(each.path.join(".")) : undefined);
  return { ...part, args: part.args.map((arg) => mapExpression(arg, name)) };
}
