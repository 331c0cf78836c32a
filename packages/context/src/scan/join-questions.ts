/** Writes exact questions about keys and links, each as one statement that every engine understands. */
import type { DialectId, SqlDialect, ValueType } from "@bridle/warehouse";

/** Columns to compare, with the table or the parenthesized SELECT that they are read from. */
export interface QuestionColumns {
  readonly relation: string;
  readonly columns: readonly ComparedColumn[];
}

interface ComparedColumn {
  readonly name: string;
  readonly type: ValueType;
  /** The type as the engine writes it. Enums are text, but not every text function accepts them. */
  readonly nativeType: string;
}

/**
 * Counts rows with a value in all columns of a set, and different tuples. The statement returns one row for each set: number, filled,
 * distinct.
 */
export function countTuplesSql(
  dialect: SqlDialect,
  { relation, columns }: QuestionColumns,
  sets: readonly (readonly string[])[],
): string {
  const known = new Map(columns.map((column) => [column.name, column]));
  const counts = sets.map((names, number) => {
    const keys = names.map((name, at) => {
      const column = known.get(name) ?? { name, type: "other", nativeType: "" };
      return `${keyOf(dialect, column, false)} AS k${at}`;
    });
    const all = names.map((_, at) => `k${at}`);
    const filled = all.map((key) => `${key} IS NOT NULL`).join(" AND ");
    return `SELECT ${number} AS question, SUM(n) AS filled, COUNT(*) AS different FROM (SELECT COUNT(*) AS n FROM (SELECT ${keys.join(", ")} FROM ${relation} AS r) AS v WHERE ${filled} GROUP BY ${all.join(", ")}) AS g`;
  });
  return `${counts.join(" UNION ALL ")}`;
}

/**
 * Counts the child's rows with a value in all columns, and how many of these have no equal row in the parent. The statement returns filled,
 * orphans, and two orphans as text if there is one column and `examples` is true.
 */
export function countOrphansSql(
  dialect: SqlDialect,
  child: QuestionColumns,
  parent: QuestionColumns,
  examples: boolean,
): string {
  const pairs = child.columns.map((column, at) => ({ column, other: parent.columns[at] ?? column }));
  const asText = pairs.map(({ column, other }) => needText(dialect.id, column, other));
  const keys = pairs.map((_, at) => `k${at}`);
  const filled = keys.map((key) => `${key} IS NOT NULL`).join(" AND ");
  const from = ({ relation, columns }: QuestionColumns) => {
    const list = columns.map((column, at) => `${keyOf(dialect, column, asText[at] === true)} AS k${at}`);
    return `(SELECT ${list.join(", ")} FROM ${relation} AS r) AS v WHERE ${filled} GROUP BY ${keys.join(", ")}`;
  };
  const example = (pick: string) =>
    examples && keys.length === 1
      ? `, ${pick}(CASE WHEN p.hit = 1 THEN NULL ELSE ${castToText(dialect.id, "c.k0")} END) AS ${pick.toLowerCase()}_orphan`
      : "";
  const on = keys.map((key) => `c.${key} = p.${key}`).join(" AND ");
  return `SELECT SUM(c.n) AS filled, SUM(CASE WHEN p.hit = 1 THEN 0 ELSE c.n END) AS orphans${example("MIN")}${example("MAX")} FROM (SELECT ${keys.join(", ")}, COUNT(*) AS n FROM ${from(child)}) AS c LEFT JOIN (SELECT ${keys.join(", ")}, 1 AS hit FROM ${from(parent)}) AS p ON ${on}`;
}

/** Engines that can convert a value of any type to text. */
const writeEverything: ReadonlySet<DialectId> = new Set(["sqlite", "duckdb", "postgres"]);

/**
 * Whether the engine can compare values of this type. MySQL, for example, cannot convert a geometry to text. If the engine cannot compare a
 * column's values, the column is neither a key nor part of a link.
 */
export function isComparableType(dialect: DialectId, type: ValueType): boolean {
  return kindOf(type) !== "other" || writeEverything.has(dialect);
}

/** Whether text is the only common type of two columns. ClickHouse, for example, has no other common type for a UInt256 and a Decimal. */
function needText(dialect: DialectId, first: ComparedColumn, second: ComparedColumn): boolean {
  const kind = kindOf(first.type);
  if (kind !== kindOf(second.type)) return true;
  const bare = ({ nativeType }: ComparedColumn) => nativeType.replace(/^(?:(?:Nullable|LowCardinality)\()+|\)+$/g, "");
  return dialect === "clickhouse" && kind === "number" && bare(first) !== bare(second);
}

/** Writes the compared expression: text without surrounding blanks, and NULL for blank text. */
function keyOf(dialect: SqlDialect, { name, type, nativeType }: ComparedColumn, asText: boolean): string {
  const column = `r.${dialect.quoteIdentifier(name)}`;
  if (kindOf(type) === "text") return `NULLIF(TRIM(${toText(dialect.id, column, nativeType)}), '')`;
  if (kindOf(type) === "other") return writeAsText(dialect.id, column);
  return asText ? castToText(dialect.id, column) : column;
}

function kindOf(type: ValueType): string {
  if (type === "integer" || type === "decimal" || type === "float") return "number";
  return type === "json" || type === "array" || type === "interval" ? "other" : type;
}

const textTypes: Readonly<Record<DialectId, string>> = {
  sqlite: "TEXT",
  duckdb: "VARCHAR",
  postgres: "TEXT",
  mysql: "CHAR",
  clickhouse: "Nullable(String)",
  sqlserver: "NVARCHAR(400)",
  bigquery: "STRING",
  snowflake: "VARCHAR",
};

/** Writes a text column, enum or UUID as an expression that every text function accepts. */
export function toText(dialect: DialectId, expression: string, nativeType: string): string {
  return plainText.test(nativeType) || !strictDialects.has(dialect) ? expression : castToText(dialect, expression);
}

/** Types that every text function accepts. An enum may have any name, such as `text_kind`. */
const plainText =
  /^(?:character|char|varchar|text|(?:nullable\(|lowcardinality\()*(?:fixed)?string)\b|(?:^|\.)citext$/i;

/** Engines that do not convert an enum or a UUID to text implicitly. */
const strictDialects: ReadonlySet<DialectId> = new Set(["postgres", "duckdb", "clickhouse"]);

/** Converts a value to text, for types that cannot be compared for equality. BigQuery cannot cast JSON and arrays to text. */
function writeAsText(dialect: DialectId, expression: string): string {
  if (dialect !== "bigquery") return castToText(dialect, expression);
  return `NULLIF(TO_JSON_STRING(${expression}), 'null')`;
}

function castToText(dialect: DialectId, expression: string): string {
  // In BigQuery, SAFE_CAST returns NULL for bytes that are not text; CAST would fail.
  const cast = dialect === "bigquery" ? "SAFE_CAST" : "CAST";
  return `${cast}(${expression} AS ${textTypes[dialect]})`;
}
