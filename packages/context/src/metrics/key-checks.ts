import {
  type CompiledJoinCheck,
  compileJoinCheck,
  compileKeyCheck,
  type KeyViolation,
  type MetricDialectId,
  type ModelSet,
  type RefusedQuery,
} from "@bridle/semantic";
import type { Warehouse } from "@bridle/warehouse";
import type { QueryContext } from "./metric-query-types.ts";
import type { PlacedModel } from "./model-table.ts";

/** Columns that a model declares to be unique. */
interface DeclaredKey {
  readonly owner: string;
  readonly join?: string | undefined;
  /** The model of the table that has the columns. */
  readonly model: string;
  readonly table: PlacedModel["table"];
  readonly columns: readonly string[];
}

/** How the conditions of joins become statements. */
export interface JoinCheckContext extends QueryContext {
  readonly set: ModelSet;
  readonly dialect: MetricDialectId;
}

/** Counts keys that the data contradict. Each count holds until the table changes. */
export class KeyChecks {
  readonly #counts = new Map<string, number>();

  /** `mark` says which state of a table the counts belong to; undefined if the engine cannot say. */
  async find(
    models: readonly PlacedModel[],
    warehouse: Warehouse,
    markOf: (model: PlacedModel) => string | undefined,
    context: JoinCheckContext,
  ): Promise<readonly KeyViolation[]> {
    const { scope } = context;
    const violations = await this.#conditions(models, warehouse, markOf, context);
    for (const key of declaredKeys(models)) {
      const owner = models.find(({ table }) => table === key.table);
      const mark = owner && markOf(owner);
      const id = JSON.stringify([key.table, key.columns, key.join === undefined, mark, scope]);
      const keys = (mark === undefined ? undefined : this.#counts.get(id)) ?? (await countKey(key, warehouse, context));
      if (keys === undefined) continue;
      this.#counts.set(id, keys);
      if (keys > 0) violations.push({ model: key.owner, join: key.join, keys });
    }
    return violations;
  }

  /** Joins whose condition is an expression. */
  async #conditions(
    models: readonly PlacedModel[],
    warehouse: Warehouse,
    markOf: (model: PlacedModel) => string | undefined,
    context: JoinCheckContext,
  ): Promise<KeyViolation[]> {
    const violations: KeyViolation[] = [];
    for (const { near, far, join, on } of conditionsOf(models)) {
      const marks = [markOf(near), markOf(far)];
      const id = JSON.stringify([near.table, far.table, join, on, marks, context.scope]);
      const known = marks.includes(undefined) ? undefined : this.#counts.get(id);
      const check = () => compileJoinCheck(context.set, near.model.name, join, context.dialect);
      const keys = known ?? (await count(check(), warehouse, context));
      if (keys === undefined) continue;
      this.#counts.set(id, keys);
      if (keys > 0) violations.push({ model: near.model.name, join, keys });
    }
    return violations;
  }
}

function countKey({ model, columns, join }: DeclaredKey, warehouse: Warehouse, context: JoinCheckContext) {
  const key = { model, columns, isPrimary: join === undefined };
  return count(compileKeyCheck(context.set, key, context.dialect), warehouse, context);
}

/** Undefined if the engine cannot count it; the query that needs it is refused then, too. */
async function count(
  check: CompiledJoinCheck | RefusedQuery,
  warehouse: Warehouse,
  { scope, signal }: QueryContext,
): Promise<number | undefined> {
  if (check.kind === "refused") return undefined;
  let keys = 0;
  for (const statement of check.statements) {
    const { rows } = await warehouse.query(statement, { scope, signal });
    keys += Number(rows[0]?.[0] ?? 0);
  }
  return keys;
}

function conditionsOf(models: readonly PlacedModel[]) {
  return models.flatMap((near) =>
    (near.model.joins ?? []).flatMap(({ name, to, on }) => {
      const far = models.find(({ model }) => model.name === to);
      return far === undefined || typeof on !== "string" ? [] : [{ near, far, join: name ?? to, on }];
    }),
  );
}

function declaredKeys(models: readonly PlacedModel[]): readonly DeclaredKey[] {
  return models.flatMap(({ model, table }) => {
    const { name: owner, primary_key: primary } = model;
    const own = primary === undefined ? [] : [{ owner, model: owner, table, columns: primary }];
    const joins = (model.joins ?? []).flatMap(({ name, to, on, relationship }): readonly DeclaredKey[] => {
      const other = models.find((each) => each.model.name === to);
      if (other === undefined || typeof on === "string") return [];
      const join = { owner, join: name ?? to };
      const far = { ...join, model: to, table: other.table, columns: on.map(([, remote]) => remote) };
      const near = { ...join, model: owner, table, columns: on.map(([local]) => local) };
      if (relationship === "one_to_one") return [far, near];
      return relationship === "many_to_one" ? [far] : [near];
    });
    return [...own, ...joins];
  });
}
