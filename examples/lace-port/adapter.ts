// A provider on a runtime of Bridle. Each tool of a run only hands its call to the application, and waits for the result that
// comes with the next request. So one run gives several responses.
import { EventEmitter } from "node:events";
import { isDeepStrictEqual } from "node:util";
import type { HistoryMessage, RunEvent } from "bridle";
import { type AgentRun, type AgentRuntime, type AgentSession, type AnyTool, describeInput } from "bridle";
import type { AIProvider, ProviderEvents, ProviderMessage, ProviderResponse, ProviderToolCall, Tool } from "./port.ts";

type Turn = { run: AgentRun; events: AsyncIterator<RunEvent> };

export class BridleProvider extends EventEmitter<ProviderEvents> implements AIProvider {
  readonly supportsStreaming = true;
  readonly providerName = "bridle";
  readonly modelName: string;
  readonly #runtime: AgentRuntime;
  /** The replies that calls of the run wait for, by the ids of the calls. */
  readonly #replies = new Map<string, PromiseWithResolvers<string>>();
  readonly #calls = new Map<string, ProviderToolCall>();
  #system = "";
  #session: AgentSession | undefined;
  #turn: Turn | undefined;
  /** The shared beginning of a request that continues from the last response: instructions, tools and messages. */
  #known: unknown;

  constructor(runtime: AgentRuntime, modelName: string) {
    super();
    this.#runtime = runtime;
    this.modelName = modelName;
  }

  setSystemPrompt(systemPrompt: string): void {
    this.#system = systemPrompt;
  }

  async createStreamingResponse(messages: ProviderMessage[], tools: Tool[], signal?: AbortSignal) {
    const response = await this.createResponse(messages, tools, signal, (token) => this.emit("token", { token }));
    this.emit("complete", { response });
    return response;
  }

  async createResponse(
    messages: ProviderMessage[],
    tools: Tool[],
    signal?: AbortSignal,
    onToken?: (token: string) => void,
  ) {
    signal?.throwIfAborted();
    const system = messages.find(({ role }) => role === "system")?.content ?? this.#system;
    const turn = await this.#turnFor(messages, tools, system);
    signal?.addEventListener("abort", () => turn.run.stop("the request was aborted"), { once: true });
    try {
      const response = await this.#read(turn, onToken);
      this.#known = [system, tools, ...toHistory([...messages, { role: "assistant", ...response }])];
      return response;
    } catch (error) {
      this.#known = undefined;
      signal?.throwIfAborted(); // rejects as `fetch` does
      throw error;
    }
  }

  async cleanup(): Promise<void> {
    await this.#session?.close(); // stops its run, too
  }

  /** The run that waits for the results in the last message, or a new one. */
  async #turnFor(messages: ProviderMessage[], tools: Tool[], system: string): Promise<Turn> {
    const { content = "", toolResults = [] } = messages.at(-1) ?? {};
    const earlier = toHistory(messages.slice(0, -1));
    const continues = isDeepStrictEqual(this.#known, [system, tools, ...earlier]);
    if (this.#turn && continues && toolResults.length > 0) {
      for (const { id, content: output, isError } of toolResults) {
        if (isError) this.#replyTo(id).reject(new Error(textOf(output)));
        else this.#replyTo(id).resolve(textOf(output));
      }
      return this.#turn;
    }
    this.#turn?.run.stop("the application went another way");
    await this.#turn?.run.result;
    for (const kept of [this.#replies, this.#calls]) kept.clear();
    if (!continues || !this.#session) {
      await this.#session?.close();
      const shared = { model: this.modelName, system, stepBudget: 1_000 }; // the application ends the loop
      this.#session = await this.#runtime.openSession({ ...shared, tools: tools.map((tool) => this.#hold(tool)) });
      this.#session.edit(toolResults.length > 0 ? toHistory(messages) : earlier);
    }
    const run = await this.#session.send(toolResults.length > 0 ? "Continue." : content);
    this.#turn = { run, events: run[Symbol.asyncIterator]() };
    return this.#turn;
  }

  /** Up to the next call, or to the end of the run. */
  async #read({ run, events }: Turn, onToken?: (token: string) => void): Promise<ProviderResponse> {
    let [content, isCut, usage] = ["", false, { promptTokens: 0, completionTokens: 0 }];
    for (let { value: event } = await events.next(); event; { value: event } = await events.next()) {
      if (event.type === "text.delta") onToken?.(event.text);
      if (event.type === "text.completed") content += event.text;
      if (event.type === "retry.scheduled") content = ""; // the host asks again, and the text comes again
      if (event.type === "step.finished") {
        const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens: completionTokens } = event.usage;
        usage = { promptTokens: inputTokens + cacheReadTokens + cacheWriteTokens, completionTokens };
        isCut = event.finishReason === "max_tokens";
      }
      if (event.type === "tool.requested") {
        const input = event.input as ProviderToolCall["input"]; // a call starts only if its input fits the schema
        this.#calls.set(event.callId, { id: event.callId, name: event.tool, input });
      }
      const call = event.type === "tool.started" ? this.#calls.get(event.callId) : undefined;
      if (call) return { content, toolCalls: [call], stopReason: "tool_use", usage };
    }
    this.#turn = undefined;
    const { error } = await run.result;
    if (error) throw error;
    return { content, toolCalls: [], stopReason: isCut ? "max_tokens" : "stop", usage };
  }

  #replyTo(callId: string): PromiseWithResolvers<string> {
    const reply = this.#replies.get(callId) ?? Promise.withResolvers<string>();
    this.#replies.set(callId, reply);
    return reply;
  }

  #hold({ name, description, inputSchema, annotations }: Tool): AnyTool {
    const { readOnlyHint: readOnly, destructiveHint: destructive } = annotations ?? {};
    return {
      name,
      description,
      input: describeInput(inputSchema),
      annotations: { readOnly, destructive },
      timeoutMs: 86_400_000, // a person may answer first
      execute: (_input, { callId }) => this.#replyTo(callId).promise,
    };
  }
}

function toHistory(messages: ProviderMessage[]): HistoryMessage[] {
  return messages.flatMap(({ role, content, toolCalls = [], toolResults = [] }) => {
    const results = toolResults.map(({ id: callId, content: output, isError }) => {
      return { type: "tool-result" as const, callId, output: textOf(output), isError };
    });
    const text = content.trim() === "" ? [] : [{ type: "text" as const, text: content }];
    const calls = toolCalls.map(({ id: callId, name: tool, input }) => {
      return { type: "tool-call" as const, callId, tool, input };
    });
    return role === "system" ? [] : [{ role, content: [...results, ...text, ...calls] }];
  });
}

function textOf(content: { text: string }[]): string {
  return content.map(({ text }) => text).join("\n");
}
