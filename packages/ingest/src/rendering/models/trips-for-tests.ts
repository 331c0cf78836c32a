/** A scanned SQLite warehouse of bike trips. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenedContext, openContext } from "@bridle/context";
import { openDatabase } from "@bridle/core";
import { silentLogger } from "@bridle/protocol";
import { openWarehouse } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";

const schema = `
  CREATE TABLE riders (id INTEGER PRIMARY KEY, city TEXT);
  CREATE TABLE trips (id INTEGER PRIMARY KEY, rider_id INTEGER, status TEXT, minutes INTEGER, started_at TEXT);
  CREATE TABLE fares (id INTEGER PRIMARY KEY, trip_id INTEGER, amount_cents INTEGER);
  INSERT INTO riders VALUES (1, 'Porto'), (2, 'Lisbon');
  INSERT INTO trips VALUES (1, 1, 'completed', 12, '2026-01-01'), (2, 1, 'cancelled', 0, '2026-01-02'), (3, 2, 'completed', 30, '2026-02-01');
  INSERT INTO fares VALUES (1, 1, 250), (2, 3, 600);`;

export interface TripsForTests {
  readonly projectDir: string;
  readonly context: OpenedContext;
  close(): Promise<void>;
}

/** Opens a project with one connection `w`. */
export async function openTrips(): Promise<TripsForTests> {
  const projectDir = mkdtempSync(join(tmpdir(), "bridle-trips-"));
  const database = openDatabase(join(projectDir, "trips.db"));
  database.exec(schema);
  database.close();
  const [connector] = connectors;
  const shared = { projectDir, environment: {}, logger: silentLogger };
  const open = () =>
    openWarehouse({ name: "w", connector, config: { type: "sqlite", file: "trips.db" }, context: shared });
  const context = openContext({
    projectDir,
    stateDir: join(projectDir, ".bridle"),
    connections: [{ name: "w", open }],
  });
  await context.scan("w");
  return {
    projectDir,
    context,
    async close() {
      await context.close();
      rmSync(projectDir, { recursive: true, force: true });
    },
  };
}
