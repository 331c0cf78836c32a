/** The chunks of the AI SDK's UI message stream, version 1, that Bridle sends. */

type Fields = Readonly<Record<string, unknown>>;

export type FinishReason = "stop" | "length" | "error" | "tool-calls" | "other";

export type UiChunk =
  | { readonly type: "start"; readonly messageId: string; readonly messageMetadata: Fields }
  | { readonly type: "start-step" | "finish-step" | "reset-step" }
  | { readonly type: "text-start" | "text-end" | "reasoning-start" | "reasoning-end"; readonly id: string }
  | { readonly type: "text-delta" | "reasoning-delta"; readonly id: string; readonly delta: string }
  | {
      readonly type: "tool-input-available";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
      readonly dynamic: true;
      readonly providerExecuted: true;
    }
  | {
      readonly type: "tool-approval-request";
      readonly approvalId: string;
      readonly toolCallId: string;
      readonly approvalDescriptor: Fields;
      readonly reason?: string;
    }
  | {
      readonly type: "tool-approval-response";
      readonly approvalId: string;
      readonly approved: boolean;
      readonly reason?: string;
      readonly providerExecuted: true;
    }
  | {
      readonly type: "tool-output-available";
      readonly toolCallId: string;
      readonly output: unknown;
      readonly dynamic: true;
      readonly providerExecuted: true;
    }
  | {
      readonly type: "tool-output-error";
      readonly toolCallId: string;
      readonly errorText: string;
      readonly dynamic: true;
      readonly providerExecuted: true;
    }
  | { readonly type: "tool-output-denied"; readonly toolCallId: string }
  | { readonly type: `data-${string}`; readonly data: unknown; readonly transient?: true }
  | { readonly type: "error"; readonly errorText: string }
  | { readonly type: "abort"; readonly reason: string }
  | { readonly type: "finish"; readonly finishReason: FinishReason; readonly messageMetadata: Fields };
