/** Formats the line below the input. Pure. */

import type { ChatView, WindowState } from "@bridle/app/chat";
import {
  addCost,
  addUsage,
  formatCount,
  formatDuration,
  listCost,
  noNestedTotals,
  totalTokens,
} from "@bridle/protocol";

/** Returns the parts of the line, the most important first. A narrow terminal shows only the first ones. */
export function statusParts(
  { session, totals, current, model, window, isRehearsed }: ChatView,
  backend: string,
): string[] {
  const { nested = noNestedTotals } = totals;
  const tokens = totalTokens(addUsage(addUsage(totals.usage, nested.usage), current.usage));
  const cost = addCost(addCost(totals.cost, nested.cost), current.cost);
  return [
    ...(isRehearsed ? ["rehearsed"] : []),
    ...(window ? [formatWindow(window)] : []),
    `${formatCount(tokens)} tokens`,
    ...listCost(cost),
    `${backend}${model === undefined ? "" : ` ${model}`}`,
    session,
  ];
}

function formatWindow({ window, state, utilization, resetsAt }: WindowState): string {
  const used = state === "used up" ? "used up" : utilization === undefined ? "nearly used up" : formatUsed(utilization);
  const until = resetsAt === undefined ? "" : ` until ${new Date(resetsAt).toTimeString().slice(0, 5)}`;
  return `${window} ${used}${until}`;
}

function formatUsed(share: number): string {
  return `${Math.round(share * 100)} % used`;
}

/** Formats the line above the input during a run: the calls and their duration. `now` is in milliseconds since the epoch. */
export function formatWorking({ run, calls, questions }: ChatView, now: number): string | undefined {
  if (run === undefined || questions.length > 0) return undefined;
  if (run.isStopping) return "stopping";
  const open = Object.values(calls);
  const what = open.map(({ tool, startedAt }) => `${tool} ${formatSeconds(now - startedAt)}`).join(", ");
  return `${what === "" ? `working ${formatSeconds(now - run.startedAt)}` : what} · Esc stops`;
}

/** Formats a duration in whole seconds, because the line changes once a second. */
function formatSeconds(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000);
}
