import type { WarehouseStructure } from "../port/structure.ts";
import type { CommonSettings } from "./common-keys.ts";
import { NamePattern } from "./name-pattern.ts";

const tableKeys = ["include", "exclude", "views"] as const;
const columnKeys = ["sensitive", "notSensitive", "reveal"] as const;

/** Whether the settings contain patterns. Without patterns, no structure has to be read. */
export function hasPatterns(settings: CommonSettings): boolean {
  return [...tableKeys, ...columnKeys].some((key) => (settings[key] ?? []).length > 0);
}

/** Lists a connection's patterns that match nothing in a structure, in the form `sensitive: crm.customer.notes`. */
export function findUnusedPatterns(settings: CommonSettings, { tables, problems }: WarehouseStructure): string[] {
  const names = [...tables, ...problems].map(({ schema, table }) => [schema, table]);
  const columns = tables.flatMap(({ schema, table, columns: own }) => own.map(({ name }) => [schema, table, name]));
  const unused = (keys: readonly (keyof CommonSettings)[], known: readonly (readonly string[])[]) =>
    keys.flatMap((key) => {
      const texts = settings[key];
      if (!Array.isArray(texts)) return [];
      const open = texts.filter((text) => !known.some((name) => new NamePattern(text).matches(name)));
      return open.map((text) => `${key}: ${text}`);
    });
  return [...unused(tableKeys, names), ...unused(columnKeys, columns)];
}
