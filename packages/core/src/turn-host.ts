import type { BackendEvent, TurnHost } from "./backend.ts";
import { type Ending, failed } from "./ending.ts";
import type { EventOf } from "./events.ts";
import type { Gate } from "./gate.ts";
import type { Journal } from "./journal.ts";
import type { Logger } from "./logger.ts";
import type { StepCounter } from "./step-counter.ts";

export interface TurnHostOptions {
  journal: Journal;
  gate: Gate;
  steps: StepCounter;
  logger: Logger;
  signal: AbortSignal;
  stepBudget: number;
  maxTotalTokens?: number;
  onStep?(step: EventOf<"step.finished">): unknown;
  /** Ends the run; the first cause counts. */
  end(ending: Ending): void;
}

const unrecorded = "The call could not be put on record and was not executed.";

/** What a backend gets to tell and ask during a run. Counts steps and budgets; never throws at the backend. */
export function createTurnHost(options: TurnHostOptions): TurnHost {
  const { journal, gate, steps, end, signal } = options;

  function guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      end(failed(error));
    }
  }

  async function guardCall<T>(call: Promise<T>, refusal: T): Promise<T> {
    try {
      return await call;
    } catch (error) {
      end(failed(error));
      return refusal;
    }
  }

  function tokensSpent(): boolean {
    return options.maxTotalTokens !== undefined && steps.tokens >= options.maxTotalTokens;
  }

  function take(event: BackendEvent): void {
    switch (event.type) {
      case "step.started":
        if (steps.steps >= options.stepBudget || tokensSpent()) end({ stopReason: "budget" });
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
      const message = `onStep threw: ${error instanceof Error ? error.message : String(error)}`;
      guard(() => journal.append({ type: "notice", level: "warning", code: "on-step-threw", message }));
    }
  }

  return {
    signal,
    emit: (event) => {
      if (!journal.ended) guard(() => take(event));
    },
    callTool(call) {
      if (tokensSpent()) end({ stopReason: "budget" });
      return guardCall(gate.callTool(call), { output: unrecorded, isError: true });
    },
    admitBuiltin: (call) => guardCall(gate.admitBuiltin(call), { allow: false as const, reply: unrecorded }),
    settleBuiltin: (callId, ok, output) => guard(() => gate.settleBuiltin(callId, ok, output)),
    reportRefused: (call, output) => guard(() => gate.reportRefused(call, output)),
  };
}
