import type { Fixture, FixtureTable } from "./fixture.ts";

/** Returns the table's name in the engine: in a schema for its area, or with the area as a prefix. */
export interface PlacedTable {
  readonly schema: string;
  readonly table: string;
}

export function placeOf({ area, name }: FixtureTable, hasSchemas: boolean): PlacedTable {
  return hasSchemas ? { schema: area, table: name } : { schema: "main", table: `${area}_${name}` };
}

/** Returns the name as statements contain it. */
export function nameOf(table: FixtureTable, hasSchemas: boolean): string {
  const place = placeOf(table, hasSchemas);
  return hasSchemas ? `${place.schema}.${place.table}` : place.table;
}

/** Returns the statements that create and fill the warehouse. */
export function* fixtureStatements({ tables }: Fixture, hasSchemas: boolean): Generator<string> {
  const max = Math.max(...tables.map(({ rows }) => rows));
  if (hasSchemas) for (const area of new Set(tables.map((table) => table.area))) yield `CREATE SCHEMA ${area}`;
  yield "CREATE TABLE fixture_numbers (n INTEGER)";
  yield `INSERT INTO fixture_numbers WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${max}) SELECT n FROM c`;
  for (const table of tables) {
    const name = nameOf(table, hasSchemas);
    yield `CREATE TABLE ${name} (${table.columns.map((column) => `${column.name} ${column.type}`).join(", ")})`;
    const values = table.columns.map(({ type, value }) =>
      type === "DATE" && hasSchemas ? `CAST(${value} AS DATE)` : value,
    );
    yield `INSERT INTO ${name} SELECT ${values.join(", ")} FROM fixture_numbers WHERE n <= ${table.rows}`;
  }
  yield "DROP TABLE fixture_numbers";
}
