import { ConfigError } from "@bridle/protocol";
import type { Warehouse } from "@bridle/warehouse";
import type { FactsDatabase } from "../facts/open-facts.ts";
import { type JoinDecision, joinIdOf } from "../files/table-notes.ts";
import { judgeJoins } from "../scan/judge-joins.ts";
import type { JudgedProposal } from "../scan/judge-proposals.ts";
import type { ScanBudget } from "../scan/scan-options.ts";
import { type ProposeJoinsOptions, proposeJoins } from "./propose-joins.ts";

/** What a program chooses: the connection, the model, and the budgets for both. */
export interface ProposalRequest extends Omit<ProposeJoinsOptions, "knowledge"> {
  /** The budget for queries to the data. Default: no limit. */
  readonly budget?: ScanBudget | undefined;
}

interface JudgedProposalsOptions extends ProposalRequest, Pick<ProposeJoinsOptions, "knowledge"> {
  readonly facts: FactsDatabase;
  readonly decisions: readonly JoinDecision[];
  openWarehouse(): Promise<Warehouse>;
  reconnect(): Promise<Warehouse>;
}

/** A model's proposal with the evidence in the data. */
export interface JudgedJoin extends JudgedProposal {
  /** The model's reason, which proves nothing. */
  readonly why: string;
}

export interface JoinProposals {
  readonly connection: string;
  readonly joins: readonly JudgedJoin[];
  readonly calls: number;
  readonly tokens: number;
  readonly queries: number;
  /** Tables without a request to the model or without a usable answer, each with the reason. */
  readonly failed: readonly { readonly table: string; readonly reason: string }[];
  /** Other missing results, in sentences. */
  readonly missing: readonly string[];
}

/**
 * Lets a model propose joins between scanned tables, and checks each against the data.
 *
 * @throws ConfigError if the connection does not exist or has not been scanned; the error of the first call if every call fails; the
 * warehouse's BridleError.
 */
export async function proposeJudgedJoins(options: JudgedProposalsOptions): Promise<JoinProposals> {
  const { connection, facts, decisions, budget, reconnect, signal } = options;
  const warehouse = await options.openWarehouse();
  if (!facts.stored.isScanned(connection)) {
    throw new ConfigError(
      `The connection ${connection} has not been scanned. Run "bridle context scan ${connection}" first.`,
    );
  }
  const { proposals, calls, tokens, failed, partial } = await proposeJoins(options);
  const { judged, queries } = await judgeJoins(warehouse, facts, { proposals, decisions, budget, reconnect, signal });
  const reasons = new Map(proposals.map(({ from, to, why }) => [joinIdOf(from, to), why]));
  const joins = judged.map((each) => ({ ...each, why: reasons.get(each.id) ?? "" }));
  const missing =
    partial === 0
      ? []
      : [
          `In ${partial} of ${calls} requests, not all keys of other tables fitted. Those with names in common came first.`,
        ];
  return { connection, joins, calls, tokens, queries, failed, missing };
}
