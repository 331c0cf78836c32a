/** Makes a history shorter by a strategy; where a model has to be asked, in a run of its own. */

import { type Compaction, type HistoryMessage, InvalidRequestError, type LoopRequest } from "@bridle/protocol";
import type { StartedRun } from "../run/engine.ts";
import type { HistoryReplacement, RunPlan } from "../run/run-plan.ts";
import type { Planner } from "../run/run-request.ts";
import { dropToolResults, makeRoomWithin, summarise } from "./compaction.ts";

export interface CondenseServices {
  planner: Planner;
  begin(plan: RunPlan): StartedRun;
}

export const defaultCompaction: Compaction = "drop-tool-results";

/** A shorter history, or undefined where none is to be had. Rejects with a BridleError. */
export type Condense = (
  strategy: Compaction,
  whole: readonly HistoryMessage[],
  place?: "before" | "within",
) => Promise<HistoryReplacement | undefined>;

/** `subject` is whose history it is, for errors and for the label of the run that asks. */
export function createCondense(
  { role, model }: Pick<LoopRequest, "role" | "model">,
  { planner, begin }: CondenseServices,
  subject?: string,
): Condense {
  const of = { ...(role === undefined ? {} : { role }), ...(model === undefined ? {} : { model }) };
  const labels = subject === undefined ? {} : { labels: { summaryOf: subject } };

  async function ask(prompt: string): Promise<string> {
    const run = begin(planner.planText({ ...of, ...labels, prompt }));
    const { stopReason, text, error } = await run.result;
    if (error) throw error;
    if (stopReason === "natural" && text.trim() !== "") return text;
    const what = subject === undefined ? "the conversation" : `the session ${subject}`;
    throw new InvalidRequestError(`The model did not condense ${what}. Choose another compaction.`);
  }

  async function shorten(strategy: Exclude<Compaction, "none">, whole: readonly HistoryMessage[], within: boolean) {
    if (strategy === "drop-tool-results") return within ? makeRoomWithin(whole) : dropToolResults(whole);
    const summary = await summarise(whole, ask);
    return within ? (makeRoomWithin(summary ?? whole) ?? summary) : summary;
  }

  return async (strategy, whole, place = "before") => {
    if (strategy === "none") return undefined;
    const messages = await shorten(strategy, whole, place === "within");
    return messages && { reason: "compacted", strategy, messages };
  };
}
