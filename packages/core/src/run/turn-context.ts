import {
  BackendCrashError,
  type BackendEvent,
  backendEventSchema,
  type EventOf,
  type Logger,
  preview,
  reasonOf,
  type ToolCall,
  type TurnContext,
} from "@bridle/protocol";
import { z } from "zod";
import type { Journal } from "../event-log/journal.ts";
import type { StepCounter } from "../event-log/step-counter.ts";
import { isUsageLimit } from "../limits/account.ts";
import type { Permit } from "../limits/permit.ts";
import type { RunClock } from "../time/run-clock.ts";
import type { ToolExecutor } from "../tools/tool-executor.ts";
import { type Ending, failed } from "./ending.ts";

export interface TurnContextOptions {
  journal: Journal;
  gate: ToolExecutor;
  steps: StepCounter;
  permit: Permit;
  clock: RunClock;
  logger: Logger;
  signal: AbortSignal;
  stepBudget: number;
  maxTotalTokens?: number;
  maxCostUsd?: number;
  onStep?(step: EventOf<"step.finished">): unknown;
  /** Ends the run; the first cause counts. */
  end(ending: Ending): void;
}

const unrecorded = "The call could not be taken; the run ends.";

/** What a backend gets to tell and ask during a run. Counts steps and budgets; never throws at the backend. */
export function createTurnContext(options: TurnContextOptions): TurnContext {
  const { journal, gate, steps, permit, clock, end, signal } = options;

  function guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      end(failed(error));
    }
  }

  async function guardCall<T>(call: () => Promise<T>, refusal: T): Promise<T> {
    try {
      return await call();
    } catch (error) {
      end(failed(error));
      return refusal;
    }
  }

  function spent(): boolean {
    const { maxTotalTokens = Number.POSITIVE_INFINITY, maxCostUsd = Number.POSITIVE_INFINITY } = options;
    return steps.tokens >= maxTotalTokens || (steps.cost?.usd ?? 0) >= maxCostUsd;
  }

  function take(event: BackendEvent): void {
    switch (event.type) {
      case "step.started":
        permit.answered();
        if (steps.steps >= options.stepBudget || spent()) end({ stopReason: "budget" });
        else journal.append(steps.startStep(event.model));
        return;
      case "step.finished": {
        const draft = steps.finishStep(event.usage);
        const finished = draft && journal.append(draft);
        if (finished?.type === "step.finished") void notifyStep(finished);
        return;
      }
      case "text.delta":
        steps.addText(event.text);
        break;
      case "text.completed":
        steps.completeText(event.text);
        break;
      case "retry.scheduled":
        steps.voidText();
        break;
      case "limit.warned":
        permit.warned();
        break;
      case "usage.reported":
        steps.addReported(event.usage, event.cost);
        break;
    }
    journal.append(event);
  }

  async function notifyStep(event: EventOf<"step.finished">): Promise<void> {
    try {
      await options.onStep?.(event);
    } catch (error) {
      options.logger.warn({ runId: event.runId, error }, "onStep threw; the run goes on");
      guard(() => warn("on-step-threw", `onStep threw: ${reasonOf(error)}`));
    }
  }

  function warn(code: string, message: string): void {
    journal.append({ type: "notice", level: "warning", code, message });
  }

  function takeChecked(event: unknown): void {
    const parsed = backendEventSchema.safeParse(event);
    if (parsed.success) take(parsed.data);
    else warn("backend-event-dropped", `The backend told ${preview(event)}: ${z.prettifyError(parsed.error)}`);
  }

  return {
    signal,
    emit(event) {
      if (!signal.aborted) guard(() => takeChecked(event));
    },
    callTool(call) {
      if (spent()) end({ stopReason: "budget" });
      return guardCall(async () => permit.inside(() => gate.callTool(checkCall(call))), {
        output: unrecorded,
        isError: true,
      });
    },
    authorizeHostTool: (call) =>
      guardCall(async () => permit.inside(() => gate.authorizeHostTool(checkCall(call))), {
        allow: false as const,
        reply: unrecorded,
      }),
    completeHostTool: (callId, ok, output) => guard(() => gate.completeHostTool(callId, ok, output)),
    async awaitLimit(error) {
      if (!isUsageLimit(error)) throw error;
      clock.pause();
      try {
        await permit.awaitLimit(error);
      } finally {
        if (!signal.aborted) clock.go();
      }
    },
    reportRefused: (call, output) => guard(() => gate.reportRefused(checkCall(call), output)),
  };
}

const callSchema = z.object({ callId: z.string(), tool: z.string(), input: z.unknown().optional() });

/** A backend may be anyone's: a call without an id or a name has no meaning, and ends the run. */
function checkCall(call: ToolCall): ToolCall {
  const parsed = callSchema.safeParse(call);
  if (parsed.success) return { ...parsed.data, input: parsed.data.input };
  throw new BackendCrashError(`The backend made a tool call of ${preview(call)}, which has no meaning here.`);
}
