import type { JoinFacts } from "../facts/facts.ts";
import { type JoinDecision, joinIdOf } from "../files/table-notes.ts";
import { describeCounts, isUniqueIn, joinOf } from "./join-ends.ts";
import { checkSupport } from "./join-support.ts";
import type { ScannedTable, WarehouseChecks } from "./warehouse-checks.ts";

/**
 * Judges a join that a model accepted or proposed earlier, and that a file keeps. Each scan checks it against the data again. Returns
 * undefined if the join is accepted even without the model, or if the data do not support a proposal.
 */
export async function judgeKept(
  { from, to, status: kept, relationship, condition }: JoinDecision,
  tables: ReadonlyMap<string, ScannedTable>,
  joins: ReadonlyMap<string, JoinFacts>,
  checks: WarehouseChecks,
): Promise<JoinFacts | undefined> {
  const known = joins.get(joinIdOf(from, to));
  if (known?.status === "accepted") return undefined;
  const support = await checkSupport(from, to, checks);
  const isContradicted = support.kind === "contradicted" || (support.kind === "supported" && !isUniqueIn(tables, to));
  if (kept === "proposed" && (isContradicted || support.kind === "unknown")) return undefined;
  const isFree = !hasOther(from, joins);
  const status = kept === "accepted" && isFree && !isContradicted ? "accepted" : "review";
  return {
    ...joinOf(from, to, tables),
    origin: "model",
    status,
    score: isContradicted ? 0.2 : 0.7,
    ...(relationship && { relationship }),
    ...(condition === undefined ? {} : { condition }),
    ...describeCounts(support.counts, [isContradicted ? "no longer supported" : "proposed by a model"]),
  };
}

function hasOther({ table, columns }: JoinFacts["from"], joins: ReadonlyMap<string, JoinFacts>): boolean {
  const name = columns.join("\0");
  return [...joins.values()].some(
    ({ from, status }) => status === "accepted" && from.table === table && from.columns.join("\0") === name,
  );
}
