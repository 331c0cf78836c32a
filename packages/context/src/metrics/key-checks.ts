import type { KeyViolation } from "@bridle/semantic";
import type { Warehouse } from "@bridle/warehouse";
import { findDialect } from "../facts/find-dialect.ts";
import type { QueryContext } from "./metric-query-types.ts";
import type { PlacedModel } from "./model-table.ts";

/** Columns that a model declares to be unique. */
interface DeclaredKey {
  readonly owner: string;
  readonly join?: string | undefined;
  readonly table: PlacedModel["table"];
  readonly columns: readonly string[];
}

/** Counts keys that the data contradict. Each count holds until the table changes. */
export class KeyChecks {
  readonly #counts = new Map<string, number>();

  /** `mark` says which state of a table the counts belong to; undefined if the engine cannot say. */
  async find(
    models: readonly PlacedModel[],
    warehouse: Warehouse,
    markOf: (model: PlacedModel) => string | undefined,
    { scope, signal }: QueryContext,
  ): Promise<readonly KeyViolation[]> {
    const violations: KeyViolation[] = [];
    for (const key of declaredKeys(models)) {
      const owner = models.find(({ table }) => table === key.table);
      const mark = owner && markOf(owner);
      const id = JSON.stringify([key.table, key.columns, key.join === undefined, mark, scope]);
      const keys =
        (mark === undefined ? undefined : this.#counts.get(id)) ?? (await count(key, warehouse, { scope, signal }));
      this.#counts.set(id, keys);
      if (keys > 0) violations.push({ model: key.owner, join: key.join, keys });
    }
    return violations;
  }
}

/** The sentences about joins that `KeyChecks` cannot count. */
export function uncheckedJoins(models: readonly PlacedModel[]): readonly string[] {
  const names = new Set(models.map(({ model }) => model.name));
  return models.flatMap(({ model }) =>
    (model.joins ?? [])
      .filter(({ on, to }) => typeof on === "string" && names.has(to))
      .map(({ name, to, relationship }) => {
        const join = `${model.name}.${name ?? to}`;
        return `The join ${join} is ${relationship.replaceAll("_", "-")}, as the model declares. Its condition is not counted.`;
      }),
  );
}

function declaredKeys(models: readonly PlacedModel[]): readonly DeclaredKey[] {
  return models.flatMap(({ model, table }) => {
    const own = model.primary_key === undefined ? [] : [{ owner: model.name, table, columns: model.primary_key }];
    const joins = (model.joins ?? []).flatMap(({ name, to, on, relationship }): readonly DeclaredKey[] => {
      const other = models.find((each) => each.model.name === to);
      if (other === undefined || typeof on === "string") return [];
      const join = { owner: model.name, join: name ?? to };
      const far = { ...join, table: other.table, columns: on.map(([, remote]) => remote) };
      const near = { ...join, table, columns: on.map(([local]) => local) };
      if (relationship === "one_to_one") return [far, near];
      return relationship === "many_to_one" ? [far] : [near];
    });
    return [...own, ...joins];
  });
}

/** Of a join, NULL matches nothing. In a primary key it is wrong. */
async function count(
  { table, columns, join }: DeclaredKey,
  warehouse: Warehouse,
  { scope, signal }: QueryContext,
): Promise<number> {
  const dialect = findDialect(warehouse);
  const names = [...new Set(columns)].map((name) => dialect.quoteIdentifier(name));
  const isNull = names.map((name) => `${name} IS NULL`).join(" OR ");
  const from = dialect.quoteTable(table);
  const where = join === undefined ? "" : ` WHERE ${names.map((name) => `${name} IS NOT NULL`).join(" AND ")}`;
  const having = join === undefined ? `COUNT(*) > 1 OR ${isNull}` : "COUNT(*) > 1";
  const groups = `SELECT COUNT(*) AS n FROM ${from}${where} GROUP BY ${names.join(", ")} HAVING ${having}`;
  const { rows } = await warehouse.query(`SELECT COUNT(*) AS n FROM (${groups}) k`, { scope, signal });
  return Number(rows[0]?.[0] ?? 0);
}
