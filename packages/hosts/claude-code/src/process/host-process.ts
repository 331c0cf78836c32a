import type { SDKUserMessage } from "@anthropic-ai/claude-agent-sdk";
import type { ConversationSpec, ToolCall, ToolReply, TurnContext } from "@bridle/protocol";
import type { UsageMeter } from "../messages/host-events.ts";
import type { HostMessage } from "../messages/messages.ts";
import type { ClaudeAuthMode } from "../options.ts";

/** The side of a turn that receives the host's messages. */
export interface TurnReceiver {
  receive(message: HostMessage): void;
  /** Receives each whole message in the host's form, before `receive` gets it. */
  receiveRaw(message: object): void;
  callTool(call: ToolCall): Promise<ToolReply>;
  authorizeHostTool: TurnContext["authorizeHostTool"];
  fail(error: unknown): void;
}

/** A running host process, which answers one turn after another. */
export interface HostProcess {
  /** Sends a message. From then on, `turn` receives the host's messages. If the process has ended, `turn` fails at once. */
  begin(message: SDKUserMessage, turn: TurnReceiver): void;
  /** Whether the host has sent anything in this conversation since the last `keepConversation`. */
  readonly hasResponded: boolean;
  /**
   * Converts the host's totals to the usage of a turn. The host counts tokens and cost for its whole process, even after it has forgotten a
   * conversation.
   */
  readonly meter: UsageMeter;
  readonly pid: number | undefined;
  /** Resolves when the process has ended, for any reason. */
  readonly gone: Promise<void>;
  /**
   * Goes back to before the first message. Resolves to true only if the host then knows no more than a new process and has nothing left to
   * do. If it resolves to false, the process must not serve another conversation.
   */
  rewind(): Promise<boolean>;
  /**
   * Stays in the conversation for its next turn. Resolves to true only if the host has nothing left to do. If it resolves to false, the
   * process must not serve another turn.
   */
  keepConversation(): Promise<boolean>;
  /** Lets this program exit although the process runs. `ref` reverts this. */
  unref(): void;
  ref(): void;
  close(graceMs: number): Promise<void>;
}

export interface HostProcessOptions {
  spec: ConversationSpec;
  auth: ClaudeAuthMode;
  environment: Record<string, string>;
}
