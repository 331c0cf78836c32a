import { expect, test } from "vitest";
import { openSnowflakeServer } from "./open-snowflake.ts";
import type { SnowflakeAnswer } from "./snowflake-server.ts";

/** Returns a result whose columns are the keys of the first row. */
function rowsOf(...rows: readonly Readonly<Record<string, string | null>>[]): SnowflakeAnswer {
  const names = Object.keys(rows[0] ?? { NONE: "" });
  return {
    columns: names.map((name) => [name, "text"]),
    partitions: [rows.map((row) => names.map((name) => row[name] ?? null))],
  };
}

const tables = rowsOf(
  { TABLE_SCHEMA: "SALES", TABLE_NAME: "LATEST", TABLE_TYPE: "VIEW", ROW_COUNT: null, COMMENT: "" },
  { TABLE_SCHEMA: "SALES", TABLE_NAME: "ORDERS", TABLE_TYPE: "BASE TABLE", ROW_COUNT: "3", COMMENT: "What was sold" },
  {
    TABLE_SCHEMA: "my schema",
    TABLE_NAME: "order Lines",
    TABLE_TYPE: "EXTERNAL TABLE",
    ROW_COUNT: null,
    COMMENT: null,
  },
);

const views = rowsOf({
  TABLE_SCHEMA: "SALES",
  TABLE_NAME: "LATEST",
  VIEW_DEFINITION: `create view latest(id comment 'as select') comment = 'x as select 1 --' as
    select o.id from orders o join shop."my schema"."order Lines" l on l.order_id = o.id;`,
});

function column(table: string, name: string, type: string, more: Readonly<Record<string, string>> = {}) {
  return {
    TABLE_SCHEMA: table === "order Lines" ? "my schema" : "SALES",
    TABLE_NAME: table,
    COLUMN_NAME: name,
    DATA_TYPE: type,
    IS_NULLABLE: "YES",
    CHARACTER_MAXIMUM_LENGTH: null,
    NUMERIC_PRECISION: null,
    NUMERIC_SCALE: null,
    DATETIME_PRECISION: null,
    COMMENT: null,
    ...more,
  };
}

const columns = rowsOf(
  column("ORDERS", "ID", "NUMBER", { NUMERIC_PRECISION: "38", NUMERIC_SCALE: "0", IS_NULLABLE: "NO" }),
  column("ORDERS", "PRODUCT", "NUMBER", { NUMERIC_PRECISION: "12", NUMERIC_SCALE: "2", COMMENT: "which one" }),
  column("ORDERS", "Note", "TEXT", { CHARACTER_MAXIMUM_LENGTH: "80" }),
  column("ORDERS", "AT", "TIMESTAMP_NTZ", { DATETIME_PRECISION: "9" }),
  column("ORDERS", "DOC", "VARIANT"),
  column("order Lines", "ORDER_ID", "NUMBER", { NUMERIC_PRECISION: "38", NUMERIC_SCALE: "0" }),
);

function key(name: string, column: string, at: number, table = "ORDERS", database = "SHOP") {
  return {
    created_on: "2024-01-01",
    database_name: database,
    schema_name: "SALES",
    table_name: table,
    column_name: column,
    key_sequence: String(at),
    constraint_name: name,
    rely: "false",
  };
}

const imported = rowsOf({
  pk_database_name: "SHOP",
  pk_schema_name: "SALES",
  pk_table_name: "ORDERS",
  pk_column_name: "ID",
  fk_database_name: "SHOP",
  fk_schema_name: "my schema",
  fk_table_name: "order Lines",
  fk_column_name: "ORDER_ID",
  key_sequence: "1",
  fk_name: "FK",
});

function catalog(sql: string): SnowflakeAnswer {
  if (sql.includes(".TABLES")) return tables;
  if (sql.includes(".COLUMNS")) return columns;
  if (sql.includes(".VIEWS")) return views;
  if (sql.startsWith("SHOW PRIMARY KEYS"))
    return rowsOf(key("PK", "PRODUCT", 2), key("PK", "ID", 1), key("OTHER", "X", 1, "ORDERS", "COPY"));
  if (sql.startsWith("SHOW UNIQUE KEYS")) return rowsOf(key("U", "Note", 1));
  return sql.includes('"SALES"') ? rowsOf() : imported;
}

test("the structure of Snowflake is read in three queries, and its declared keys in three", async () => {
  const { server, connection } = await openSnowflakeServer(catalog);
  const structure = await connection.readStructure(undefined);
  expect(structure.problems).toEqual([]);
  expect(structure.tables[1]).toEqual({
    schema: "SALES",
    table: "ORDERS",
    kind: "table",
    columns: [
      { name: "ID", type: "integer", nativeType: "NUMBER(38,0)", nullable: false, comment: undefined },
      { name: "PRODUCT", type: "decimal", nativeType: "NUMBER(12,2)", nullable: true, comment: "which one" },
      { name: "Note", type: "text", nativeType: "VARCHAR(80)", nullable: true, comment: undefined },
      { name: "AT", type: "timestamp", nativeType: "TIMESTAMP_NTZ(9)", nullable: true, comment: undefined },
      { name: "DOC", type: "json", nativeType: "VARIANT", nullable: true, comment: undefined },
    ],
    primaryKey: ["ID", "PRODUCT"],
    uniqueKeys: [["Note"]],
    foreignKeys: [],
    comment: "What was sold",
    estimatedRows: 3,
  });
  expect(structure.tables[0]).toMatchObject({ table: "LATEST", kind: "view", columns: [], estimatedRows: undefined });
  expect(structure.tables.map(({ reads }) => reads)).toEqual([
    [
      { schema: "SALES", table: "ORDERS" },
      { schema: "my schema", table: "order Lines" },
    ],
    undefined,
    [],
  ]);
  expect(structure.tables[2]).toMatchObject({
    schema: "my schema",
    kind: "view",
    primaryKey: [],
    foreignKeys: [{ columns: ["ORDER_ID"], references: { schema: "SALES", table: "ORDERS", columns: ["ID"] } }],
  });
  expect(server.executed.map(({ statement }) => statement.replace(/^SELECT .* FROM/, "SELECT … FROM"))).toEqual([
    `SELECT … FROM "SHOP".INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA <> 'INFORMATION_SCHEMA' ORDER BY TABLE_SCHEMA, TABLE_NAME`,
    `SELECT … FROM "SHOP".INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA <> 'INFORMATION_SCHEMA' ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`,
    `SELECT … FROM "SHOP".INFORMATION_SCHEMA.VIEWS WHERE TABLE_SCHEMA <> 'INFORMATION_SCHEMA'`,
    'SHOW PRIMARY KEYS IN DATABASE "SHOP"',
    'SHOW UNIQUE KEYS IN DATABASE "SHOP"',
    'SHOW IMPORTED KEYS IN DATABASE "SHOP"',
  ]);
});

test("a dynamic table of Snowflake shows other tables, and which ones is unknown", async () => {
  const table = { TABLE_SCHEMA: "SALES", TABLE_TYPE: "BASE TABLE", ROW_COUNT: "3", COMMENT: null };
  const rows = [
    { ...table, TABLE_NAME: "DAILY", IS_DYNAMIC: "YES" },
    { ...table, TABLE_NAME: "ORDERS", IS_DYNAMIC: "NO" },
  ];
  const { connection } = await openSnowflakeServer((sql) => (sql.includes(".TABLES") ? rowsOf(...rows) : catalog(sql)));
  const { tables: found } = await connection.readStructure(undefined);
  expect(found.map(({ kind, reads }) => [kind, reads])).toEqual([
    ["table", "unknown"],
    ["table", undefined],
  ]);
});

test("only the wanted schemas of Snowflake are asked about, and one whose keys are hidden is a problem", async () => {
  const { server, connection } = await openSnowflakeServer((sql) =>
    sql.includes("KEYS IN SCHEMA") && sql.includes('"my schema"')
      ? { error: ["003001", "SQL access control error:\nInsufficient privileges to operate on schema 'my schema'"] }
      : catalog(sql),
  );
  const { tables: found, problems } = await connection.readStructure(["SALES", "my schema"]);
  expect(found.length).toBe(3);
  expect(problems).toEqual([
    {
      schema: "my schema",
      table: "*",
      problem:
        "The keys of my schema cannot be read: SQL access control error: Insufficient privileges to operate on schema 'my schema'.",
    },
  ]);
  const sent = server.executed.map(({ statement }) => statement);
  expect(sent[0]).toContain("TABLE_SCHEMA IN ('SALES', 'my schema')");
  expect(sent.slice(2)).toContain('SHOW PRIMARY KEYS IN SCHEMA "SHOP"."SALES"');
  expect(sent.length).toBe(9);
});

test("a database of Snowflake whose keys SHOW does not list completely is asked for each schema", async () => {
  const many = rowsOf(...Array.from({ length: 10_000 }, (_, index) => key(`K${index}`, "ID", 1, `T${index}`)));
  const { connection } = await openSnowflakeServer((sql) => {
    if (sql.startsWith("SHOW PRIMARY KEYS IN DATABASE")) return many;
    return sql.startsWith("SHOW") && sql.includes('"my schema"') ? rowsOf() : catalog(sql);
  });
  const { tables: found } = await connection.readStructure(undefined);
  expect(found[1]?.primaryKey).toEqual(["ID", "PRODUCT"]);
});

test("a database of Snowflake without tables asks for nothing more", async () => {
  const { server, connection } = await openSnowflakeServer(() => rowsOf());
  expect(await connection.readStructure([])).toEqual({ tables: [], problems: [] });
  expect(server.executed.length).toBe(1);
});

test("tables of Snowflake are marked by their last change and size, and other kinds have no mark", async () => {
  const mark = (name: string, more: Readonly<Record<string, string | null>> = {}) => ({
    TABLE_SCHEMA: "SALES",
    TABLE_NAME: name,
    LAST_ALTERED: "1700000000.123000000",
    ROW_COUNT: "3",
    BYTES: "1024",
    IS_DYNAMIC: "NO",
    IS_ICEBERG: "NO",
    ...more,
  });
  const { server, connection } = await openSnowflakeServer(() =>
    rowsOf(mark("ORDERS"), mark("FRESH", { IS_DYNAMIC: "YES" }), mark("LAKE", { IS_ICEBERG: "YES" })),
  );
  const names = ["ORDERS", "FRESH", "LAKE", "LATEST", "orders"].map((table) => ({ schema: "SALES", table }));
  expect(await connection.readChangeMarks(names)).toEqual([
    "1700000000.123000000 3 1024",
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(server.executed.length).toBe(1);
  expect(await connection.readChangeMarks([])).toEqual([]);
  const { connection: refused } = await openSnowflakeServer(() => ({ error: ["003001", "Insufficient privileges."] }));
  expect(await refused.readChangeMarks(names.slice(0, 1))).toEqual([undefined]);
});

const who = (secondary: string) => rowsOf({ role: "READER", secondary, user: "READER" });
const none = '{"roles":"","value":""}';

function grants(byRole: Readonly<Record<string, readonly string[]>>, secondary = none) {
  return (sql: string): SnowflakeAnswer => {
    if (sql.startsWith("SELECT")) return who(secondary);
    const role = /TO (.*)$/.exec(sql)?.[1] ?? "";
    const found = byRole[role];
    if (found === undefined) return { error: ["003001", "Insufficient privileges."] };
    return rowsOf(
      ...found.map((grant) => {
        const [privilege = "", granted_on = "", name = ""] = grant.split("|");
        return { created_on: "2024-01-01", privilege, granted_on, name };
      }),
    );
  };
}

async function accountOf(answer: (sql: string) => SnowflakeAnswer) {
  const { connection } = await openSnowflakeServer(answer);
  const findings = await connection.inspectSafety();
  expect(findings.map(({ layer, ok }) => [layer, ok]).slice(0, 2)).toEqual([
    ["parser", true],
    ["session", false],
  ]);
  return findings[2];
}

test("a role of Snowflake that can only read is found safe, with the roles that it was granted", async () => {
  const reading = ["USAGE|DATABASE|SHOP", "USAGE|WAREHOUSE|READING", "SELECT|TABLE|SHOP.SALES.ORDERS"];
  const account = await accountOf(
    grants({
      'ROLE "READER"': [...reading, "USAGE|ROLE|Base Role", "USAGE|DATABASE_ROLE|SHOP.VIEWER"],
      'ROLE "Base Role"': ["REFERENCES|VIEW|SHOP.SALES.LATEST"],
      'DATABASE ROLE "SHOP"."VIEWER"': ["SELECT|VIEW|SHOP.SALES.LATEST"],
      'ROLE "PUBLIC"': [],
    }),
  );
  expect(account).toEqual({ layer: "account", ok: true, message: "The role READER can only read." });
});

test("a role of Snowflake that could write, by itself or by another one, is warned about", async () => {
  const account = await accountOf(
    grants({
      'ROLE "READER"': ["USAGE|ROLE|WRITER"],
      'ROLE "WRITER"': ["INSERT|TABLE|SHOP.SALES.ORDERS", "USAGE|PROCEDURE|P", "USAGE|ROLE|READER"],
      'ROLE "PUBLIC"': [],
    }),
  );
  expect(account).toEqual({
    layer: "account",
    ok: false,
    message: "The role READER has INSERT on TABLE, USAGE on PROCEDURE; use one that has only USAGE and SELECT.",
  });
});

test("secondary roles of Snowflake, and roles that cannot be read, are warned about", async () => {
  const roles = { 'ROLE "READER"': [], 'ROLE "PUBLIC"': [] };
  expect(await accountOf(grants(roles, '{"roles":"WRITER","value":"ALL"}'))).toMatchObject({
    ok: false,
    message: expect.stringContaining("Run ALTER USER … SET DEFAULT_SECONDARY_ROLES = ()."),
  });
  expect(await accountOf(grants({ 'ROLE "PUBLIC"': [] }))).toMatchObject({
    ok: false,
    message: 'What the ROLE "READER" may do cannot be read. Check that READER can only read.',
  });
});
