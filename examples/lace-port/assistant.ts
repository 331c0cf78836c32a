/** The part of the application that uses the ports: it stores the messages, asks a person, runs the calls, and loops. */
import type { AIProvider, ApprovalCallback, ProviderMessage, ProviderToolCall, Tool, ToolResult } from "./port.ts";

export class ToolExecutor {
  readonly #tools: readonly Tool[];
  readonly #approvals: ApprovalCallback;
  readonly #allowed = new Set<string>();

  constructor(tools: readonly Tool[], approvals: ApprovalCallback) {
    this.#tools = tools;
    this.#approvals = approvals;
  }

  async executeTool({ id, name, input }: ProviderToolCall): Promise<ToolResult> {
    const result = (text: string, isError: boolean) => ({ id, content: [{ type: "text" as const, text }], isError });
    const tool = this.#tools.find((each) => each.name === name);
    if (!tool) return result(`There is no tool ${name}.`, true);
    const decision = this.#allowed.has(name) ? "allow_once" : await this.#approvals.requestApproval(name, input);
    if (decision === "deny") return result("A person denied this call.", true);
    if (decision === "allow_session") this.#allowed.add(name);
    return tool.execute(input).then(
      (text) => result(text, false),
      (error: unknown) => result(String(error), true),
    );
  }
}

/** Adds the user's message and everything that follows to `messages`. Returns the answer. */
export async function converse(
  messages: ProviderMessage[],
  prompt: string,
  { provider, tools, executor, signal }: Conversation,
): Promise<string> {
  messages.push({ role: "user", content: prompt });
  for (;;) {
    const { content, toolCalls } = await provider.createStreamingResponse(messages, tools, signal);
    messages.push({ role: "assistant", content, toolCalls });
    if (toolCalls.length === 0) return content;
    const toolResults: ToolResult[] = [];
    for (const call of toolCalls) toolResults.push(await executor.executeTool(call));
    messages.push({ role: "user", content: "", toolResults });
  }
}

export interface Conversation {
  provider: AIProvider;
  tools: Tool[];
  executor: ToolExecutor;
  signal?: AbortSignal;
}
