import type { Connector, SqlDialect, Warehouse } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";

/** Returns the SQL dialect of a warehouse's engine. */
export function findDialect({ dialect }: Pick<Warehouse, "dialect">): SqlDialect {
  const all: readonly Connector[] = connectors;
  const found = all.find((connector) => connector.dialect.id === dialect);
  if (found === undefined) throw new TypeError(`There is no connector for ${dialect}.`);
  return found.dialect;
}
