/** The events of AG-UI 1.0 that Bridle sends. The tests check them with the protocol's own schemas. */

export const agUiVersion = "1.0";

type Metadata = Readonly<Record<string, unknown>>;

export interface AgUiToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

type AgUiMessageBody =
  | { readonly role: "user"; readonly content: AgUiContent }
  | { readonly role: "assistant"; readonly content?: string; readonly toolCalls?: readonly AgUiToolCall[] }
  | { readonly role: "tool"; readonly toolCallId: string; readonly content: AgUiContent }
  | { readonly role: "reasoning"; readonly content: string };
export type AgUiMessage = { readonly id: string } & AgUiMessageBody;

export type AgUiPart =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image";
      readonly source: { readonly type: "data"; readonly value: string; readonly mimeType: string };
    };
export type AgUiContent = string | readonly AgUiPart[];

export interface AgUiInterrupt {
  readonly id: string;
  readonly reason: "tool_call";
  readonly message: string;
  readonly toolCallId: string;
  readonly responseSchema: Metadata;
  readonly expiresAt: string;
  readonly metadata: Metadata;
}

type AgUiOutcome =
  | { readonly type: "success" }
  | { readonly type: "cancelled" }
  | { readonly type: "interrupt"; readonly interrupts: readonly AgUiInterrupt[] };

interface AgUiTokens {
  readonly provider?: string;
  readonly model?: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly cachedInputTokens: number;
  readonly cacheWriteInputTokens: number;
}

export interface AgUiRun {
  readonly threadId: string;
  readonly runId: string;
}

export type AgUiEvent =
  | (AgUiRun & {
      readonly type: "RUN_STARTED";
      readonly protocolVersion: string;
      readonly parentRunId?: string;
      readonly metadata: Metadata;
    })
  | (AgUiRun & { readonly type: "RUN_FINISHED"; readonly outcome: AgUiOutcome; readonly usage: readonly AgUiTokens[] })
  | {
      readonly type: "RUN_ERROR";
      readonly message: string;
      readonly code: string;
      readonly usage: readonly AgUiTokens[];
    }
  | { readonly type: "STEP_STARTED" | "STEP_FINISHED"; readonly stepName: string }
  | { readonly type: "TEXT_MESSAGE_START"; readonly messageId: string; readonly role: "assistant" }
  | { readonly type: "REASONING_MESSAGE_START"; readonly messageId: string; readonly role: "reasoning" }
  | {
      readonly type: "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT";
      readonly messageId: string;
      readonly delta: string;
    }
  | {
      readonly type: "TEXT_MESSAGE_END" | "REASONING_MESSAGE_END" | "REASONING_START" | "REASONING_END";
      readonly messageId: string;
    }
  | {
      readonly type: "TOOL_CALL_START";
      readonly toolCallId: string;
      readonly toolCallName: string;
      readonly parentMessageId: string;
    }
  | { readonly type: "TOOL_CALL_ARGS"; readonly toolCallId: string; readonly delta: string }
  | { readonly type: "TOOL_CALL_END"; readonly toolCallId: string }
  | {
      readonly type: "TOOL_CALL_RESULT";
      readonly messageId: string;
      readonly toolCallId: string;
      readonly role: "tool";
      readonly content: AgUiContent;
      readonly metadata: Metadata;
    }
  | { readonly type: "MESSAGES_SNAPSHOT"; readonly messages: readonly AgUiMessage[] }
  | { readonly type: "CUSTOM"; readonly name: string; readonly value: unknown };
