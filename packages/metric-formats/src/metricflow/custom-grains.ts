/**
 * Resolves custom grains from columns of a time spine, such as fiscal quarters. Each query gets a temporary join from the time column to
 * the custom grain.
 */
import type { ModelJoin, SemanticModel } from "@bridle/semantic/model-parts";
import { refuseImport } from "../import-report.ts";
import { columnOf } from "./convert-model.ts";
import type { ElementName, ElementPath, LinkedModel } from "./element-names.ts";
import type { TimeSpine } from "./time-spines.ts";

export class CustomGrains {
  readonly #spines: readonly TimeSpine[];
  readonly #linked: ReadonlyMap<string, LinkedModel>;
  /** The joins of the query that is being translated, by model. Undefined before the first query. */
  #joins: Map<string, ModelJoin[]> | undefined;

  constructor(spines: readonly TimeSpine[], linked: ReadonlyMap<string, LinkedModel>) {
    this.#spines = spines;
    this.#linked = linked;
  }

  startQuery(): void {
    this.#joins = new Map();
  }

  get isUsed(): boolean {
    return (this.#joins?.size ?? 0) > 0;
  }

  /** Returns the models with the joins that the query needs. */
  joined(models: readonly SemanticModel[]): readonly SemanticModel[] {
    return models.map((model) => {
      const joins = this.#joins?.get(model.name);
      return joins ? { ...model, joins: [...(model.joins ?? []), ...joins] } : model;
    });
  }

  /** Returns the custom grain in a name, and the name without it. */
  of({ name, grain, ...rest }: ElementName): { readonly grain: string; readonly time: ElementName } | undefined {
    const parts = name.toLowerCase().split("__");
    const last = parts.at(-1) ?? "";
    if (parts.length > 1 && this.#spineOf(last))
      return { grain: last, time: { ...rest, name: parts.slice(0, -1).join("__") } };
    const named = grain?.toLowerCase();
    return named !== undefined && this.#spineOf(named) ? { grain: named, time: { ...rest, name } } : undefined;
  }

  /** Returns the element for a custom grain, behind a join that leads from the time. */
  link(grain: string, path: ElementPath): ElementPath {
    const spine = this.#spineOf(grain);
    const joins = this.#joins;
    if (!spine || !joins)
      return refuseImport(`The custom grain ${grain} in a metric is not supported. Filter the query.`);
    const [owner, field] = [path.models.at(-1) ?? "", path.steps.at(-1) ?? ""];
    const found = this.#linked.get(owner)?.model.dimensions.find(({ value }) => value.name === field)?.value;
    const column = found && columnOf(found);
    if (!path.isTime || path.part || column === undefined)
      return refuseImport(`${field} is not a time column, so it has no ${grain}. Use a time.`);
    const name = `${field}__${spine.model.name}`;
    const join = joinTo(spine, name, column);
    const others = joins.get(owner) ?? [];
    if (!others.some((each) => each.name === name)) joins.set(owner, [...others, join]);
    const last = spine.custom.get(grain) ?? grain;
    return {
      steps: [...path.steps.slice(0, -1), name, last],
      models: [...path.models, spine.model.name],
      isTime: false,
      isCustom: true,
      grain: undefined,
      part: undefined,
      storedGrain: undefined,
    };
  }

  #spineOf(grain: string): TimeSpine | undefined {
    return this.#spines.find(({ custom }) => custom.has(grain));
  }
}

function joinTo({ model, column, grain }: TimeSpine, name: string, from: string): ModelJoin {
  const period = (time: string) => `date_trunc('${grain}', ${time})`;
  const on = `${period(`{from}.${from}`)} = ${period(`{to}.${column}`)}`;
  return { name, to: model.name, on, relationship: "many_to_one" };
}
