import type { Warehouse } from "@bridle/warehouse";
import type { JoinFacts } from "../facts/facts.ts";
import { formatTableId } from "../facts/identifiers.ts";
import type { FactsDatabase } from "../facts/open-facts.ts";
import { joinIdOf } from "../files/table-notes.ts";
import { decodeMeasurement } from "../profiles/stored-profile.ts";
import { type JudgedProposal, judgeProposals } from "./judge-proposals.ts";
import type { ScanOptions } from "./scan-options.ts";
import { ScanSession } from "./scan-session.ts";
import { type ScannedTable, WarehouseChecks } from "./warehouse-checks.ts";

export interface JudgedJoins {
  readonly judged: readonly JudgedProposal[];
  readonly queries: number;
}

/**
 * Checks proposals against the data, as a scan would, and changes no fact. Uses the tables of the last scan.
 *
 * @throws NetworkError if the connection was lost; StoppedError if `signal` was aborted.
 */
export async function judgeJoins(
  warehouse: Warehouse,
  facts: FactsDatabase,
  options: Pick<ScanOptions, "proposals" | "decisions" | "budget" | "reconnect" | "signal">,
): Promise<JudgedJoins> {
  const { proposals = [], decisions = [], signal } = options;
  if (proposals.length === 0) return { judged: [], queries: 0 };
  const session = new ScanSession(warehouse, options);
  session.check();
  const { tables: structures } = await warehouse.readStructure({ signal });
  const committed = facts.stored.committed(warehouse.name);
  const named = new Set(proposals.flatMap(({ from, to }) => [from.table, to.table]));
  const tables = new Map<string, ScannedTable>();
  for (const structure of structures) {
    const id = formatTableId({ connection: warehouse.name, ...structure });
    const fingerprint = committed.get(id)?.fingerprint;
    if (fingerprint === undefined || !named.has(id)) continue;
    const measurement = facts.stored.measurement(id, fingerprint, (bytes) => decodeMeasurement(id, bytes));
    if (measurement !== undefined) tables.set(id, { structure, id, fingerprint, measurement });
  }
  const joins = new Map(facts.stored.joins(warehouse.name).map((join) => [join.id, join]));
  for (const { from, to, status } of decisions) {
    const known = joins.get(joinIdOf(from, to));
    if (status === "proposed") continue;
    const decided: JoinFacts = { ...blank, ...known, id: joinIdOf(from, to), from, to, status };
    joins.set(decided.id, decided);
  }
  const checks = new WarehouseChecks(tables, session, facts);
  return { judged: await judgeProposals(proposals, tables, joins, checks), queries: session.queries };
}

/** The facts of a join that a file decides about but no scan has seen. */
const blank = { origin: "person", score: 1, relationship: "unknown" } as const;
