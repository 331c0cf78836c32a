import type { TableStructure } from "@bridle/warehouse";
import type { JoinFacts, KeyFacts } from "../facts/facts.ts";
import type { FactsDatabase } from "../facts/open-facts.ts";
import { findJoins } from "../joins/find-joins.ts";
import { JoinSteps } from "../joins/join-steps.ts";
import { decodeMeasurement } from "../profiles/stored-profile.ts";
import { collectJoins, keyOfTable } from "./collect-joins.ts";
import { findConditionalJoins } from "./conditional-joins.ts";
import type { ScanOptions } from "./scan-options.ts";
import type { ProgressReporter } from "./scan-progress.ts";
import type { ScanSession } from "./scan-session.ts";
import { type ScannedTable, WarehouseChecks } from "./warehouse-checks.ts";

/** The facts that follow from the measurements of all tables together. */
export interface FoundFacts {
  readonly keys: ReadonlyMap<string, KeyFacts>;
  readonly joins: readonly JoinFacts[];
  /** The questions that were asked, or answered by an earlier scan. */
  readonly asked: ReadonlySet<string>;
  readonly missing: readonly string[];
}

/** A table and the fingerprint of its stored measurement, if it has one. */
interface StoredTable {
  readonly structure: TableStructure;
  readonly id: string;
  readonly fingerprint: string;
}

const phases = { compare: "columns", score: "scores", check: "links" } as const;

export async function findTableJoins(
  stored: readonly StoredTable[],
  session: ScanSession,
  facts: FactsDatabase,
  { decisions = [], proposals = [] }: ScanOptions,
  progress: ProgressReporter,
): Promise<FoundFacts> {
  await session.rest();
  const steps = new JoinSteps((part, done, total) => {
    if (done === 0) void session.rest();
    progress.update(phases[part], done, total);
    session.throwIfStopped();
  });
  const tables = await loadTables(stored, facts, steps);
  const checks = new WarehouseChecks(tables, session, facts);
  const profiles = Array.from(tables.values(), ({ measurement }) => measurement.profile);
  const found = await findJoins(profiles, checks, steps);
  progress.update("joins", checks.asked.size);
  checks.onAnswer = (answers) => progress.update("joins", answers);
  const byTable = new Map(found.keys.map((key) => [key.table, key]));
  const keys = new Map<string, KeyFacts>();
  for (const table of tables.values()) {
    const key = await keyOfTable(table, byTable.get(table.id), checks);
    if (key !== undefined) keys.set(table.id, key);
  }
  const sources = { found, decisions, proposals };
  const conditional = (known: readonly JoinFacts[]) => findConditionalJoins(tables, keys, known, facts, checks);
  const joins = await collectJoins(session.warehouse.name, tables, { ...sources, conditional }, checks);
  return { keys, joins, asked: checks.asked, missing: [...describeFailures(checks), ...describeUncounted(checks)] };
}

/** The size of a schema above which the sketches of columns that are not keys are cut, so that all sketches fit in memory. */
const largeSchema = 5_000;
const cutSketch = 128;

async function loadTables(
  stored: readonly StoredTable[],
  facts: FactsDatabase,
  steps: JoinSteps,
): Promise<ReadonlyMap<string, ScannedTable>> {
  const large = stored.reduce((sum, { structure }) => sum + structure.columns.length, 0) > largeSchema;
  const tables = new Map<string, ScannedTable>();
  for (const { structure, id, fingerprint } of stored) {
    const pause = steps.pause();
    if (pause !== undefined) await pause;
    const max = large ? cutSketch : undefined;
    const measurement = facts.stored.measurement(id, fingerprint, (bytes) => decodeMeasurement(id, bytes, max));
    if (measurement !== undefined) tables.set(id, { structure, id, fingerprint, measurement });
  }
  return tables;
}

function describeFailures({ failed }: WarehouseChecks): readonly string[] {
  const [first] = failed;
  if (first === undefined) return [];
  const others = failed.length === 1 ? "" : ` and ${failed.length - 1} others`;
  return [`It could not be checked whether ${first.question}${others} is a join: ${first.problem}`];
}

function describeUncounted({ uncounted }: WarehouseChecks): readonly string[] {
  const [first] = uncounted;
  if (first === undefined) return [];
  const others = uncounted.length === 1 ? "" : ` and ${uncounted.length - 1} others`;
  return [`It could not be counted whether ${first.end}${others} is unique: ${first.problem}`];
}
