import {
  addNestedTotals,
  type EventDraft,
  errorReportSchema,
  type NestedTotals,
  noNestedTotals,
  noUsage,
  omitUndefined,
  ProcessDiedError,
  pendingCopies,
  pendingQuestions,
  type Question,
  type RunEvent,
} from "@bridle/protocol";
import { StepCounter } from "./step-counter.ts";

/** The totals of a nested run that died too. Only the nested run's own log contains its usage. */
const unfinished: NestedTotals = { runs: 1, steps: 0, toolCalls: 0, usage: noUsage };

/**
 * Lists the events that are missing in a run's log after its process died: the ends of questions that nothing waits for, and last the run's
 * own end. A nested run is never continued, so its questions are closed. The questions of other runs stay open: the next run of their
 * session uses the answers.
 */
export function describeInterruption(events: Iterable<RunEvent>, owner: string): EventDraft[] {
  const aboutQuestions: RunEvent[] = [];
  let isNested = false;
  const observed = observe(events, (event) => {
    if (event.type === "run.started") isNested = event.parentRunId !== undefined;
    if (event.type.startsWith("approval.") || event.type === "tool.denied") aboutQuestions.push(event);
  });
  const end = describeInterruptedEnd(observed, owner);
  const open = [...(isNested ? pendingQuestions(aboutQuestions) : []), ...pendingCopies(aboutQuestions)];
  return [...open.map(closeQuestion), end];
}

function* observe(events: Iterable<RunEvent>, next: (event: RunEvent) => void): Iterable<RunEvent> {
  for (const event of events) {
    next(event);
    yield event;
  }
}

function closeQuestion({ approvalId, callId, nested }: Question): EventDraft {
  const outcome = { decision: "deny", source: "run-ended", scope: "once" } as const;
  return { type: "approval.decided", approvalId, callId, ...omitUndefined({ nested }), ...outcome };
}

/**
 * Derives the end of a run that died with its process from the run's events. Calls without an outcome stay without one, because nobody
 * knows whether they had an effect.
 */
export function describeInterruptedEnd(
  events: Iterable<RunEvent>,
  owner: string,
): Extract<EventDraft, { type: "run.finished" }> {
  const steps = new StepCounter(1);
  let [toolCalls, toolFailures] = [0, 0];
  const nested = new Map<string, NestedTotals>();
  let [first, last, runId]: [number | undefined, number, string | undefined] = [undefined, 0, undefined];
  for (const event of events) {
    first ??= event.time;
    last = event.time;
    runId = event.runId;
    if (event.type === "step.started") steps.startStep(event.model);
    else if (event.type === "step.finished") steps.finishStep(event);
    else if (event.type === "text.delta") steps.addText(event.text);
    else if (event.type === "text.completed") steps.completeText(event.text);
    else if (event.type === "retry.scheduled") steps.retryStep(event.usage, event.cost);
    else if (event.type === "usage.reported") steps.addReported(event.usage, event.cost);
    else if (event.type === "nested.started") nested.set(event.nestedRunId, unfinished);
    else if (event.type === "nested.finished") nested.set(event.nestedRunId, event.totals);
    else if (event.type === "tool.requested") toolCalls += 1;
    else if (event.type === "tool.denied" || (event.type === "tool.finished" && !event.ok)) toolFailures += 1;
  }
  steps.addUnknownCost(); // a request may have been on its way
  const { steps: count, text, usage, cost, model } = steps;
  const error = new ProcessDiedError(owner, runId === undefined ? {} : { runId }).toJSON();
  return {
    type: "run.finished",
    result: {
      stopReason: "error",
      text,
      steps: count,
      toolCalls,
      toolFailures,
      usage,
      ...(cost === undefined ? {} : { cost }),
      ...(nested.size === 0 ? {} : { nested: [...nested.values()].reduce(addNestedTotals, noNestedTotals) }),
      ...(model === undefined ? {} : { model }),
      error: errorReportSchema.parse(error),
    },
    durationMs: Math.max(last - (first ?? last), 0), // a clock may have been set back
  };
}
