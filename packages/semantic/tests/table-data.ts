/** The tables of tests, and how each engine creates them. */
import type { TypedExpression } from "../src/ir/sql-expression.ts";
import type { TestEngine } from "./engines.ts";

type CellType = "integer" | "decimal" | "text" | "long text" | "boolean" | "date" | "timestamp" | "double";
type Cell = string | number | bigint | boolean | null;

export interface TestTable {
  readonly name: string;
  /** `amount: "decimal"` has two decimal places. */
  readonly columns: Readonly<Record<string, CellType>>;
  readonly key: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

const types: Readonly<Record<TestEngine["id"], Readonly<Record<CellType, string>>>> = {
  sqlite: {
    integer: "INTEGER",
    decimal: "DECIMAL(12,2)",
    text: "TEXT",
    "long text": "TEXT",
    boolean: "BOOLEAN",
    date: "DATE",
    timestamp: "DATETIME",
    double: "REAL",
  },
  duckdb: {
    integer: "BIGINT",
    decimal: "DECIMAL(12,2)",
    text: "VARCHAR",
    "long text": "VARCHAR",
    boolean: "BOOLEAN",
    date: "DATE",
    timestamp: "TIMESTAMP",
    double: "DOUBLE",
  },
  postgres: {
    integer: "BIGINT",
    decimal: "NUMERIC(12,2)",
    text: "TEXT",
    "long text": "TEXT",
    boolean: "BOOLEAN",
    date: "DATE",
    timestamp: "TIMESTAMP",
    double: "DOUBLE PRECISION",
  },
  mysql: {
    integer: "BIGINT",
    decimal: "DECIMAL(12,2)",
    text: "VARCHAR(60)",
    "long text": "LONGTEXT",
    boolean: "BOOLEAN",
    date: "DATE",
    timestamp: "DATETIME",
    double: "DOUBLE",
  },
};

export function createTable(engine: TestEngine["id"], { name, columns, key, rows }: TestTable): readonly string[] {
  const definitions = Object.entries(columns).map(([column, type]) => `${column} ${types[engine][type]}`);
  const primary = key.length > 0 ? [`PRIMARY KEY (${key.join(", ")})`] : [];
  const values = rows.map((row) => `(${row.map(writeCell).join(", ")})`);
  return [
    `CREATE TABLE ${name} (${[...definitions, ...primary].join(", ")})`,
    ...(values.length > 0 ? [`INSERT INTO ${name} VALUES ${values.join(", ")}`] : []),
  ];
}

function writeCell(cell: Cell): string {
  if (cell === null) return "NULL";
  return typeof cell === "string" ? `'${cell.replaceAll("'", "''")}'` : String(cell).toUpperCase();
}

/** Returns the types of the columns, as a scan measures them. */
export function columnFacts({ columns }: TestTable): Readonly<Record<string, TypedExpression>> {
  return Object.fromEntries(
    Object.entries(columns).map(([name, type]) => {
      if (type === "long text") return [name, { type: "text" }];
      return [name, type === "decimal" ? { type, scale: 2 } : { type }];
    }),
  );
}
