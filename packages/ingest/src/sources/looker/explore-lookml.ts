/**
 * Writes an explore from the API as LookML, so that one parser reads both files and API responses. Adds nothing that the API does not
 * return.
 */
import type { LookerExplore, LookerField, LookerJoin } from "./looker-schema.ts";

const plainName = /^[A-Za-z_]\w*$/;

export function exploreToLookml(explore: LookerExplore): string {
  const base = explore.view_name ?? explore.name;
  const joins = (explore.joins ?? []).filter(({ name }) => plainName.test(name));
  const tables = new Map([
    [base, explore.sql_table_name ?? base],
    ...joins.map((join) => [join.name, join.sql_table_name ?? join.from ?? join.name] as const),
  ]);
  const views = [...tables].flatMap(([view, table]) =>
    plainName.test(view) ? viewToLookml(view, table, explore) : [],
  );
  const exploreName = plainName.test(explore.name) ? explore.name : base;
  const from = base === exploreName ? [] : [`  view_name: ${base}`];
  const words = [
    `explore: ${exploreName} {`,
    ...from,
    ...described(explore.description, "  "),
    ...joins.map(joinToLookml),
    "}",
  ];
  return [...views, words.join("\n")].join("\n\n");
}

/** Returns the fields whose SQL the API key may not read. Their descriptions are still used. */
export function fieldsWithoutSql({ fields }: LookerExplore): readonly LookerField[] {
  const all = [...(fields.dimensions ?? []), ...(fields.measures ?? [])];
  return all.filter((field) => !isReadable(field) && field.description && !field.hidden);
}

function isReadable({ sql, type }: LookerField): boolean {
  return typeof sql === "string" || type === "count";
}

function viewToLookml(view: string, table: string, { fields }: LookerExplore): readonly string[] {
  const own = (list: readonly LookerField[] | null | undefined) =>
    (list ?? []).filter(
      (field) => field.name.startsWith(`${view}.`) && isReadable(field) && plainName.test(nameOf(field)),
    );
  const dimensions = own(fields.dimensions);
  const groups = Map.groupBy(dimensions.filter(isOfGroup), ({ dimension_group }) => dimension_group ?? "");
  const lines = [
    ...dimensions.filter((each) => !isOfGroup(each)).map(dimensionToLookml),
    ...[...groups].flatMap(([group, members]) => groupToLookml(group, members)),
    ...own(fields.measures).map(measureToLookml),
  ];
  return lines.length === 0
    ? []
    : [[`view: ${view} {`, `  sql_table_name: ${toSql(table)} ;;`, ...lines, "}"].join("\n")];
}

/** Whether a field belongs to a group. Such fields have types such as `date_week`. */
function isOfGroup({ dimension_group, type }: LookerField): boolean {
  return typeof dimension_group === "string" && /^date_\w+$/.test(type ?? "");
}

function dimensionToLookml(field: LookerField): string {
  const key = field.primary_key ? ["    primary_key: yes"] : [];
  return block("dimension", nameOf(field), [
    ...key,
    ...typed(field),
    ...sqlOf(field),
    ...described(field.description, "    "),
  ]);
}

function groupToLookml(group: string, members: readonly LookerField[]): readonly string[] {
  const name = group.split(".").at(-1) ?? "";
  const [first] = members;
  if (first === undefined || !plainName.test(name)) return [];
  const frames = [...new Set(members.map(({ type }) => (type ?? "").slice("date_".length)))];
  const lines = [
    "    type: time",
    `    timeframes: [${frames.join(", ")}]`,
    ...sqlOf(first),
    ...described(first.description, "    "),
  ];
  return [block("dimension_group", name, lines)];
}

function measureToLookml(field: LookerField): string {
  const filters = (field.filters ?? []).flatMap(({ field: on, condition }) =>
    on && condition !== null && condition !== undefined && /^[\w.]+$/.test(on) ? [`${on}: ${quote(condition)}`] : [],
  );
  const filtered = filters.length > 0 ? [`    filters: [${filters.join(", ")}]`] : [];
  return block("measure", nameOf(field), [
    ...typed(field),
    ...sqlOf(field),
    ...filtered,
    ...described(field.description, "    "),
  ]);
}

function joinToLookml({ name, from, relationship, type, sql_on }: LookerJoin): string {
  const lines = [
    ...(from && from !== name && plainName.test(from) ? [`    from: ${from}`] : []),
    ...(type && plainName.test(type) ? [`    type: ${type}`] : []),
    ...(relationship && plainName.test(relationship) ? [`    relationship: ${relationship}`] : []),
    ...(sql_on ? [`    sql_on: ${toSql(sql_on)} ;;`] : []),
  ];
  return block("join", name, lines);
}

function block(kind: string, name: string, lines: readonly string[]): string {
  return [`  ${kind}: ${name} {`, ...lines, "  }"].join("\n");
}

function nameOf({ name }: LookerField): string {
  return name.split(".").at(-1) ?? "";
}

function typed({ type }: LookerField): readonly string[] {
  return type && plainName.test(type) ? [`    type: ${type}`] : [];
}

function sqlOf({ sql }: LookerField): readonly string[] {
  return sql ? [`    sql: ${toSql(sql)} ;;`] : [];
}

function described(description: string | null | undefined, indent: string): readonly string[] {
  const text = description?.replaceAll(/\s+/g, " ").trim();
  return text ? [`${indent}description: ${quote(text)}`] : [];
}

function quote(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll(/\s+/g, " ")}"`;
}

/** Writes SQL without two adjacent semicolons, which would end the block. */
function toSql(sql: string): string {
  return sql.replaceAll(/;{2,}/g, ";").replaceAll(/\s+/g, " ").trim();
}
