import type { JoinFacts } from "../facts/facts.ts";
import type { OrphanCount } from "../joins/profile.ts";
import { describeCounts, hasEnds, isUniqueIn, joinIdOf, joinOf } from "./join-ends.ts";
import type { JoinProposal } from "./scan-options.ts";
import type { ScannedTable, WarehouseChecks } from "./warehouse-checks.ts";

/** From this share of proposals that the data support, with one more of each kind, the proposals of a model decide between joins that the data allow. */
const trustworthy = 0.8;

/** A proposal is supported if at least this share of the rows has a parent. */
const supported = 0.98;

/**
 * Proposals that the data support, with status `accepted` if nearly all proposals of their model are supported, otherwise
 * `review`. A model that guesses proposes much that the data contradict, so nothing of it is accepted. A proposal never
 * replaces an accepted join of the same columns.
 */
export async function judgeProposals(
  proposals: readonly JoinProposal[],
  tables: ReadonlyMap<string, ScannedTable>,
  joins: ReadonlyMap<string, JoinFacts>,
  checks: WarehouseChecks,
): Promise<readonly JoinFacts[]> {
  const accepted: JoinFacts[] = [];
  const taken = new Set([...joins.values()].filter(({ status }) => status === "accepted").map(childOf));
  for (const [model, own] of Map.groupBy(proposals, ({ model }) => model)) {
    const judged = [];
    for (const proposal of own) judged.push({ proposal, counts: await support(proposal, tables, checks) });
    const share = (judged.filter(({ counts }) => counts !== undefined).length + 1) / (judged.length + 2);
    for (const { proposal, counts } of judged) {
      const known = joins.get(joinIdOf(proposal.from, proposal.to));
      if (counts === undefined || known?.status === "accepted") continue;
      const join = toJoin(proposal, model, counts, known, tables);
      const free = !taken.has(childOf(join));
      const status = free && share >= trustworthy ? "accepted" : "review";
      if (status === "accepted") taken.add(childOf(join));
      accepted.push({ ...join, status });
    }
  }
  return accepted;
}

/** The counts of a proposal that the data support, otherwise undefined. */
async function support(
  { from, to }: JoinProposal,
  tables: ReadonlyMap<string, ScannedTable>,
  checks: WarehouseChecks,
): Promise<OrphanCount | undefined> {
  if (!hasEnds(tables, from, to) || !isUniqueIn(tables, to)) return undefined;
  if (from.table === to.table && from.columns.join("\0") === to.columns.join("\0")) return undefined;
  const counts = await checks.countOrphans(from, to);
  return counts.filled > 0 && counts.orphans <= (1 - supported) * counts.filled ? counts : undefined;
}

function toJoin(
  { from, to }: JoinProposal,
  model: string,
  counts: OrphanCount,
  known: JoinFacts | undefined,
  tables: ReadonlyMap<string, ScannedTable>,
): Omit<JoinFacts, "status"> {
  const { evidence } = describeCounts(counts, [
    ...(known?.evidence?.signals ?? []).slice(0, 1),
    `proposed by ${model}`,
  ]);
  const score = Math.max(known?.score ?? 0, 0.7);
  return { ...joinOf(from, to, tables), origin: "model", score, ...(evidence && { evidence }) };
}

function childOf({ from }: Pick<JoinFacts, "from">): string {
  return JSON.stringify([from.table, from.columns]);
}
