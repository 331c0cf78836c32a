import {
  type BackendEvent,
  backendEventSchema,
  type EventDetail,
  type EventOf,
  type FinishedStep,
  getErrorMessage,
  type Logger,
  preview,
  type ToolCall,
  type ToolReply,
  type TurnContext,
  type UsageLimitError,
} from "@bridle/protocol";
import { z } from "zod";
import { BlockIds } from "../event-log/block-ids.ts";
import type { JournalWriter } from "../event-log/journal.ts";
import type { StepCounter } from "../event-log/step-counter.ts";
import { isUsageLimit } from "../limits/account.ts";
import { type Permit, stopped } from "../limits/permit.ts";
import { checkBackendCall, copyJson } from "../schemas/backend-values.ts";
import type { RunClock } from "../time/run-clock.ts";
import type { RequestedCall } from "../tools/ledger/call-ledger.ts";
import type { ToolExecutor } from "../tools/tool-executor.ts";
import { failedEnding, type RunEnding } from "./ending.ts";
import type { RunSpending } from "./nesting/run-spending.ts";
import type { RequestWatch } from "./request-watch.ts";

export interface TurnContextOptions {
  journal: JournalWriter;
  tools: ToolExecutor;
  steps: StepCounter;
  requests: RequestWatch;
  permit: Permit;
  clock: RunClock;
  logger: Logger;
  signal: AbortSignal;
  spending: RunSpending;
  stepBudget: number;
  eventDetails?: readonly EventDetail[] | undefined;
  onStep?: ((step: EventOf<"step.finished">) => unknown) | undefined;
  /** Ends the run; the first cause counts. */
  end(ending: RunEnding): void;
}

const unrecorded = "The call could not be executed; the run ends.";

/** Receives the reports and requests that a backend makes during a run. Counts steps and budgets. Never throws to the backend. */
export class RunTurnContext implements TurnContext {
  readonly signal: AbortSignal;
  readonly eventDetails: readonly EventDetail[];
  readonly #options: TurnContextOptions;
  readonly #blocks: BlockIds;

  constructor(options: TurnContextOptions) {
    this.#options = options;
    this.signal = options.signal;
    this.eventDetails = options.eventDetails ?? [];
    this.#blocks = new BlockIds(this.eventDetails);
  }

  emit = (event: BackendEvent): void => {
    if (!this.signal.aborted && this.#isWanted(event)) this.#guard(() => this.#checkEvent(event));
  };

  callTool = (call: ToolCall): Promise<ToolReply> => {
    const { tools, permit, spending, end } = this.#options;
    if (spending.hasSpent()) end({ stopReason: "budget" });
    const refusal = { output: unrecorded, isError: true };
    return this.#guardCall(async () => permit.inside(() => tools.callTool(this.#checkCall(call))), refusal);
  };

  /** Checks whether runs that share the budgets have used them up, because the next event may be a request. */
  #checkShared(isSent = false): void {
    const { spending, requests, end } = this.#options;
    if (!spending.isOverdrawn) return;
    if (!isSent) requests.receive();
    end({ stopReason: "budget" });
  }

  authorizeHostTool: TurnContext["authorizeHostTool"] = async (call) => {
    const { tools, permit, steps } = this.#options;
    const refusal = { allow: false as const, reply: unrecorded };
    const decided = await this.#guardCall(
      async () => permit.inside(() => tools.authorizeHostTool(this.#checkCall(call))),
      refusal,
    );
    if (decided.allow) steps.noteHostTool();
    return decided;
  };

  completeHostTool = (callId: string, ok: boolean, output: string): void =>
    this.#continueAfter(() => this.#options.tools.completeHostTool(callId, ok, output));

  reportRefused = (call: ToolCall, output: string): void =>
    this.#continueAfter(() => this.#options.tools.reportRefused(this.#checkCall(call), output));

  awaitLimit = async (error: UsageLimitError): Promise<void> => {
    const { clock, permit, requests } = this.#options;
    if (!isUsageLimit(error)) throw error;
    clock.pause();
    requests.postpone();
    try {
      await permit.awaitLimit(error);
    } finally {
      if (!this.signal.aborted) clock.go();
      requests.send();
    }
    this.#checkShared();
    if (this.signal.aborted) throw stopped();
  };

  /** Does the work after which the host sends the next request by itself. */
  #continueAfter(work: () => void): void {
    this.#options.requests.send();
    this.#guard(work);
    this.#checkShared(true);
  }

  #checkCall(call: ToolCall): RequestedCall {
    const checked = checkBackendCall(call);
    return { ...checked, block: this.#blocks.ofCall(checked) };
  }

  /** Whether an event from a backend is valid and the run still takes events. The event may be any value. */
  #isWanted(event: BackendEvent | undefined): boolean {
    const type = event?.type;
    if (type === "input.delta") return this.eventDetails.includes("tool-input");
    return type !== "host.message" || this.eventDetails.includes("host-messages");
  }

  #guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#options.end(failedEnding(error));
    }
  }

  async #guardCall<T>(call: () => Promise<T>, refusal: T): Promise<T> {
    const { requests, end } = this.#options;
    requests.startCall();
    try {
      return await call();
    } catch (error) {
      end(failedEnding(error));
      return refusal;
    } finally {
      requests.endCall();
      this.#checkShared();
    }
  }

  #checkEvent(event: unknown): void {
    const parsed = backendEventSchema.safeParse(event);
    if (parsed.success) this.#handle(parsed.data);
    else this.#warn("backend-event-dropped", `The backend sent ${preview(event)}: ${z.prettifyError(parsed.error)}`);
  }

  #handle(event: BackendEvent): void {
    const { journal, steps, permit } = this.#options;
    switch (event.type) {
      case "step.started":
        this.#startStep(event.model);
        return;
      case "step.finished":
        this.#finishStep(event);
        return;
      case "text.delta":
        steps.addText(event.text);
        journal.append(this.#blocks.ofText(event));
        return;
      case "text.completed":
        steps.completeText(event.text);
        journal.append(this.#blocks.ofText(event));
        return;
      case "reasoning.delta":
      case "reasoning.completed":
        journal.append(this.#blocks.ofText(event));
        return;
      case "input.delta": {
        const { type, callId, tool, text } = event;
        journal.append({ type, block: this.#blocks.ofInput(callId), tool, text });
        return;
      }
      case "host.message":
        journal.append({ ...event, raw: copyJson(event.raw) });
        return;
      case "retry.scheduled":
        this.#blocks.startResponse();
        steps.retryStep(event.usage, event.cost);
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

  #startStep(model: string | undefined): void {
    const { journal, steps, requests, permit, spending, stepBudget, end } = this.#options;
    permit.answered();
    this.#blocks.startResponse();
    requests.send(); // a host need not report its requests
    if (steps.steps >= stepBudget || !spending.fits() || spending.hasSpent()) end({ stopReason: "budget" });
    else journal.append(steps.startStep(model));
  }

  #finishStep(step: FinishedStep): void {
    const { journal, steps, requests } = this.#options;
    requests.receive();
    const draft = steps.finishStep(step);
    const finished = draft && journal.append(draft);
    if (finished?.type === "step.finished") void this.#notifyStep(finished);
  }

  async #notifyStep(event: EventOf<"step.finished">): Promise<void> {
    const { onStep, logger } = this.#options;
    try {
      await onStep?.(event);
    } catch (error) {
      logger.warn({ runId: event.runId, error }, "onStep threw; the run continues");
      this.#guard(() => this.#warn("on-step-threw", `onStep threw: ${getErrorMessage(error)}`));
    }
  }

  #warn(code: string, message: string): void {
    this.#options.journal.append({ type: "notice", level: "warning", code, message });
  }
}
