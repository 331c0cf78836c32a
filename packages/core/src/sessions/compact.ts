/** Compacts a history with a strategy. A summary is made by a separate run. */

import {
  type Compaction,
  type HistoryMessage,
  InvalidRequestError,
  type LoopRequest,
  omitUndefined,
} from "@bridle/protocol";
import type { StartedRun } from "../run/engine-services.ts";
import type { HistoryReplacement, RunPlan, SummaryAsker } from "../run/run-plan.ts";
import type { RunPlanner } from "../run/run-request.ts";
import { dropToolResults, makeRoomWithin, summarise } from "./compaction.ts";

export interface CompactServices {
  planner: RunPlanner;
  begin<T>(plan: RunPlan<T>): StartedRun<T>;
}

export const defaultCompaction: Compaction = "drop-tool-results";

/** Returns a shorter history, or undefined if it cannot be shortened. Rejects with a BridleError. */
export type Compact = (
  strategy: Compaction,
  whole: readonly HistoryMessage[],
  scope?: "before" | "within",
  asker?: SummaryAsker,
) => Promise<HistoryReplacement | undefined>;

/** Creates a `Compact`. `subject` is the id of the session, for errors and for the label of the run that summarizes. */
export function createCompact(
  { role, model }: Pick<LoopRequest, "role" | "model">,
  { planner, begin }: CompactServices,
  subject?: string,
): Compact {
  const binding = omitUndefined({ role, model });
  const labels = subject === undefined ? {} : { labels: { summaryOf: subject } };

  async function ask(prompt: string, asker: SummaryAsker | undefined): Promise<string> {
    const plan = planner.planText({ ...binding, ...labels, prompt, signal: asker?.signal });
    const run = begin({ ...plan, ...omitUndefined({ summaryFor: asker?.spending }) });
    const { stopReason, text, error } = await run.result;
    if (error) throw error;
    if (stopReason === "natural" && text.trim() !== "") return text;
    const what = subject === undefined ? "the conversation" : `the session ${subject}`;
    throw new InvalidRequestError(`The model did not summarize ${what}. Choose another compaction.`);
  }

  async function shortened(
    strategy: Exclude<Compaction, "none">,
    whole: readonly HistoryMessage[],
    within: boolean,
    asker: SummaryAsker | undefined,
  ) {
    if (strategy === "drop-tool-results") return within ? makeRoomWithin(whole) : dropToolResults(whole);
    const summary = await summarise(whole, (prompt) => ask(prompt, asker));
    return within ? (makeRoomWithin(summary ?? whole) ?? summary) : summary;
  }

  return async (strategy, whole, scope = "before", asker = undefined) => {
    if (strategy === "none") return undefined;
    const messages = await shortened(strategy, whole, scope === "within", asker);
    return messages && { reason: "compacted", strategy, messages };
  };
}
