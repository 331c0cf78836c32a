/** Finds the tables of a project: models, seeds, snapshots and source tables, with the names that refer to them. */
import type { YamlValue } from "../evidence/yaml-text.ts";

export interface DbtTable {
  /** The name in `ref`, or `source.table` for a source. */
  readonly name: string;
  /** The item that contains the table's entry. */
  readonly item: string;
  readonly at: YamlValue;
  /** The names that the table may have in the scan, the most exact first. */
  readonly relations: readonly string[];
}

/** Lists the tables in the order of the files. Leaves out disabled tables. */
export function dbtTablesIn(item: string, root: YamlValue, defaultSchema: string | undefined): readonly DbtTable[] {
  const models = ["models", "seeds", "snapshots"].flatMap((list) => root.list(list));
  const own = models.flatMap((at) => {
    const name = at.child("name")?.text;
    const alias = textAt(at, ["config", "alias"]) ?? textAt(at, ["alias"]) ?? name;
    const schema = textAt(at, ["config", "schema"]) ?? defaultSchema;
    if (name === undefined || alias === undefined || isDisabled(at)) return [];
    return [{ name, item, at, relations: relationsOf(textAt(at, ["relation"]), schema, alias) }];
  });
  const sources = root.list("sources").flatMap((source) => {
    const sourceName = source.child("name")?.text;
    const schema = textAt(source, ["schema"]) ?? sourceName;
    if (sourceName === undefined || isDisabled(source)) return [];
    return source.list("tables").flatMap((at) => {
      const name = at.child("name")?.text;
      if (name === undefined || isDisabled(at)) return [];
      const relations = relationsOf(textAt(at, ["relation"]), schema, textAt(at, ["identifier"]) ?? name);
      return [{ name: `${sourceName}.${name}`, item, at, relations }];
    });
  });
  return [...own, ...sources];
}

function relationsOf(relation: string | undefined, schema: string | undefined, table: string): readonly string[] {
  const inSchema = schema === undefined || schema.includes("{{") ? [] : [`${schema}.${table}`];
  return [...(relation === undefined ? [] : [relation]), ...inSchema, table];
}

function isDisabled(at: YamlValue): boolean {
  return at.child("config", "enabled")?.value === false || at.child("enabled")?.value === false;
}

function textAt(at: YamlValue, path: readonly string[]): string | undefined {
  return at.child(...path)?.text;
}
