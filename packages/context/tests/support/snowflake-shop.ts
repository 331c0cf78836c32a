import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import type { ServerColumn, SnowflakeAnswer } from "../../../warehouse/tests/snowflake/snowflake-server.ts";

type Row = Readonly<Record<string, SQLOutputValue>>;

const types: ReadonlyMap<string, string> = new Map([
  ["INTEGER", "NUMBER"],
  ["NUMERIC", "FLOAT"],
]);

/** A shop's database that answers statements as Snowflake does. Its tables are in the schema `main`. */
export class SnowflakeShop {
  readonly database: DatabaseSync;
  readonly statements: string[] = [];

  constructor(file: string) {
    this.database = new DatabaseSync(file);
    this.database.function("HASH", { varargs: true, deterministic: true }, (...values) => hash(JSON.stringify(values)));
    this.database.function("MOD", { deterministic: true }, (value, by) => Number(value) % Number(by));
  }

  answer(sql: string): SnowflakeAnswer {
    if (sql.includes("CURRENT_VERSION()"))
      return answerOf([{ version: "9.35.1", database: "SHOP", schema: "main", warehouse: "READING", role: "READER" }]);
    if (sql.includes(".INFORMATION_SCHEMA.TABLES")) return answerOf(this.#tables());
    if (sql.includes(".INFORMATION_SCHEMA.COLUMNS")) return answerOf(this.#columns());
    if (sql.includes(".INFORMATION_SCHEMA.VIEWS")) return answerOf([]);
    if (sql.startsWith("SHOW IMPORTED KEYS")) return answerOf(this.#links());
    if (sql.startsWith("SHOW")) return answerOf([]);
    this.statements.push(sql);
    const sampled = sql.replace(/ SAMPLE \w+ \(([\d.]+)\) SEED \(\d+\)/, " WHERE HASH(rowid) % 100 < $1");
    return answerOf(this.database.prepare(sampled).all());
  }

  #tables(): readonly Row[] {
    const names = this.database.prepare("SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view')").all();
    return names.map(({ name, type }) => ({
      TABLE_SCHEMA: "main",
      TABLE_NAME: String(name),
      TABLE_TYPE: type === "view" ? "VIEW" : "BASE TABLE",
      ROW_COUNT: type === "view" ? null : this.#count(String(name)),
      LAST_ALTERED: "1700000000.000000000",
      BYTES: "1024",
      COMMENT: null,
    }));
  }

  #count(table: string): number {
    return Number(this.database.prepare(`SELECT count(*) AS n FROM "${table}"`).get()?.n);
  }

  #columns(): readonly Row[] {
    const sql = "SELECT t.name AS t, c.name AS c, c.type AS type FROM sqlite_schema t, pragma_table_info(t.name) c";
    const rows = this.database.prepare(`${sql} WHERE t.type IN ('table', 'view') ORDER BY t.name, c.cid`).all();
    return rows.map(({ t, c, type }) => ({
      TABLE_SCHEMA: "main",
      TABLE_NAME: String(t),
      COLUMN_NAME: String(c),
      DATA_TYPE: types.get(String(type)) ?? "TEXT",
      IS_NULLABLE: "YES",
      CHARACTER_MAXIMUM_LENGTH: null,
      NUMERIC_PRECISION: null,
      NUMERIC_SCALE: null,
      DATETIME_PRECISION: null,
      COMMENT: null,
    }));
  }

  #links(): readonly Row[] {
    const rows = this.database.prepare("SELECT * FROM pragma_foreign_key_list('order_lines')").all();
    return rows.map((row) => ({
      fk_database_name: "SHOP",
      fk_schema_name: "main",
      fk_table_name: "order_lines",
      fk_column_name: row.from ?? null,
      pk_database_name: "SHOP",
      pk_schema_name: "main",
      pk_table_name: row.table ?? null,
      pk_column_name: row.to ?? null,
      key_sequence: 1,
      fk_name: "FK",
    }));
  }
}

function hash(text: string): number {
  let result = 17;
  for (const character of text) result = (result * 31 + (character.codePointAt(0) ?? 0)) % 2_147_483_647;
  return result;
}

/** Creates an answer in which a column has the type of its first value. */
function answerOf(rows: readonly Row[]): SnowflakeAnswer {
  const names = Object.keys(rows[0] ?? { NONE: "" });
  const columns = names.map((name): ServerColumn => [name, typeOf(rows.find((row) => row[name] !== null)?.[name])]);
  const texts = rows.map((row) => names.map((name) => textOf(row[name])));
  return { columns, partitions: texts.length > 100 ? [texts.slice(0, 100), texts.slice(100)] : [texts] };
}

function typeOf(value: SQLOutputValue | undefined): string {
  if (typeof value !== "number" && typeof value !== "bigint") return "text";
  return Number.isInteger(Number(value)) ? "fixed" : "real";
}

function textOf(value: SQLOutputValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
