import { escapeExpression, nearest, omitUndefined } from "@bridle/protocol";
import type { ModelColumn, SemanticModel, SqlType } from "@bridle/semantic";
import type { ValueType } from "@bridle/warehouse";
import type { TablePath } from "../facts/identifiers.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { KnownColumn, KnownTable } from "../knowledge/known.ts";

export type ModelColumns = Readonly<Record<string, ModelColumn>>;

/** A model with its connection, and its table as `schema.table`. */
export interface PlacedModel {
  readonly model: SemanticModel;
  readonly connection: string;
  /** Undefined if the model's rows come from a statement. */
  readonly table?: TablePath | undefined;
  /** The tables that the model reads. Only callers that may see all of them see the model. */
  readonly tables: readonly TablePath[];
  readonly kind: KnownTable["kind"] | "sql";
  /** Undefined for a model whose statement has not run yet. */
  readonly columns?: Readonly<Record<string, ModelColumn>> | undefined;
}

/** Returns the columns of a statement, if it has run. */
export type ColumnsOfStatement = (connection: string, sql: string) => ModelColumns | undefined;

/** Finds the table of a model in the scan's facts, or returns a sentence about the problem. */
export function placeModel(
  model: SemanticModel,
  knowledge: Knowledge,
  connections: readonly string[],
  columnsOf: ColumnsOfStatement = () => undefined,
): PlacedModel | string {
  const parts = model.table?.split(".") ?? [];
  const [first = ""] = parts;
  const own = model.connection ?? (parts.length === 3 ? first : connections.length === 1 ? connections[0] : undefined);
  if (own === undefined)
    return `The model ${model.name} names no connection. Add connection: with a name of bridle.yaml.`;
  if (!connections.includes(own)) {
    return `There is no connection ${own}. There are: ${connections.join(", ")}.`;
  }
  const known = [...knowledge.tables()].filter(({ connection }) => connection === own);
  if (known.length === 0) return `The connection ${own} has not been scanned. Run "bridle context scan ${own}" first.`;
  if (model.sql !== undefined) return placeStatement(model, model.sql, own, known, columnsOf);
  return placeTable(model, parts.length === 3 && first === own ? parts.slice(1) : parts, known);
}

function placeTable(model: SemanticModel, path: readonly string[], known: readonly KnownTable[]): PlacedModel | string {
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
  const { connection, schema, table, kind } = found;
  const own = { connection, schema, table };
  return {
    model: { ...model, connection, table: `${schema}.${table}` },
    connection,
    table: own,
    tables: [own],
    kind,
    columns: typesOf(found.columns),
  };
}

/** Lists the known tables whose names occur in the statement. It may read fewer. The scope is checked when the statement runs. */
function placeStatement(
  model: SemanticModel,
  sql: string,
  connection: string,
  known: readonly KnownTable[],
  columnsOf: ColumnsOfStatement,
): PlacedModel {
  const tables = known
    .filter(({ table }) => hasWord(sql, table))
    .map(({ schema, table }) => ({ connection, schema, table }));
  return { model: { ...model, connection }, connection, tables, kind: "sql", columns: columnsOf(connection, sql) };
}

/** Whether a string contains a name as a whole word. */
export function hasWord(text: string, name: string): boolean {
  const letter = "[\\p{L}\\p{N}_]";
  return new RegExp(`(?<!${letter})${escapeExpression(name)}(?!${letter})`, "iu").test(text);
}

type TypedColumn = Pick<KnownColumn, "name" | "type" | "nativeType"> &
  Partial<Pick<KnownColumn, "charset" | "profile">>;

/** Returns the types of columns by name. */
export function typesOf(columns: readonly TypedColumn[]): ModelColumns {
  return Object.fromEntries(columns.map((column) => [column.name, typeOf(column)]));
}

const sqlTypes: Readonly<Partial<Record<ValueType, SqlType>>> = {
  boolean: "boolean",
  integer: "integer",
  decimal: "decimal",
  float: "double",
  text: "text",
  uuid: "uuid",
  date: "date",
  timestamp: "timestamp",
  timestamptz: "timestamptz",
};

function typeOf({ type, nativeType, charset, profile }: TypedColumn): ModelColumn {
  const known = sqlTypes[type] ?? "unknown";
  if (known === "text") return { type: known, ...omitUndefined({ charset }) };
  if (nativeType === "tinyint(1)" && isTruth(profile)) return { type: "boolean" };
  const digits = /\(\s*\d+\s*,\s*(\d+)\s*\)/.exec(nativeType)?.[1];
  return known === "decimal" && digits !== undefined ? { type: known, scale: Number(digits) } : { type: known };
}

/**
 * Whether a column contains only 0 and 1. MySQL and MariaDB store a BOOLEAN as a one-digit number, and use that type for small numbers,
 * too.
 */
function isTruth(profile: KnownColumn["profile"]): boolean {
  const { min = "0", max = "1" } = profile ?? {};
  return [min, max].every((value) => value === "0" || value === "1");
}
