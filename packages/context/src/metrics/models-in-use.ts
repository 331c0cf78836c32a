import type { CompiledQuery } from "@bridle/semantic";
import type { Warehouse } from "@bridle/warehouse";
import { findDialect } from "../facts/find-dialect.ts";
import type { PlacedModel } from "./model-table.ts";

/** Returns the models whose tables a statement names. */
export function modelsIn(
  { sql, totals }: CompiledQuery,
  models: readonly PlacedModel[],
  warehouse: Warehouse,
): readonly PlacedModel[] {
  const dialect = findDialect(warehouse);
  const text = `${sql} ${totals?.sql ?? ""}`;
  const isNamed = ({ model, table }: PlacedModel) =>
    text.includes(table === undefined ? (model.sql ?? "") : dialect.quoteIdentifier(table.table));
  return models.filter((each) => each.connection === warehouse.name && isNamed(each));
}

/**
 * Returns the states of the tables. Views, statements and tables with a row filter have no state, because their rows may also depend on the
 * time, as in `valid_until > CURRENT_DATE`.
 */
export async function marksOf(
  models: readonly PlacedModel[],
  warehouse: Warehouse,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<PlacedModel, string | undefined>> {
  const dialect = findDialect(warehouse);
  const plain = models.flatMap((model) => {
    const { table, kind } = model;
    const isPlain = kind === "table" && table && warehouse.relationOf(table) === dialect.quoteTable(table);
    return isPlain ? [{ model, table }] : [];
  });
  if (plain.length === 0) return new Map(models.map((model) => [model, undefined]));
  const tables = plain.map(({ table }) => table);
  const marks = await warehouse.engine.readChangeMarks(tables, { signal });
  const known = new Map(plain.map(({ model }, index) => [model, marks[index]]));
  return new Map(models.map((model) => [model, known.get(model)]));
}
