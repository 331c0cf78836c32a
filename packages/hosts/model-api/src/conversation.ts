/** A conversation with a model: its messages, and the loop of steps in which it calls tools. */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
} from "@ai-sdk/provider";
import {
  addUsage,
  type Conversation,
  type ConversationSpec,
  historyInput,
  type Message,
  noUsage,
  type ToolCall,
  type ToolReply,
  type TurnContext,
  type TurnEnd,
  type Usage,
} from "@bridle/protocol";
import { createCallNames, withNames } from "./calls/call-ids.ts";
import { mendCall } from "./calls/repair-call.ts";
import { finishError } from "./errors/finish-error.ts";
import type { RequestFacts } from "./errors/request-error.ts";
import type { PriceTable } from "./models/prices.ts";
import { cacheMarks, commonTtl, markPrompt, markTools } from "./prompt/cache-marks.ts";
import { callIdsIn, toMessages } from "./prompt/history.ts";
import { toMessage, toSystem, toTool, toToolResult } from "./prompt/messages.ts";
import { describeOutput, instructionAdds, withInstruction } from "./prompt/output.ts";
import type { Pauses } from "./request/retry.ts";
import { sendRequest, stopped } from "./request/send-request.ts";
import { parseObject } from "./response/object.ts";
import { createSpending, type Spending, unpriced } from "./response/spending.ts";
import type { StepResponse } from "./response/step-reader.ts";
import type { Wiring } from "./wiring/index.ts";

export interface ConversationParts {
  spec: ConversationSpec;
  wiring: Wiring;
  model: LanguageModelV4;
  facts: RequestFacts;
  prices: PriceTable;
  /** Tokens; missing where it is not known. */
  contextWindow?: number | undefined;
  maxAttempts: number;
  pauses: Pauses;
}

interface Turn {
  host: TurnContext;
  signal: AbortSignal;
  spending: Spending;
}

/** Throws an InvalidRequestError for a history that no host takes. */
export function createConversation(parts: ConversationParts): Conversation {
  const { spec, wiring, model, facts } = parts;
  const isMarked = wiring.takesCacheMarks(model.modelId);
  const marks = isMarked ? cacheMarks(spec.promptCaching) : {};
  const cacheTtl = isMarked ? commonTtl(marks) : "5m"; // without marks there are no lifetimes, and one price
  const output = spec.outputSchema && describeOutput(spec.outputSchema, wiring.schemaForm(model.modelId));
  const system = toSystem(withInstruction(spec.system, output?.instruction), wiring.systemInOne);
  const messages: LanguageModelV4Message[] = toMessages(spec.history, wiring.marksErrors);
  const tools = [...spec.tools];
  const told = new Set<string>();
  const nameCall = createCallNames(callIdsIn(spec.history));
  const closed = new AbortController();

  function request(): LanguageModelV4CallOptions {
    const prompt: LanguageModelV4Prompt = [...system, ...messages];
    return {
      prompt: markPrompt(prompt, marks, spec.system.static !== ""),
      ...(tools.length === 0 ? {} : { tools: markTools(tools.map(toTool), marks), toolChoice: { type: "auto" } }),
      ...(output?.format ? { responseFormat: output.format } : {}),
      ...common(),
    };
  }

  function common(): Pick<LanguageModelV4CallOptions, "maxOutputTokens" | "temperature" | "topP" | "providerOptions"> {
    const providerOptions = wiring.providerOptions?.({ spec, strict: output?.strict ?? false });
    return {
      ...(spec.maxOutputTokens === undefined ? {} : { maxOutputTokens: spec.maxOutputTokens }),
      ...(spec.temperature === undefined ? {} : { temperature: spec.temperature }),
      ...(spec.topP === undefined ? {} : { topP: spec.topP }),
      ...(providerOptions === undefined ? {} : { providerOptions }),
    };
  }

  function send(asked: LanguageModelV4CallOptions, { host, signal }: Turn): Promise<StepResponse> {
    const warn = (message: string) => notice(host, "provider", message);
    return sendRequest({ ...parts, request: asked, host, signal, warn, holdText: output !== undefined });
  }

  /** The same thing is told once in a conversation. */
  function notice(host: TurnContext, code: string, message: string): void {
    if (told.has(message)) return;
    told.add(message);
    host.emit({ type: "notice", level: "info", code, message });
  }

  /** The response's calls, mended where they do not fit, and the tokens that the mending used. */
  async function mend({ calls }: StepResponse, turn: Turn): Promise<{ made: ToolCall[]; used: Usage }> {
    let used = noUsage;
    const ask = async (asked: LanguageModelV4CallOptions) => {
      const answer = await askQuietly({ ...asked, ...common() }, turn);
      if (answer) used = addUsage(used, turn.spending.add(answer));
      return answer;
    };
    const find = (name: string) => tools.find((tool) => tool.name === name);
    const tell = (message: string) => turn.host.emit({ type: "notice", level: "info", code: "call-mended", message });
    const made: ToolCall[] = [];
    for (const call of calls) made.push(await mendCall(call, { find, ask, tell })); // a run asks one thing at a time
    return { made, used };
  }

  /** One try, of which nothing is shown; where it fails, the gate will say what is wrong with the call. */
  async function askQuietly(asked: LanguageModelV4CallOptions, turn: Turn): Promise<StepResponse | undefined> {
    const host = { emit: () => {}, awaitLimit: (error: unknown) => Promise.reject(error) };
    const options = { ...parts, request: asked, host, signal: turn.signal, warn: () => {}, holdText: false };
    const answer = await sendRequest({ ...options, maxAttempts: 1 }).catch(() => undefined);
    if (turn.signal.aborted) throw stopped();
    return answer;
  }

  async function takeStep(turn: Turn): Promise<TurnEnd | undefined> {
    const { host, spending } = turn;
    const response = withNames(await send(request(), turn), nameCall);
    const usage = spending.add(response);
    const { finishReason, calls } = response;
    const error = finishError(finishReason, { calls: calls.length, maxOutputTokens: spec.maxOutputTokens });
    const { made, used } = error ? { made: [], used: noUsage } : await mend(response, turn);
    const object = output && made.length === 0 ? parseObject(response.text) : undefined;
    if (output && object === undefined) showText(response, host);
    host.emit({ type: "step.finished", usage: addUsage(usage, used) });
    if (error) throw error;
    remember(response, made);
    if (made.length === 0) return object === undefined ? { reason: "natural" } : { reason: "natural", object };
    if (isSpent(spending)) return { reason: "budget" };
    await callTools(made, turn);
    return undefined;
  }

  /** Throws where nobody knows what was spent: to go on would be to spend without a limit. */
  function isSpent({ usd }: Spending): boolean {
    if (spec.maxCostUsd === undefined) return false;
    if (usd === undefined) throw unpriced(facts.backend, facts.model);
    return usd >= spec.maxCostUsd;
  }

  /** Hosts take no empty message. */
  function remember(response: StepResponse, made: readonly ToolCall[]): void {
    if (response.content.length + made.length > 0) messages.push(answerOf(response, made));
  }

  /** All at once: the gate decides which of them run side by side. */
  async function callTools(calls: readonly ToolCall[], { host, signal }: Turn): Promise<void> {
    const replies = await Promise.all(calls.map((call) => host.callTool(call)));
    if (signal.aborted) throw stopped();
    const results = calls.map((call, index) => toToolResult(call, replies[index] as ToolReply, wiring.marksErrors));
    messages.push({ role: "tool", content: results });
    for (const { offer } of replies) if (offer && !tools.some(({ name }) => name === offer.name)) tools.push(offer);
  }

  async function turn(input: Message, host: TurnContext): Promise<TurnEnd> {
    messages.push(toMessage(input));
    const signal = AbortSignal.any([host.signal, closed.signal]);
    const spending = createSpending({ ...parts, model: facts.model, cacheTtl });
    if (output && output.dropped.length > 0)
      notice(host, "schema-keywords", droppedMessage(facts.backend, output.dropped));
    try {
      for (let step = 0; step < spec.stepBudget; step++) {
        const end = await takeStep({ host, signal, spending });
        if (end) return end;
      }
      return { reason: "budget" };
    } finally {
      const report = spending.report();
      if (report) host.emit(report);
    }
  }

  return {
    surroundings: { implicitSources: [], hostAdds: output?.instruction === undefined ? [] : [instructionAdds] },
    turn,
    close: async () => closed.abort(stopped()),
  };
}

function droppedMessage(backend: string, dropped: readonly string[]): string {
  return `The backend ${backend} does not take ${dropped.join(", ")} in a schema; the object is checked for it here.`;
}

/** The text of a response that was held back because it might have been an object. */
function showText({ content }: StepResponse, host: TurnContext): void {
  for (const block of content) {
    if (block.type !== "text" || block.text === "") continue;
    host.emit({ type: "text.delta", text: block.text });
    host.emit({ type: "text.completed", text: block.text });
  }
}

function answerOf({ content, calls }: StepResponse, made: readonly ToolCall[]): LanguageModelV4Message {
  const parts = made.map(({ callId, tool, input }, index) => {
    const options = calls[index]?.providerOptions;
    const call = { type: "tool-call" as const, toolCallId: callId, toolName: tool, input: historyInput(input) };
    return options === undefined ? call : { ...call, providerOptions: options };
  });
  return { role: "assistant", content: [...content, ...parts] };
}
