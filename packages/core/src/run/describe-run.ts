/** Describes a run for the event log: its start and its result. */
import {
  type Backend,
  type EventDraft,
  type NestedTotals,
  omitUndefined,
  type Policy,
  type RunResult,
  type RunScope,
} from "@bridle/protocol";
import type { JournalWriter } from "../event-log/journal.ts";
import type { StepCounter } from "../event-log/step-counter.ts";
import type { ToolExecutor } from "../tools/tool-executor.ts";
import type { RunEnding } from "./ending.ts";
import type { RunPlan } from "./run-plan.ts";

/** Describes `run.started`. */
export function describeRunStart(
  { operation, spec, role, labels, parent }: RunPlan,
  { backend, policy }: { readonly backend: Backend; readonly policy: Policy },
  journal: Pick<JournalWriter, "putArtifact">,
): EventDraft {
  return {
    type: "run.started",
    operation,
    backend: backend.id,
    ...(backend.rehearsed && { rehearsed: true }),
    model: spec.model,
    ...omitUndefined({
      parentRunId: parent?.runId,
      parentSessionId: parent?.sessionId,
      parentCallId: parent?.callId,
    }),
    ...omitUndefined({ role, labels }),
    tools: spec.tools.map(({ name }) => name),
    builtins: spec.builtins,
    stepBudget: spec.stepBudget,
    ...omitUndefined({ maxOutputTokens: spec.maxOutputTokens, temperature: spec.temperature, topP: spec.topP }),
    policy: policy.snapshot === undefined ? policy.id : journal.putArtifact(policy.snapshot),
  };
}

/** Returns the ids that each event of a run contains. */
export function describeRunScope(runId: string, { session }: Pick<RunPlan, "session">): RunScope {
  return { runId, ...(session && { sessionId: session.sessionId }) };
}

/** Describes the result in `run.finished`. */
export function describeEnd(
  ending: RunEnding,
  steps: StepCounter,
  tools: ToolExecutor,
  nested: NestedTotals | undefined,
): RunResult {
  const { cost, model } = steps;
  const object = "object" in ending ? ending.object : undefined;
  const error = "error" in ending ? ending.error : undefined;
  return {
    stopReason: ending.stopReason,
    text: steps.text,
    steps: steps.steps,
    toolCalls: tools.calls,
    toolFailures: tools.failures,
    usage: steps.usage,
    ...omitUndefined({ object, cost, nested, model, error }),
  };
}

/** Returns the properties of the host that tool calls need. */
export function toolHost({ id, features }: Backend) {
  return { id, acceptsImages: features.resultImages ?? false };
}
