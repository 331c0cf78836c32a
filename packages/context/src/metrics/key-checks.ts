import {
  compileJoinCheck,
  compileKeyCheck,
  type KeyViolation,
  type MetricDialectId,
  type ModelSet,
} from "@bridle/semantic";
import type { Warehouse } from "@bridle/warehouse";
import { z } from "zod";
import type { QueryContext } from "./metric-query-types.ts";
import type { PlacedModel } from "./model-table.ts";
import type { StoredResults } from "./results/stored-results.ts";

/** Columns that a model declares to be unique. */
interface DeclaredKey {
  readonly owner: string;
  readonly join?: string | undefined;
  /** The model that has the columns. */
  readonly of: PlacedModel;
  readonly columns: readonly string[];
}

/** How join conditions are turned into statements. */
export interface JoinCheckContext extends QueryContext {
  readonly set: ModelSet;
  readonly dialect: MetricDialectId;
  /** Identifies the database and the account. */
  readonly identity: string;
  /** Whether to count again instead of using earlier results. Default: false. */
  readonly noCache?: boolean | undefined;
}

/**
 * Finds declared keys that the data contradict, by counting. A count stays valid until the table changes. Keys that the engine cannot count
 * are left out: a query that needs such a key is refused, too.
 */
export class KeyChecks {
  readonly #counts: StoredResults;

  constructor(counts: StoredResults) {
    this.#counts = counts;
  }

  /**
   * Finds violations. `markOf` returns the current state of a table, which the counts are stored with; undefined if the engine does not
   * report states.
   */
  async find(
    models: readonly PlacedModel[],
    warehouse: Warehouse,
    markOf: (model: PlacedModel) => string | undefined,
    context: JoinCheckContext,
  ): Promise<readonly KeyViolation[]> {
    const violations = await this.#conditions(models, warehouse, markOf, context);
    for (const key of declaredKeys(models)) {
      const check = compileKeyCheck(context.set, keyOf(key), context.dialect);
      if (check.kind === "refused") continue;
      const keys = await this.#counted(["key", check.statements], markOf(key.of), context, () =>
        countAll(check.statements, warehouse, context),
      );
      if (keys > 0) violations.push({ model: key.owner, join: key.join, keys });
    }
    return violations;
  }

  /** Checks joins whose condition is an expression. */
  async #conditions(
    models: readonly PlacedModel[],
    warehouse: Warehouse,
    markOf: (model: PlacedModel) => string | undefined,
    context: JoinCheckContext,
  ): Promise<KeyViolation[]> {
    const violations: KeyViolation[] = [];
    for (const { near, join, read } of conditionsOf(models)) {
      const check = compileJoinCheck(context.set, near.model.name, join, context.dialect);
      if (check.kind === "refused") continue;
      const marks = read.map((model) => model && markOf(model));
      const state = marks.includes(undefined) ? undefined : JSON.stringify(marks);
      const id = ["condition", check.statements];
      const keys = await this.#counted(id, state, context, () => countAll(check.statements, warehouse, context));
      if (keys > 0) violations.push({ model: near.model.name, join, keys });
    }
    return violations;
  }

  async #counted(
    id: readonly unknown[],
    state: string | undefined,
    { identity, scope, noCache }: JoinCheckContext,
    countNow: () => Promise<number>,
  ): Promise<number> {
    const key = JSON.stringify([identity, scope, ...id]);
    const known = noCache ? undefined : z.number().safeParse(this.#counts.get(key, state)?.value).data;
    if (known !== undefined) return known;
    const keys = await countNow();
    this.#counts.set(key, state, keys);
    return keys;
  }
}

function keyOf({ of, columns, join }: DeclaredKey) {
  return { model: of.model.name, columns, isPrimary: join === undefined };
}

async function countAll(
  statements: readonly string[],
  warehouse: Warehouse,
  { scope, signal }: QueryContext,
): Promise<number> {
  let keys = 0;
  for (const statement of statements) {
    const { rows } = await warehouse.query(statement, { scope, signal });
    keys += Number(rows[0]?.[0] ?? 0);
  }
  return keys;
}

/**
 * Lists joins over expressions, each with the models that its condition reads: both sides, and the models named by `{from}.join.column`.
 */
function conditionsOf(models: readonly PlacedModel[]) {
  const named = (name: string) => models.find(({ model }) => model.name === name);
  return models.flatMap((near) => {
    const { joins = [] } = near.model;
    return joins.flatMap(({ name, to, on }) => {
      const far = named(to);
      if (far === undefined || typeof on !== "string") return [];
      const over = joins.filter((join) => on.includes(`{from}.${join.name ?? join.to}.`));
      return [{ near, join: name ?? to, read: [near, far, ...over.map((join) => named(join.to))] }];
    });
  });
}

function declaredKeys(models: readonly PlacedModel[]): readonly DeclaredKey[] {
  return models.flatMap((placed) => {
    const { model } = placed;
    const own = model.primary_key === undefined ? [] : [{ owner: model.name, of: placed, columns: model.primary_key }];
    const joins = (model.joins ?? []).flatMap(({ name, to, on, relationship }): readonly DeclaredKey[] => {
      const other = models.find((each) => each.model.name === to);
      if (other === undefined || typeof on === "string") return [];
      const join = { owner: model.name, join: name ?? to };
      const far = { ...join, of: other, columns: on.map(([, remote]) => remote) };
      const near = { ...join, of: placed, columns: on.map(([local]) => local) };
      if (relationship === "one_to_one") return [far, near];
      return relationship === "many_to_one" ? [far] : [near];
    });
    return [...own, ...joins];
  });
}
