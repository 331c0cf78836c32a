/** Folds the events of a run into an A2A task. Pure. */
import type { EventOf, RunEvent } from "@bridle/protocol";
import { type ClosedPart, type OtherEvent, type RunPart, RunParts } from "../shared/run-parts.ts";
import { RunPauses } from "../shared/run-pauses.ts";
import { UsageSum, wholeInput } from "../shared/usage-sum.ts";
import { A2aArtifacts } from "./a2a-artifacts.ts";
import type { A2aMessage, A2aState, A2aStatus, A2aTask, A2aUpdate } from "./a2a-objects.ts";
import { toAnswerParts, toQuestionParts } from "./a2a-question.ts";

/**
 * Folds the events of one run. A response ends when the run pauses. Pass the events that the client has already seen to `skip`,
 * send `task`, and then pass the other events to `next` until `isOver`.
 */
export class A2aFold {
  readonly #taskId: string;
  readonly #contextId: string;
  readonly #parts = new RunParts();
  readonly #pauses = new RunPauses();
  readonly #usage = new UsageSum();
  readonly #artifacts = new A2aArtifacts();
  readonly #history: A2aMessage[] = [];
  readonly #open = new Set<string>();
  #status: A2aStatus = { state: "TASK_STATE_WORKING", timestamp: new Date(0).toISOString() };
  #about: Readonly<Record<string, unknown>> = {};
  #isOver = false;

  constructor({ runId, sessionId }: { readonly runId: string; readonly sessionId: string }) {
    this.#taskId = runId;
    this.#contextId = sessionId;
  }

  /** Whether the task has been waiting for an answer since the last event of `next`, or has ended. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get state(): A2aState {
    return this.#status.state;
  }

  /** The ids of the questions without an answer. */
  get openQuestions(): readonly string[] {
    return [...this.#open];
  }

  /** The task after the events so far. */
  get task(): A2aTask {
    return {
      id: this.#taskId,
      contextId: this.#contextId,
      status: this.#status,
      artifacts: this.#artifacts.list(),
      history: [...this.#history],
      ...(Object.keys(this.#about).length > 0 && { metadata: { bridle: this.#about } }),
    };
  }

  /** Adds an event that is already part of the initial task. */
  skip(event: RunEvent): void {
    this.next(event);
    this.#isOver = this.#about.stopReason !== undefined;
  }

  next(event: RunEvent): A2aUpdate[] {
    this.#usage.add(event);
    const told = this.#parts.next(event).flatMap((part) => this.#tell(part));
    const asked = this.#pauses.next(event);
    if (asked === undefined) return told;
    this.#isOver = true;
    for (const { approvalId } of asked) this.#open.add(approvalId);
    const message = this.#say(event, "ROLE_AGENT", toQuestionParts(asked));
    return [...told, this.#change(event, "TASK_STATE_INPUT_REQUIRED", { message })];
  }

  #tell(part: RunPart): A2aUpdate[] {
    if (part.type === "event") return this.#tellEvent(part.event);
    if (part.type === "voided") {
      this.#artifacts.void(part.blocks.flatMap(({ kind, id }) => (kind === "text" ? [id] : [])));
      return [];
    }
    if (part.kind !== "text") return []; // reasoning is not a result
    if (part.type === "opened") this.#artifacts.open(part.id);
    return part.type === "opened" ? [] : [this.#tellText(part)];
  }

  #tellText(part: { readonly type: "grown"; readonly id: string; readonly text: string } | ClosedPart): A2aUpdate {
    const change = part.type === "grown" ? this.#artifacts.grow(part.id, part.text) : this.#artifacts.close(part);
    return { artifactUpdate: { ...this.#place(), ...change } };
  }

  #tellEvent(event: OtherEvent): A2aUpdate[] {
    switch (event.type) {
      case "run.started":
        this.#status = { ...this.#status, timestamp: toTime(event) };
        return [];
      case "model.input":
        if (event.turn === 1) this.#notePrompt(event);
        return [];
      case "step.finished":
      case "run.finished": {
        const emptied = this.#artifacts
          .takeVoid()
          .map((change) => ({ artifactUpdate: { ...this.#place(), ...change } }));
        return event.type === "run.finished" ? [...emptied, this.#finish(event)] : emptied;
      }
      case "tool.started":
      case "tool.progress":
      case "tool.finished":
      case "tool.denied":
      case "limit.waiting":
        return [this.#note(event)];
      case "approval.decided":
        return this.#decide(event);
      default:
        return [];
    }
  }

  #notePrompt(event: EventOf<"model.input">): void {
    const asked = event.messages.findLast(({ role }) => role === "user");
    const content = typeof asked?.content === "string" ? [{ text: asked.content }] : (asked?.content ?? []);
    const parts = content.flatMap((part) => ("text" in part ? [{ text: part.text }] : []));
    if (parts.length > 0) this.#say(event, "ROLE_USER", parts);
  }

  #decide(event: EventOf<"approval.decided">): A2aUpdate[] {
    if (!this.#open.delete(event.approvalId) || event.source === "run-ended") return [];
    this.#say(event, "ROLE_USER", toAnswerParts(event));
    return this.#open.size > 0 ? [] : [this.#change(event, "TASK_STATE_WORKING")];
  }

  /** Creates a status update with metadata about the event. */
  #note(
    event: EventOf<"tool.started" | "tool.progress" | "tool.finished" | "tool.denied" | "limit.waiting">,
  ): A2aUpdate {
    const { seq: _seq, time: _time, runId: _run, sessionId: _session, ...bridle } = event;
    return { statusUpdate: { ...this.#place(), status: this.#status, metadata: { bridle } } };
  }

  #finish(event: EventOf<"run.finished">): A2aUpdate {
    const { stopReason, error, steps } = event.result;
    this.#isOver = true;
    const { total } = this.#usage;
    const usage = { ...total, inputTokens: wholeInput(total) };
    this.#about = { stopReason, steps, usage, ...(error && { code: error.code }) };
    if (stopReason === "natural") return this.#end(event, "TASK_STATE_COMPLETED");
    if (stopReason === "stopped") return this.#end(event, "TASK_STATE_CANCELED");
    const why = error?.message ?? `The run has used its ${steps} steps before it had an answer.`;
    return this.#end(event, "TASK_STATE_FAILED", { message: this.#message(event, "ROLE_AGENT", [{ text: why }]) });
  }

  #end(event: RunEvent, state: A2aState, more: Pick<A2aStatus, "message"> = {}): A2aUpdate {
    return this.#change(event, state, more, { bridle: this.#about });
  }

  #change(
    event: RunEvent,
    state: A2aState,
    more: Pick<A2aStatus, "message"> = {},
    metadata?: A2aTask["metadata"],
  ): A2aUpdate {
    this.#status = { state, timestamp: toTime(event), ...more };
    return { statusUpdate: { ...this.#place(), status: this.#status, ...(metadata && { metadata }) } };
  }

  #say(event: RunEvent, role: A2aMessage["role"], parts: A2aMessage["parts"]): A2aMessage {
    const message = this.#message(event, role, parts);
    this.#history.push(message);
    return message;
  }

  #message({ seq }: RunEvent, role: A2aMessage["role"], parts: A2aMessage["parts"]): A2aMessage {
    return { messageId: `${this.#taskId}-${seq}`, role, ...this.#place(), parts };
  }

  #place() {
    return { taskId: this.#taskId, contextId: this.#contextId };
  }
}

function toTime({ time }: RunEvent): string {
  return new Date(time).toISOString();
}
