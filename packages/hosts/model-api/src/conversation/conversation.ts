/** A conversation with a model: its messages, and the loop of steps that run the model's tool calls. */

import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import type { PriceTable } from "@bridle/host-shared";
import { parseObject } from "@bridle/host-shared";
import {
  type Conversation,
  type ConversationSpec,
  historyInput,
  type Message,
  omitUndefined,
  type ToolCall,
  type ToolDeclaration,
  type ToolReply,
  type TurnContext,
  type TurnEnd,
} from "@bridle/protocol";
import { CallIds } from "../calls/call-ids.ts";
import { repairCall } from "../calls/repair-call.ts";
import { finishError } from "../errors/finish-error.ts";
import type { RequestFacts } from "../errors/request-error.ts";
import { toMessages } from "../prompt/history.ts";
import { imagesAfterResults, toLanguageModelMessage, toToolResult } from "../prompt/messages.ts";
import { instructionAdds } from "../prompt/output.ts";
import type { Pauses } from "../request/retry.ts";
import { type SendRequestOptions, sendRequest, stoppedError } from "../request/send-request.ts";
import { missingPriceError, Spending } from "../response/spending.ts";
import type { StepResponse } from "../response/step-reader.ts";
import type { Wiring } from "../wiring/index.ts";
import { RequestBuilder } from "./request-builder.ts";

export interface ConversationOptions {
  spec: ConversationSpec;
  wiring: Wiring;
  model: LanguageModelV4;
  facts: RequestFacts;
  prices: PriceTable;
  /** The context window in tokens; `undefined` if it is not known. */
  contextWindow: number | undefined;
  maxAttempts: number;
  pauses: Pauses;
}

interface Turn {
  context: TurnContext;
  signal: AbortSignal;
  spending: Spending;
}

/** The interface's functions are fields, because a copy with `...` keeps only own properties. */
export class ModelConversation implements Conversation {
  readonly promptContext: Conversation["promptContext"];
  readonly #options: ConversationOptions;
  readonly #requests: RequestBuilder;
  readonly #callIds: CallIds;
  readonly #messages: LanguageModelV4Message[];
  readonly #tools: ToolDeclaration[];
  readonly #notices = new Set<string>();
  readonly #closed = new AbortController();

  /** Creates a conversation. Throws an InvalidRequestError for a history that no host accepts. */
  constructor(options: ConversationOptions) {
    const { spec, wiring, model } = options;
    this.#options = options;
    this.#requests = new RequestBuilder(spec, wiring, model.modelId);
    this.#callIds = new CallIds(spec.history);
    this.#messages = toMessages(spec.history, wiring);
    this.#tools = [...spec.tools];
    const hostAdds = this.#requests.output?.instruction === undefined ? [] : [instructionAdds];
    this.promptContext = { implicitSources: [], hostAdds };
  }

  readonly turn = async (input: Message, context: TurnContext): Promise<TurnEnd> => {
    const { spec, facts, prices, contextWindow } = this.#options;
    const { cacheTtl } = this.#requests;
    this.#messages.push(toLanguageModelMessage(input));
    const signal = AbortSignal.any([context.signal, this.#closed.signal]);
    const spending = new Spending({ model: facts.model, cacheTtl, prices, contextWindow });
    this.#reportDroppedKeywords(context);
    try {
      for (let step = 0; step < spec.stepBudget; step++) {
        const end = await this.#runStep({ context, signal, spending });
        if (end) return end;
      }
      return { reason: "budget" };
    } finally {
      const report = spending.report();
      if (report) context.emit(report);
    }
  };

  readonly close = async (): Promise<void> => this.#closed.abort(stoppedError());

  /** Requests one response, and makes its tool calls. Returns how the turn ended, or `undefined` if it continues. */
  async #runStep(turn: Turn): Promise<TurnEnd | undefined> {
    const { context, spending } = turn;
    const { output } = this.#requests;
    const response = this.#callIds.assign(await this.#send(turn));
    spending.add(response);
    const error = finishError(response.finishReason, {
      calls: response.calls.length,
      maxOutputTokens: this.#options.spec.maxOutputTokens,
    });
    if (context.eventDetails?.includes("host-messages")) context.emit({ type: "host.message", raw: response });
    const calls = error ? [] : await this.#repairCalls(response, turn);
    const object = output && calls.length === 0 ? parseObject(response.text) : undefined;
    if (output && object === undefined) emitText(response, context);
    const { raw, unified } = response.finishReason;
    const finished = { ...spending.takeStep(), finishReason: raw ?? unified };
    context.emit(omitUndefined({ type: "step.finished" as const, ...finished }));
    if (error) throw error;
    this.#addAnswer(response, calls);
    if (calls.length === 0) return omitUndefined({ reason: "natural" as const, object });
    if (this.#isSpent(spending)) return { reason: "budget" };
    await this.#callTools(calls, turn);
    return undefined;
  }

  #send({ context, signal, spending }: Turn): Promise<StepResponse> {
    return sendRequest({
      ...this.#options,
      request: this.#requests.build(this.#messages, this.#tools),
      context,
      signal,
      onWarning: (message) => this.#notify(context, "provider", message),
      onBroken: (broken) => spending.addBroken(broken),
      holdText: this.#requests.output !== undefined,
    });
  }

  /** Emits a notice, at most once in a conversation for each `code`. */
  #notify(context: TurnContext, code: string, message: string): void {
    if (this.#notices.has(message)) return;
    this.#notices.add(message);
    context.emit({ type: "notice", level: "info", code, message });
  }

  #reportDroppedKeywords(context: TurnContext): void {
    const dropped = this.#requests.output?.dropped ?? [];
    if (dropped.length === 0) return;
    const message = `The backend ${this.#options.facts.backend} does not accept ${dropped.join(", ")} in a schema. Bridle checks the object for them instead.`;
    this.#notify(context, "schema-keywords", message);
  }

  /** Returns the response's calls, repaired if they do not match their schema. */
  async #repairCalls({ calls }: StepResponse, turn: Turn): Promise<ToolCall[]> {
    const request = async (options: LanguageModelV4CallOptions) => {
      const response = await this.#sendQuietly({ ...options, ...this.#requests.settings() }, turn);
      if (response) turn.spending.add(response);
      return response;
    };
    const onRepair = (message: string) =>
      turn.context.emit({ type: "notice", level: "info", code: "call-repaired", message });
    const repaired: ToolCall[] = [];
    // One after another, because a run sends only one request at a time.
    for (const call of calls) {
      const declaration = this.#tools.find(({ name }) => name === call.tool);
      repaired.push(await repairCall(call, { declaration, request, onRepair }));
    }
    return repaired;
  }

  /** Makes one attempt without events. If it fails, the tool executor reports the call's problem. */
  async #sendQuietly(
    request: LanguageModelV4CallOptions,
    { signal, spending }: Turn,
  ): Promise<StepResponse | undefined> {
    const context = { emit: () => {}, awaitLimit: (error: unknown) => Promise.reject(error) };
    const once = { ...this.#options, maxAttempts: 1, onWarning: () => {}, holdText: false };
    const onBroken: SendRequestOptions["onBroken"] = (broken) => spending.addBroken(broken);
    const response = await sendRequest({ ...once, request, context, signal, onBroken }).catch(() => undefined);
    if (signal.aborted) throw stoppedError();
    return response;
  }

  /** Whether the budget is spent. Throws if the cost is unknown, because continuing would mean spending without a limit. */
  #isSpent({ usd }: Spending): boolean {
    const { spec, facts } = this.#options;
    if (spec.maxCostUsd === undefined) return false;
    if (usd === undefined) throw missingPriceError(facts.backend, facts.model);
    return usd >= spec.maxCostUsd;
  }

  /** Adds an answer to the messages, unless it is empty, because hosts do not accept empty messages. */
  #addAnswer(response: StepResponse, calls: readonly ToolCall[]): void {
    if (response.content.length + calls.length > 0) this.#messages.push(toAnswer(response, calls));
  }

  /** Starts all calls at once. The tool executor decides which of them run at the same time. */
  async #callTools(calls: readonly ToolCall[], { context, signal }: Turn): Promise<void> {
    const { wiring } = this.#options;
    const replies = await Promise.all(calls.map((call) => context.callTool(call)));
    if (signal.aborted) throw stoppedError();
    const results = calls.map((call, index) => toToolResult(call, replies[index] as ToolReply, wiring));
    this.#messages.push({ role: "tool", content: results }, ...imagesAfterResults(replies, wiring));
    for (const { addedTool } of replies) if (addedTool) this.#addTool(addedTool);
  }

  #addTool(added: ToolDeclaration): void {
    if (!this.#tools.some(({ name }) => name === added.name)) this.#tools.push(added);
  }
}

/** Emits text that was held back because it might have been an object. */
function emitText({ content }: StepResponse, context: TurnContext): void {
  for (const block of content) {
    if (block.type !== "text" || block.text === "") continue;
    context.emit({ type: "text.delta", text: block.text });
    context.emit({ type: "text.completed", text: block.text });
  }
}

/** Returns the model's answer as a message: its text and reasoning, and the calls with their repaired arguments. */
function toAnswer({ content, calls: written }: StepResponse, calls: readonly ToolCall[]): LanguageModelV4Message {
  const parts = calls.map(({ callId, tool, input }, index) =>
    omitUndefined({
      type: "tool-call" as const,
      toolCallId: callId,
      toolName: tool,
      input: historyInput(input),
      providerOptions: written[index]?.providerOptions,
    }),
  );
  return { role: "assistant", content: [...content, ...parts] };
}
