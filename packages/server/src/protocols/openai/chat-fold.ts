/** Converts the events of a run to an OpenAI chat completion. Pure. */
import type { EventOf, RunEvent } from "@bridle/protocol";
import { RunParts } from "../shared/run-parts.ts";
import { UsageSum, wholeInput } from "../shared/usage-sum.ts";

export interface ChatHead {
  readonly id: string;
  readonly model: string;
  /** The start time, in seconds since the epoch. */
  readonly createdAt: number;
}

type ChatFinish = "stop" | "length";

/**
 * Folds the events of one run. Clients of this API cannot remove text, so they get the text of a response only when the response is
 * complete.
 */
export class ChatFold {
  readonly #head: ChatHead;
  readonly #parts = new RunParts();
  readonly #usage = new UsageSum();
  #ofStep: { readonly id: string; readonly text: string }[] = [];
  #text = "";
  #finish: ChatFinish | undefined;
  #error: EventOf<"run.finished">["result"]["error"];
  #isOver = false;
  #isStopped = false;

  constructor(head: ChatHead) {
    this.#head = head;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether the run was stopped, so that the answer is incomplete. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Why the run failed, once it has ended. */
  get error() {
    return this.#error;
  }

  /** The whole answer so far. */
  get text(): string {
    return this.#text;
  }

  begin() {
    return [this.#chunk({ role: "assistant", content: "" })];
  }

  next(event: RunEvent) {
    this.#usage.add(event);
    const before = this.#text.length;
    for (const part of this.#parts.next(event)) {
      if (part.type === "closed" && part.kind === "text") this.#ofStep.push(part);
      if (part.type === "voided") this.#ofStep = [];
    }
    if (event.type === "step.finished" || event.type === "run.finished") this.#tellStep();
    if (event.type === "run.finished") this.#close(event.result);
    const content = this.#text.slice(before);
    return content === "" ? [] : [this.#chunk({ content })];
  }

  /** Returns the end of a successful stream. */
  end({ withUsage }: { readonly withUsage: boolean }) {
    const usage = { ...this.#chunkHead(), choices: [], usage: this.#tokens() };
    return [this.#chunk({}, this.#finish ?? "stop"), ...(withUsage ? [usage] : [])];
  }

  completion() {
    const message = { role: "assistant", content: this.#text, refusal: null } as const;
    return {
      id: this.#head.id,
      object: "chat.completion",
      created: this.#head.createdAt,
      model: this.#head.model,
      choices: [{ index: 0, message, logprobs: null, finish_reason: this.#finish ?? "stop" }],
      usage: this.#tokens(),
    };
  }

  #tellStep(): void {
    for (const { text } of this.#ofStep) if (text !== "") this.#text += (this.#text === "" ? "" : "\n\n") + text;
    this.#ofStep = [];
  }

  #close({ stopReason, error }: EventOf<"run.finished">["result"]): void {
    this.#isOver = true;
    this.#finish = stopReason === "budget" ? "length" : "stop";
    this.#isStopped = stopReason === "stopped";
    if (stopReason === "error") this.#error = error;
  }

  #chunkHead() {
    const { id, createdAt, model } = this.#head;
    return { id, object: "chat.completion.chunk", created: createdAt, model } as const;
  }

  #chunk(delta: { role?: "assistant"; content?: string }, finish: ChatFinish | null = null) {
    return { ...this.#chunkHead(), choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] };
  }

  #tokens() {
    const { total } = this.#usage;
    const input = wholeInput(total);
    return {
      prompt_tokens: input,
      completion_tokens: total.outputTokens,
      total_tokens: input + total.outputTokens,
      prompt_tokens_details: { cached_tokens: total.cacheReadTokens },
    };
  }
}
