/**
 * The ports of a coding assistant that has the loop itself: it asks a provider for one response at a time, and runs the calls
 * with its own executor, which asks a person. They have the shape of those of Lace (https://github.com/obra/lace). The
 * application owns these types; none of them is Bridle's.
 */
import type { EventEmitter } from "node:events";

/** Emits `token` while it streams, and then `complete`. */
export interface AIProvider extends EventEmitter<ProviderEvents> {
  readonly providerName: string;
  readonly modelName: string;
  readonly supportsStreaming: boolean;
  setSystemPrompt(systemPrompt: string): void;
  /** Rejects with an error named AbortError if `signal` is aborted. */
  createResponse(messages: ProviderMessage[], tools: Tool[], signal?: AbortSignal): Promise<ProviderResponse>;
  createStreamingResponse(messages: ProviderMessage[], tools: Tool[], signal?: AbortSignal): Promise<ProviderResponse>;
  cleanup(): Promise<void>;
}

export interface ProviderEvents {
  token: [{ token: string }];
  complete: [{ response: ProviderResponse }];
}

/** The conversation, which the application stores. Results of calls are in the message after them. */
export interface ProviderMessage {
  role: "user" | "assistant" | "system";
  content: string;
  toolCalls?: ProviderToolCall[];
  toolResults?: ToolResult[];
}

export interface ProviderToolCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
}

export interface ProviderResponse {
  content: string;
  /** The application runs them, and asks for the next response with their results. */
  toolCalls: ProviderToolCall[];
  stopReason: "stop" | "tool_use" | "max_tokens";
  usage: { promptTokens: number; completionTokens: number };
}

export interface ToolResult {
  id: string;
  content: { type: "text"; text: string }[];
  isError: boolean;
}

export interface Tool {
  name: string;
  description: string;
  /** A JSON Schema of type `object`. */
  inputSchema: Record<string, unknown>;
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean };
  execute(input: Record<string, unknown>): Promise<string>;
}

export type ApprovalDecision = "allow_once" | "allow_session" | "deny";

export interface ApprovalCallback {
  requestApproval(toolName: string, input: unknown): Promise<ApprovalDecision>;
}
