/** A model server that speaks Chat Completions, without streaming. */
import { classifyFailure } from "@bridle/host-shared";
import {
  AuthenticationError,
  type Backend,
  BackendCrashError,
  type BackendFeatures,
  BillingError,
  type BridleError,
  ContextOverflowError,
  type Conversation,
  type ConversationSpec,
  type HistoryMessage,
  historyInput,
  InvalidRequestError,
  type Message,
  ModelNotFoundError,
  NetworkError,
  OverloadedError,
  RateLimitError,
  type ToolCall,
  type ToolDeclaration,
  type TurnContext,
  type TurnEnd,
} from "@bridle/protocol";
import { z } from "zod";

export interface TinyServer {
  readonly url: string;
  readonly token: string;
}

const contextWindow = 200_000;

export const tinyFeatures: BackendFeatures = {
  structuredOutput: true,
  history: true,
  parts: ["text"],
  maxOutputTokens: true,
  sampling: false,
  costBudget: false,
  builtins: {},
  promptCaching: [],
  maxResultChars: 100_000,
  degraded: ["A text arrives whole, because the server does not stream."],
};

export function createTinyBackend(server: TinyServer): Backend {
  return {
    id: "tiny",
    account: server.url,
    features: tinyFeatures,
    open: async (spec) => new TinyConversation(server, spec),
    async checkAuth(signal = new AbortController().signal) {
      try {
        await send(
          server,
          { model: "tiny-1", max_tokens: 1, messages: [{ role: "user", content: "Say OK." }] },
          signal,
        );
        return { ok: true, mode: "token", detail: "The server accepts the token." };
      } catch (error) {
        if (error instanceof AuthenticationError) return { ok: false, mode: "token", detail: error.message };
        throw error;
      }
    },
    close: async () => {},
  };
}

class TinyConversation implements Conversation {
  readonly promptContext = { implicitSources: [], hostAdds: [] };
  readonly #server: TinyServer;
  readonly #spec: ConversationSpec;
  readonly #tools: ToolDeclaration[];
  readonly #messages: HistoryMessage[];

  constructor(server: TinyServer, spec: ConversationSpec) {
    this.#server = server;
    this.#spec = spec;
    this.#tools = [...spec.tools];
    this.#messages = [...spec.history];
  }

  async turn(input: Message, context: TurnContext): Promise<TurnEnd> {
    this.#messages.push(input);
    for (let step = 0; step < this.#spec.stepBudget; step += 1) {
      const { text, calls } = await this.#step(context);
      if (calls.length === 0) return { reason: "natural", ...(this.#spec.outputSchema && readObject(text)) };
      await this.#run(calls, context);
    }
    return { reason: "budget" };
  }

  async close(): Promise<void> {}

  /** Requests one response. Its events are emitted before its calls begin. */
  async #step(context: TurnContext): Promise<{ text: string; calls: readonly ToolCall[] }> {
    const { choices, usage: tokens } = await send(this.#server, this.#request(), context.signal);
    context.emit({ type: "step.started", model: this.#spec.model });
    const { content, reasoning_content: reasoning, tool_calls } = choices[0].message;
    const text = content ?? "";
    const usage = {
      inputTokens: tokens.prompt_tokens,
      outputTokens: tokens.completion_tokens,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
    };
    if (reasoning) context.emit({ type: "reasoning.completed", text: reasoning });
    if (text !== "") context.emit({ type: "text.completed", text });
    context.emit({ type: "step.finished", usage });
    context.emit({ type: "usage.reported", usage, contextWindow });
    const calls = tool_calls.map(({ id, function: { name, arguments: json } }) => toCall(id, name, json));
    const said = text === "" ? [] : [{ type: "text" as const, text }];
    const made = calls.map((call) => ({ type: "tool-call" as const, ...call, input: historyInput(call.input) }));
    this.#messages.push({ role: "assistant", content: [...said, ...made] });
    return { text, calls };
  }

  async #run(calls: readonly ToolCall[], context: TurnContext): Promise<void> {
    const results = calls.map(async (call) => {
      const { output, isError, addedTool } = await context.callTool(call);
      if (addedTool) this.#tools.push(addedTool);
      return { type: "tool-result" as const, callId: call.callId, output, isError };
    });
    this.#messages.push({ role: "user", content: await Promise.all(results) });
  }

  #request() {
    const { model, system, outputSchema: schema, maxOutputTokens } = this.#spec;
    const instructions = [system.static, system.dynamic].filter((text) => text !== "").join("\n\n");
    return {
      model,
      ...(maxOutputTokens !== undefined && { max_tokens: maxOutputTokens }),
      ...(schema && { response_format: { type: "json_schema", json_schema: { name: "answer", schema } } }),
      tools: this.#tools.map(({ name, description, inputSchema: parameters }) => ({
        type: "function",
        function: { name, description, parameters },
      })),
      messages: [
        ...(instructions === "" ? [] : [{ role: "system", content: instructions }]),
        ...this.#messages.flatMap(toWire),
      ],
    };
  }
}

const call = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) });
const message = z.object({
  content: z.string().nullable(),
  reasoning_content: z.string().optional(),
  tool_calls: z.array(call).default([]),
});
const completion = z.object({
  choices: z.tuple([z.object({ message })]),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }),
});
const refusal = z.object({ error: z.object({ message: z.string(), code: z.string().nullish() }) });

/** Sends one request. Throws a BridleError if the answer is not valid. */
async function send(
  { url, token }: TinyServer,
  request: { readonly model: string; readonly [key: string]: unknown },
  signal: AbortSignal,
): Promise<z.output<typeof completion>> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const options = { method: "POST", headers, body: JSON.stringify(request), signal };
  const response = await fetch(`${url}/v1/chat/completions`, options).catch((cause: unknown) => {
    throw new NetworkError(`${url} cannot be reached. Start the server, or correct baseUrl.`, { cause });
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw toError(response.status, body, request.model);
  const answer = completion.safeParse(body);
  if (answer.success) return answer.data;
  throw new BackendCrashError(`${url} sent an invalid answer.`, { cause: answer.error });
}

function toError(status: number, body: unknown, model: string): BridleError {
  const found = refusal.safeParse(body);
  const { message: reason, code } = found.success ? found.data.error : { message: `status ${status}` };
  const text = `Tiny refused the request: ${reason}`;
  switch (classifyFailure({ status, codes: code ? [code] : [], message: reason })) {
    case "authentication":
      return new AuthenticationError(text);
    case "billing":
      return new BillingError(text);
    case "context_overflow":
      return new ContextOverflowError(text);
    case "model_not_found":
      return new ModelNotFoundError(text, model, ["tiny-1"]);
    case "overloaded":
      return new OverloadedError(text);
    case "rate_limit":
      return new RateLimitError(text);
    default:
      return new InvalidRequestError(text);
  }
}

function toCall(callId: string, tool: string, json: string): ToolCall {
  try {
    return { callId, tool, input: JSON.parse(json) };
  } catch {
    return { callId, tool, input: json }; // the engine replies to a malformed input
  }
}

/** Parses the object; empty if the text is not JSON, so that the engine requests the object again. */
function readObject(text: string): { object?: unknown } {
  try {
    return { object: JSON.parse(text) };
  } catch {
    return {};
  }
}

function toWire({ role, content }: HistoryMessage): object[] {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  const calls = content.flatMap((part) => (part.type === "tool-call" ? [part] : []));
  const results = content.flatMap((part) =>
    part.type === "tool-result" ? [{ role: "tool", tool_call_id: part.callId, content: part.output }] : [],
  );
  if (role === "user") return text === "" ? results : [...results, { role, content: text }];
  const tool_calls = calls.map(({ callId, tool, input }) => ({
    id: callId,
    type: "function",
    function: { name: tool, arguments: JSON.stringify(input) },
  }));
  return [{ role, content: text === "" ? null : text, ...(tool_calls.length > 0 && { tool_calls }) }];
}
