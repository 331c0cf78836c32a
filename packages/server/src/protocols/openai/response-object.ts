/** The fields of a Responses API response that Bridle sends. */
import type { Usage } from "@bridle/protocol";
import { wholeInput } from "../shared/usage-sum.ts";

type ItemStatus = "in_progress" | "completed" | "incomplete" | "failed";

interface OutputText {
  readonly type: "output_text";
  readonly text: string;
  readonly annotations: readonly never[];
  readonly logprobs: readonly never[];
}

export interface MessageItem {
  readonly type: "message";
  readonly id: string;
  readonly role: "assistant";
  readonly status: ItemStatus;
  readonly content: readonly OutputText[];
}

export interface ReasoningItem {
  readonly type: "reasoning";
  readonly id: string;
  readonly status: ItemStatus;
  readonly summary: readonly never[];
  readonly content: readonly { readonly type: "reasoning_text"; readonly text: string }[];
}

export interface CallItem {
  readonly type: "mcp_call";
  readonly id: string;
  readonly status: ItemStatus;
  readonly server_label: string;
  readonly name: string;
  readonly arguments: string;
  readonly approval_request_id: string | null;
  readonly output: string | null;
  readonly error: { readonly type: "mcp_tool_execution_error"; readonly content: unknown } | null;
}

interface ApprovalItem {
  readonly type: "mcp_approval_request";
  readonly id: string;
  readonly server_label: string;
  readonly name: string;
  readonly arguments: string;
}

export type ResponseItem = MessageItem | ReasoningItem | CallItem | ApprovalItem;

/** The response fields that do not change while the response grows. */
export interface ResponseHead {
  readonly id: string;
  /** The agent's id. In this API, the agent is the model. */
  readonly model: string;
  /** The start time, in seconds since the epoch. */
  readonly createdAt: number;
  readonly previousId?: string | undefined;
  /** The id of the session. */
  readonly conversation: string;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

export interface ResponseState {
  readonly status: "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";
  readonly output: readonly ResponseItem[];
  readonly usage?: Usage | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  readonly incompleteReason?: "max_output_tokens" | undefined;
}

export function toResponseObject(head: ResponseHead, state: ResponseState) {
  return {
    id: head.id,
    object: "response",
    created_at: head.createdAt,
    status: state.status,
    model: head.model,
    error: state.error ?? null,
    incomplete_details: incompleteDetails(state),
    instructions: null,
    output: state.output,
    parallel_tool_calls: true,
    tool_choice: "auto",
    tools: [],
    temperature: null,
    top_p: null,
    max_output_tokens: null,
    truncation: "disabled",
    store: true,
    previous_response_id: head.previousId ?? null,
    conversation: { id: head.conversation },
    metadata: head.metadata ?? {},
    text: { format: { type: "text" } },
    reasoning: null,
    usage: state.usage ? toUsage(state.usage) : null,
  };
}
export type ResponseObject = ReturnType<typeof toResponseObject>;

function incompleteDetails({ status, incompleteReason }: ResponseState) {
  return status === "incomplete" ? { ...(incompleteReason && { reason: incompleteReason }) } : null;
}

function toUsage(usage: Usage) {
  const input = wholeInput(usage);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + usage.outputTokens,
  };
}
