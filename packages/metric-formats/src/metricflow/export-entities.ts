import type { ModelJoin, SemanticModel } from "@bridle/semantic/model-parts";
import { type ExportReport, refuseExport } from "../export-report.ts";
import { requireMetricFlowName } from "./export-names.ts";

export interface ExportedEntity {
  readonly name: string;
  readonly type: "primary" | "unique" | "foreign";
  readonly expr: string;
}

/** The exported entities. In MetricFlow, a join leads from an entity to the model with the unique entity of that name. */
export class ExportedEntities {
  readonly #report: ExportReport;
  readonly #entities = new Map<string, ExportedEntity[]>();
  /** The column that each entity stands for, as `model.column`. */
  readonly #targets = new Map<string, string>();
  readonly #joins = new Map<string, string>();

  constructor(models: readonly SemanticModel[], report: ExportReport) {
    this.#report = report;
    for (const model of models) this.#addKey(model);
    for (const model of models)
      for (const join of model.joins ?? [])
        report.attempt(model.name, `join ${nameOf(join)}`, () => this.#addJoin(model, join, models));
  }

  of({ name }: SemanticModel): readonly ExportedEntity[] {
    return this.#entities.get(name) ?? [];
  }

  primaryOf(model: SemanticModel): string {
    const found = this.of(model).find(({ type }) => type === "primary")?.name;
    return (
      found ?? refuseExport(`${model.name} has no primary key of one column, which names of its dimensions need there.`)
    );
  }

  /** Returns the entity of a join. Throws an ExportRefusalError if it is not exported. */
  ofJoin(model: string, join: string): string {
    return (
      this.#joins.get(`${model}.${join}`) ?? refuseExport(`It needs ${model}.${join}, which is not an exported join.`)
    );
  }

  #addKey({ name, primary_key: key = [] }: SemanticModel): void {
    const [column, ...others] = key;
    if (column === undefined) return;
    if (others.length > 0)
      this.#report.refuse(name, "primary_key", "A primary key of several columns has no counterpart there.");
    else this.#add(name, { name, type: "primary", expr: column }, `${name}.${column}`);
  }

  #addJoin(model: SemanticModel, join: ModelJoin, models: readonly SemanticModel[]): void {
    const { to, on, relationship } = join;
    const [pair, ...others] = typeof on === "string" ? [] : on;
    if (!pair || others.length > 0) refuseExport("Joins are over one column there.");
    if (to === model.name) refuseExport("A join of a model to itself has no counterpart there.");
    if (relationship === "one_to_many") {
      const isThere = models.some((each) => each.name === to && each.joins?.some((back) => back.to === model.name));
      if (!isThere) refuseExport(`It leads to many rows. Declare it in ${to}.`);
    } else this.#addEntities(model, join, models, pair ?? ["", ""]);
  }

  #addEntities(
    model: SemanticModel,
    join: ModelJoin,
    models: readonly SemanticModel[],
    [local, remote]: readonly [string, string],
  ): void {
    const { to, relationship } = join;
    const own = nameOf(join);
    if (!models.some(({ name }) => name === to)) refuseExport(`${to} is not exported.`);
    const target = `${to}.${remote}`;
    const isTaken = (this.#targets.get(own) ?? target) !== target;
    const name = requireMetricFlowName(isTaken ? `${to}_${own}` : own);
    if ((this.#targets.get(name) ?? target) !== target)
      refuseExport(`The entity ${name} has another meaning. Rename it.`);
    if (isTaken)
      this.#report.change(model.name, `join ${own}`, `It is called ${name}, because ${own} means something else.`);
    this.#add(model.name, { name, type: relationship === "one_to_one" ? "unique" : "foreign", expr: local }, target);
    if (!this.#entities.get(to)?.some((each) => each.name === name))
      this.#add(to, { name, type: "unique", expr: remote }, target);
    this.#joins.set(`${model.name}.${own}`, name);
    if (relationship === "one_to_one")
      this.#report.change(model.name, `join ${own}`, "It leads in both directions there.");
    if (join.description ?? join.label ?? join.synonyms)
      this.#report.change(model.name, `join ${own}`, "Its words are left out.");
  }

  #add(model: string, entity: ExportedEntity, target: string): void {
    const others = this.#entities.get(model) ?? [];
    if (others.some(({ name }) => name === entity.name))
      refuseExport(`${model} has another entity ${entity.name}. Rename the join.`);
    this.#targets.set(entity.name, target);
    this.#entities.set(model, [...others, entity]);
  }
}

function nameOf({ name, to }: ModelJoin): string {
  return name ?? to;
}
