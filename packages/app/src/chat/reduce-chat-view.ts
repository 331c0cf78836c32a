/** Computes the view of a chat from events. Pure. */
import { addCost, addToTotals, addUsage, type EventOf, type RunEvent, reduceTranscript } from "@bridle/protocol";
import { type ChatView, noCurrentUsage, type WindowState } from "./chat-view.ts";

/** Adds an event of the session's run in progress to the view. */
export function reduceChatView(view: ChatView, event: RunEvent): ChatView {
  const next: ChatView = {
    ...view,
    transcript: reduceTranscript(view.transcript, event),
    totals: addToTotals(view.totals, event),
  };
  switch (event.type) {
    case "model.input":
      return { ...next, sending: undefined };
    case "step.started":
      return event.model === undefined ? next : { ...next, model: event.model };
    case "tool.started": {
      const call = { tool: toolName(next, event.callId), startedAt: event.time };
      return { ...next, calls: { ...view.calls, [event.callId]: call } };
    }
    case "tool.finished":
    case "tool.denied":
      return { ...next, calls: omitKey(view.calls, event.callId) };
    case "usage.reported":
      return { ...next, current: addReport(view.current, event) };
    case "run.started":
      return { ...next, current: noCurrentUsage, model: view.model ?? event.model };
    case "run.finished":
      return { ...endRun(next), current: noCurrentUsage };
    default:
      return reduceWindow(next, event);
  }
}

function reduceWindow(view: ChatView, event: RunEvent): ChatView {
  switch (event.type) {
    case "limit.warned":
      return { ...view, window: windowState(event, "warned") };
    case "limit.reached":
    case "limit.waiting":
      return { ...view, window: windowState(event, "used up") };
    case "limit.cleared":
      return { ...view, window: undefined };
    default:
      return view;
  }
}

function windowState(
  { window, resetsAt, utilization }: Omit<WindowState, "state">,
  state: WindowState["state"],
): WindowState {
  return { window, state, utilization, resetsAt };
}

function toolName({ transcript: { entries } }: ChatView, callId: string): string {
  const entry = entries.findLast((each) => each.kind === "tool" && each.callId === callId);
  return entry?.kind === "tool" ? entry.tool : "tool";
}

function addReport(current: ChatView["current"], { usage, cost }: EventOf<"usage.reported">): ChatView["current"] {
  return { usage: addUsage(current.usage, usage), cost: addCost(current.cost, cost) };
}

function omitKey<T>(values: Readonly<Record<string, T>>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== key));
}

/** Removes the run and the calls in progress. */
export function endRun(view: ChatView): ChatView {
  return { ...view, run: undefined, calls: {} };
}
