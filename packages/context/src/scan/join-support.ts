import { formatCount } from "@bridle/protocol";
import type { JoinEnd } from "../facts/facts.ts";
import type { OrphanCount } from "../joins/profile.ts";
import type { WarehouseChecks } from "./warehouse-checks.ts";

/** A join is supported if at least this share of the rows with a value has a parent. */
const supportedShare = 0.98;

/** The evidence in the data for a join with a unique second end. */
export interface JoinSupport {
  /** `unknown` if no row has a value to compare, or the query failed. */
  readonly kind: "supported" | "contradicted" | "unknown";
  readonly counts: OrphanCount;
  /** Why the query failed. */
  readonly problem?: string | undefined;
}

/** Counts the rows without a parent, with one query. */
export async function checkSupport(from: JoinEnd, to: JoinEnd, checks: WarehouseChecks): Promise<JoinSupport> {
  const before = checks.failed.length;
  const counts = await checks.countOrphans(from, to);
  const problem = checks.failed[before]?.problem;
  if (counts.filled === 0) return { kind: "unknown", counts, problem };
  const isSupported = counts.orphans <= (1 - supportedShare) * counts.filled;
  return { kind: isSupported ? "supported" : "contradicted", counts };
}

/** Describes the counts in one sentence, without a value. */
export function describeSupport({ kind, counts, problem }: JoinSupport): string {
  if (problem !== undefined) return `It could not be checked: ${problem}`;
  const { filled, orphans } = counts;
  if (kind === "unknown") return "No row has a value, so nothing supports it.";
  if (orphans === 0) return `All ${formatCount(filled)} rows with a value have a parent.`;
  return `${formatCount(orphans)} of ${formatCount(filled)} rows with a value have no parent.`;
}
