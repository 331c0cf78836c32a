import { nearest, omitUndefined } from "@bridle/protocol";
import type { ColumnFacts, SemanticModel, SqlType } from "@bridle/semantic";
import type { ValueType } from "@bridle/warehouse";
import type { TablePath } from "../facts/identifiers.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { KnownColumn, KnownTable } from "../knowledge/known.ts";

/** A model with its connection, and its table as `schema.table`. */
export interface PlacedModel {
  readonly model: SemanticModel;
  readonly table: TablePath;
  readonly kind: KnownTable["kind"];
  readonly columns: Readonly<Record<string, ColumnFacts>>;
}

/** The table of a model as the scan knows it, or what is wrong with it as a sentence. */
export function placeModel(
  model: SemanticModel,
  knowledge: Knowledge,
  connections: readonly string[],
): PlacedModel | string {
  const parts = model.table.split(".");
  const [first = ""] = parts;
  const own = model.connection ?? (parts.length === 3 ? first : connections.length === 1 ? connections[0] : undefined);
  if (own === undefined)
    return `The model ${model.name} names no connection. Add connection: with a name of bridle.yaml.`;
  if (!connections.includes(own)) {
    return `There is no connection ${own}. There are: ${connections.join(", ")}.`;
  }
  const path = parts.length === 3 && first === own ? parts.slice(1) : parts;
  const known = [...knowledge.tables()].filter(({ connection }) => connection === own);
  if (known.length === 0) return `The connection ${own} has not been scanned. Run "bridle context scan ${own}" first.`;
  const fits = known.filter((each) => `.${each.schema}.${each.table}`.endsWith(`.${path.join(".")}`));
  const [found, ...others] = fits;
  if (found === undefined) {
    const close = nearest(
      path.join("."),
      known.map(({ schema, table }) => `${schema}.${table}`),
      3,
    );
    const remedy = close.length > 0 ? `Did you mean ${close.join(" or ")}?` : "Correct its name, or scan again.";
    return `The scan found no table ${model.table}. ${remedy}`;
  }
  if (others.length > 0) return `Several schemas have a table ${model.table}. Write schema.table.`;
  const { schema, table, kind } = found;
  const columns = Object.fromEntries(found.columns.map((column) => [column.name, typeOf(column)]));
  return {
    model: { ...model, connection: own, table: `${schema}.${table}` },
    table: { connection: own, schema, table },
    ...{ kind, columns },
  };
}

const sqlTypes: Readonly<Partial<Record<ValueType, SqlType>>> = {
  ...({
    boolean: "boolean",
    integer: "integer",
    decimal: "decimal",
    float: "double",
    text: "text",
    uuid: "uuid",
  } as const),
  ...({ date: "date", timestamp: "timestamp", timestamptz: "timestamptz" } as const),
};

function typeOf({ type, nativeType, charset, profile }: KnownColumn): ColumnFacts {
  const known = sqlTypes[type] ?? "unknown";
  if (known === "text") return { type: known, ...omitUndefined({ charset }) };
  if (nativeType === "tinyint(1)" && isTruth(profile)) return { type: "boolean" };
  const digits = /\(\s*\d+\s*,\s*(\d+)\s*\)/.exec(nativeType)?.[1];
  return known === "decimal" && digits !== undefined ? { type: known, scale: Number(digits) } : { type: known };
}

/** MySQL and MariaDB store a BOOLEAN as a number of one digit, which others use for small numbers. */
function isTruth(profile: KnownColumn["profile"]): boolean {
  const { min = "0", max = "1" } = profile ?? {};
  return [min, max].every((value) => value === "0" || value === "1");
}
