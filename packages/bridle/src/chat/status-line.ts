/** What stands below the input. Pure. */
import { addCost, addUsage, formatCost, formatCount, formatDuration, totalTokens } from "@bridle/protocol";
import type { ChatView, WindowState } from "./view.ts";

/** The parts of it, the most wanted first: a narrow terminal has room for the first ones only. */
export function statusParts({ session, totals, current, model, window }: ChatView, backend: string): string[] {
  const tokens = totalTokens(addUsage(totals.usage, current.usage));
  const cost = addCost(totals.cost, current.cost);
  return [
    ...(window ? [windowText(window)] : []),
    `${formatCount(tokens)} tokens`,
    ...(cost === undefined ? [] : [formatCost(cost)]),
    `${backend}${model === undefined ? "" : ` ${model}`}`,
    session,
  ];
}

function windowText({ window, state, utilization, resetsAt }: WindowState): string {
  const used = state === "used up" ? "used up" : utilization === undefined ? "nearly used up" : percent(utilization);
  const until = resetsAt === undefined ? "" : ` until ${new Date(resetsAt).toTimeString().slice(0, 5)}`;
  return `${window} ${used}${until}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} % used`;
}

/** What is going on, in the line above the input; nothing while nothing is. `now` in milliseconds since the epoch. */
export function workingText({ run, calls, questions }: ChatView, now: number): string | undefined {
  if (run === undefined || questions.length > 0) return undefined;
  if (run.isStopping) return "stopping";
  const open = Object.values(calls);
  const what = open.map(({ tool, startedAt }) => `${tool} ${whole(now - startedAt)}`).join(", ");
  return `${what === "" ? `working ${whole(now - run.startedAt)}` : what} · Esc stops`;
}

/** In whole seconds: it is told once a second. */
function whole(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000);
}
