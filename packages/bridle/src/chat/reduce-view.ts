/** How an event changes what a chat shows. Pure. */
import {
  addCost,
  addToTotals,
  addUsage,
  type Cost,
  type RunEvent,
  reduceTranscript,
  type Usage,
} from "@bridle/protocol";
import { type ChatView, nothingYet, type WindowState } from "./view.ts";

/** Folds an event of the session's run in progress. */
export function reduceView(view: ChatView, event: RunEvent): ChatView {
  const next = {
    ...view,
    transcript: reduceTranscript(view.transcript, event),
    totals: addToTotals(view.totals, event),
  };
  switch (event.type) {
    case "model.input":
      return withoutSending(next);
    case "step.started":
      return event.model === undefined ? next : { ...next, model: event.model };
    case "tool.started":
      return {
        ...next,
        calls: { ...view.calls, [event.callId]: { tool: toolOf(next, event.callId), startedAt: event.time } },
      };
    case "tool.finished":
    case "tool.denied":
      return { ...next, calls: omit(view.calls, event.callId) };
    case "usage.reported":
      return { ...next, current: addReport(view.current, event) };
    case "run.started":
      return { ...next, current: nothingYet, model: view.model ?? event.model };
    case "run.finished":
      return { ...withoutRun(next), current: nothingYet };
    default:
      return reduceWindow(next, event);
  }
}

function reduceWindow(view: ChatView, event: RunEvent): ChatView {
  switch (event.type) {
    case "limit.warned":
      return { ...view, window: windowOf(event, "warned") };
    case "limit.reached":
    case "limit.waiting":
      return { ...view, window: windowOf(event, "used up") };
    case "limit.cleared":
      return withoutWindow(view);
    default:
      return view;
  }
}

function windowOf(
  {
    window,
    resetsAt,
    utilization,
  }: { window: string; resetsAt?: number | undefined; utilization?: number | undefined },
  state: WindowState["state"],
): WindowState {
  return {
    window,
    state,
    ...(utilization !== undefined && { utilization }),
    ...(resetsAt !== undefined && { resetsAt }),
  };
}

function toolOf({ transcript: { entries } }: ChatView, callId: string): string {
  const entry = entries.findLast((each) => each.kind === "tool" && each.callId === callId);
  return entry?.kind === "tool" ? entry.tool : "tool";
}

function addReport(current: ChatView["current"], { usage, cost }: { usage: Usage; cost?: Cost | undefined }) {
  const sum = addCost(current.cost, cost);
  return { usage: addUsage(current.usage, usage), ...(sum && { cost: sum }) };
}

function omit<T>(record: Readonly<Record<string, T>>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

function withoutSending({ sending: _gone, ...view }: ChatView): ChatView {
  return view;
}

/** Nothing is in progress any more. */
export function withoutRun({ run: _gone, ...view }: ChatView): ChatView {
  return { ...view, calls: {} };
}

function withoutWindow({ window: _gone, ...view }: ChatView): ChatView {
  return view;
}
