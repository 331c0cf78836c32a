import type { Warehouse } from "@bridle/warehouse";
import { parseTableId } from "../facts/parse-identifier.ts";
import type { ToolBase } from "./tool-base.ts";

/** Returns the open connection, which also masks columns that files have marked as sensitive since it was opened. */
export async function openForCaller(base: ToolBase, name: string, signal: AbortSignal): Promise<Warehouse> {
  const warehouse = await base.options.openWarehouse(name, signal);
  const marked = Array.from(base.notes()?.tables ?? []).flatMap(([id, { columns = {} }]) => {
    const path = parseTableId(id);
    if (path?.connection !== name) return [];
    const { schema, table } = path;
    const named = Object.entries(columns).filter(([, { sensitive }]) => sensitive === true);
    return named.map(([column]) => ({ schema, table, column }));
  });
  if (marked.length > 0) warehouse.addSensitive(marked);
  return warehouse;
}
