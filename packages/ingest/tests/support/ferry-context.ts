/** Opens the context of a project with a real warehouse of the ferry company, and with another warehouse that agents may not read. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenedContext, openContext } from "@bridle/context";
import { openDatabase } from "@bridle/core";
import { silentLogger } from "@bridle/protocol";
import { openWarehouse } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";
import { onTestFinished } from "vitest";

const ferry = `
  CREATE TABLE vessels (id INTEGER PRIMARY KEY, name TEXT, hull_no TEXT, capacity INTEGER);
  CREATE TABLE sailings (id INTEGER PRIMARY KEY, vessel_id INTEGER, departs_at TEXT, status TEXT);
  CREATE TABLE bookings (id INTEGER PRIMARY KEY, sailing_id INTEGER, passenger_id INTEGER, amount_cents INTEGER, status TEXT);
  INSERT INTO vessels SELECT value, 'vessel ' || value, 'H' || (value % 5), 100 + value FROM generate_series(1, 12);
  INSERT INTO sailings SELECT value, 1 + value % 12, '2026-03-0' || (1 + value % 9), 'left' FROM generate_series(1, 120);
  INSERT INTO bookings SELECT value, 1 + value % 120, 1 + (value * 7) % 40, 1000 + value, 'boarded' FROM generate_series(1, 412);`;

const salaries = `
  CREATE TABLE salaries (id INTEGER PRIMARY KEY, amount_gross INTEGER);
  INSERT INTO salaries VALUES (1, 5000);`;

export async function openFerryContext(): Promise<OpenedContext> {
  const projectDir = mkdtempSync(join(tmpdir(), "bridle-ferry-"));
  for (const [name, schema] of [
    ["ferry", ferry],
    ["hr", salaries],
  ] as const) {
    const database = openDatabase(join(projectDir, `${name}.db`));
    database.exec(withNumbers(schema));
    database.close();
  }
  const [connector] = connectors;
  const connection = (name: string) => ({
    name,
    open: () => {
      const context = { projectDir, environment: {}, logger: silentLogger };
      return openWarehouse({ name, connector, config: { type: "sqlite", file: `${name}.db` }, context });
    },
  });
  const stateDir = join(projectDir, ".bridle");
  const context = openContext({ projectDir, stateDir, connections: [connection("ferry"), connection("hr")] });
  onTestFinished(async () => {
    await context.close();
    rmSync(projectDir, { recursive: true, force: true });
  });
  for (const name of ["ferry", "hr"]) await context.scan(name);
  return context;
}

/** Replaces `generate_series`, which this SQLite does not have. */
function withNumbers(schema: string): string {
  const series = (from: string, to: string) =>
    `(WITH RECURSIVE n(value) AS (SELECT ${from} UNION ALL SELECT value + 1 FROM n WHERE value < ${to}) SELECT value FROM n)`;
  return schema.replaceAll(/generate_series\((\d+), (\d+)\)/g, (_, from: string, to: string) => series(from, to));
}
