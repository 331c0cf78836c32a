import type { JoinFacts } from "../facts/facts.ts";
import { joinIdOf } from "../files/table-notes.ts";
import { describeCounts, hasEnds, isUniqueIn, joinOf } from "./join-ends.ts";
import { checkSupport, describeSupport } from "./join-support.ts";
import type { JoinProposal } from "./scan-options.ts";
import type { ScannedTable, WarehouseChecks } from "./warehouse-checks.ts";

/**
 * The minimum share of supported proposals, after adding one supported and one other, at which a model is trusted. A trusted model's
 * proposals decide between joins that the data allow.
 */
const trustworthy = 0.8;

/** The result of judging a proposal. */
export interface JudgedProposal {
  readonly proposal: JoinProposal;
  /** The id of the join. */
  readonly id: string;
  /** `known`: the join was accepted before. `review`: the data support the join, and the user decides. */
  readonly outcome: "accepted" | "review" | "known" | "refuted";
  /** The evidence in the data, as one sentence. */
  readonly reason: string;
  /** The join, if it was accepted or has to be reviewed. */
  readonly join?: JoinFacts | undefined;
}

/**
 * Judges proposals by the data. If nearly all proposals of a model are supported, accepts the supported ones; if not, lists them for
 * review. A model that guesses makes many proposals that the data contradict, so none of its proposals is accepted. A proposal never
 * replaces an accepted join of the same columns, or a join that a user rejected.
 */
export async function judgeProposals(
  proposals: readonly JoinProposal[],
  tables: ReadonlyMap<string, ScannedTable>,
  joins: ReadonlyMap<string, JoinFacts>,
  checks: WarehouseChecks,
): Promise<readonly JudgedProposal[]> {
  const judged: JudgedProposal[] = [];
  const taken = new Set([...joins.values()].filter(({ status }) => status === "accepted").map(childOf));
  for (const own of Map.groupBy(proposals, ({ model }) => model).values()) {
    const checked: CheckedProposal[] = [];
    for (const proposal of withoutRepeated(own)) checked.push(await check(proposal, tables, joins, checks));
    const supported = checked.filter(({ isSupported }) => isSupported).length;
    const isTrusted = (supported + 1) / (checked.length + 2) >= trustworthy;
    for (const each of checked) {
      const verdict = decide(each, isTrusted, taken);
      if (verdict.outcome === "accepted") taken.add(childOf(each.proposal));
      judged.push({ proposal: each.proposal, id: each.id, ...verdict });
    }
  }
  return judged;
}

interface CheckedProposal {
  readonly proposal: JoinProposal;
  readonly id: string;
  readonly isSupported: boolean;
  readonly reason: string;
  readonly known: JoinFacts | undefined;
  /** The proposed join. Missing if its tables or columns do not exist. */
  readonly join?: Omit<JoinFacts, "status"> | undefined;
}

async function check(
  proposal: JoinProposal,
  tables: ReadonlyMap<string, ScannedTable>,
  joins: ReadonlyMap<string, JoinFacts>,
  checks: WarehouseChecks,
): Promise<CheckedProposal> {
  const { from, to } = proposal;
  const id = joinIdOf(from, to);
  const known = joins.get(id);
  const refuse = (reason: string) => ({ proposal, id, known, isSupported: false, reason });
  if (!hasEnds(tables, from, to)) return refuse("It names a table or column that the scan did not find.");
  if (childOf({ from }) === childOf({ from: to })) return refuse("Both ends are the same columns.");
  if (known?.status === "rejected") return refuse("It was rejected by a person.");
  if (!isUniqueIn(tables, to)) return refuse("The columns of the second table do not identify its rows.");
  const support = await checkSupport(from, to, checks);
  const reason = describeSupport(support);
  if (support.kind !== "supported") return refuse(reason);
  return { proposal, id, known, isSupported: true, reason, join: toJoin(proposal, support.counts, known, tables) };
}

function decide(
  { isSupported, join, known, reason, proposal }: CheckedProposal,
  isTrusted: boolean,
  taken: ReadonlySet<string>,
): Pick<JudgedProposal, "outcome" | "reason" | "join"> {
  if (known?.status === "accepted") return { outcome: "known", reason: "It is accepted already." };
  if (!isSupported || join === undefined) return { outcome: "refuted", reason };
  const review = (why: string) =>
    ({ outcome: "review", reason: `${reason} ${why}`, join: { ...join, status: "review" } }) as const;
  if (taken.has(childOf(proposal))) return review("These columns have another accepted join.");
  if (!isTrusted) return review("Too few proposals of this model are supported to accept it without a person.");
  return { outcome: "accepted", reason, join: { ...join, status: "accepted" } };
}

/** Removes repeated proposals: a model that repeats correct ones is not more trustworthy. */
function withoutRepeated(proposals: readonly JoinProposal[]): readonly JoinProposal[] {
  return [...new Map(proposals.map((each) => [joinIdOf(each.from, each.to), each])).values()];
}

function toJoin(
  { from, to, model }: JoinProposal,
  counts: Parameters<typeof describeCounts>[0],
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
