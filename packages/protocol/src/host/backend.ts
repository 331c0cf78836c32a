/**
 * The port between the engine and a model host. A backend translates; it does not decide: policy, budgets, re-asks,
 * cutting of results and the record are the engine's.
 */

import type { HistoryMessage } from "../conversation/history-message.ts";
import type { Message } from "../conversation/prompt.ts";
import type { UsageLimitError } from "../errors/errors.ts";
import type { BackendEvent } from "../events/backend-events.ts";
import type { ImplicitSource, Resumption } from "../events/events.ts";
import type { JsonSchema } from "../text/json.ts";
import type { ToolAnnotations } from "../tools/tool.ts";

export type { BackendEvent };

/** What a host does by itself. The engine refuses a request that needs more, before anything is sent. */
export interface BackendFeatures {
  structuredOutput: boolean;
  /** Continues from messages that it never saw, calls of tools and their results among them. */
  history: boolean;
  /** Kinds of prompt part that it takes. */
  parts: readonly ("text" | "image" | "file")[];
  /** Honours `maxOutputTokens`. */
  maxOutputTokens: boolean;
  /** Honours `temperature` and `topP`. */
  sampling: boolean;
  /** Ends a turn by itself at `maxCostUsd`; the engine also counts what the host reports. */
  costBudget: boolean;
  /** The host's own tools that a caller may open, by name, with what each does; of what is not known, the worst. */
  builtins: Readonly<Record<string, ToolAnnotations>>;
  /** The keys of `hostSettings` that it takes; left out where it has none. */
  hostSettings?: readonly string[];
  /** The `promptCaching` fields that it honours. */
  promptCaching: readonly (keyof PromptCaching)[];
  /** The longest tool result that it takes, in characters; longer ones are cut, whatever the tool allows. */
  maxResultChars: number;
  /** What works less well here than elsewhere, in words for `status` and `doctor`. */
  degraded: readonly string[];
}

export interface PromptCaching {
  enabled: boolean;
  cacheSystem: boolean;
  cacheTools: boolean;
  cacheHistory: boolean;
  systemTtl: "5m" | "1h";
  toolsTtl: "5m" | "1h";
  historyTtl: "5m" | "1h";
}

export const defaultPromptCaching: PromptCaching = {
  enabled: true,
  cacheSystem: true,
  cacheTools: true,
  cacheHistory: true,
  systemTtl: "5m",
  toolsTtl: "5m",
  historyTtl: "5m",
};

/** Settings that only one host has, by the names that it gives them. JSON; the backend checks the values. */
export type HostSettings = Readonly<Record<string, unknown>>;

/** A tool as the model sees it. */
export interface ToolDeclaration {
  name: string;
  description: string;
  inputSchema: JsonSchema;
  annotations: ToolAnnotations;
}

/** Everything a conversation is opened with; nothing else may reach the model. */
export interface ConversationSpec {
  model: string;
  /** `static` may be cached across calls, `dynamic` changes between them. Empty texts are left out. */
  system: { static: string; dynamic: string };
  tools: readonly ToolDeclaration[];
  builtins: readonly string[];
  /** Of this host alone, in its own form; none but keys of `features.hostSettings`. */
  hostSettings?: HostSettings;
  outputSchema?: JsonSchema;
  /** How often a host that checks the object itself may ask for it within a turn; set with `outputSchema`. */
  outputAttempts?: number;
  /** Model responses that a turn may have. */
  stepBudget: number;
  maxOutputTokens?: number;
  /** Set only with `features.sampling`. */
  temperature?: number;
  /** As `temperature`. */
  topP?: number;
  maxCostUsd?: number;
  promptCaching: PromptCaching;
  /**
   * Messages to continue from, as the model is told them; empty unless `features.history`. They may name tools that are
   * not offered any more. The last may be the user's: what went before was stopped.
   */
  history: readonly HistoryMessage[];
  /** The session that the conversation is of: a host may hold on to it for the next run, until `releaseSession`. */
  session?: string;
  projectDir: string;
}

export interface Backend {
  readonly id: string;
  /** A script answers in the place of the models, and each run says so on record. */
  readonly rehearsed?: true;
  /**
   * Who pays, as a text that is the same wherever the same credentials are used on the same host: runs of one account
   * share its limits. Holds no credential; where there is nothing else to tell two accounts by, a short hash of one.
   */
  readonly account: string;
  readonly features: BackendFeatures;
  /** Throws a BridleError when the host cannot be started as asked. `signal` gives up the attempt. */
  open(spec: ConversationSpec, signal: AbortSignal): Promise<Conversation>;
  /** Asks the host, with a real request, whether its credentials are accepted. */
  checkAuth(signal?: AbortSignal): Promise<AuthStatus>;
  /** The session is closed: what the host holds for its next run is let go. A host that holds nothing leaves it out. */
  releaseSession?(session: string): Promise<void>;
  /** Ends everything that the backend has open and waits for it. */
  close(): Promise<void>;
}

export interface Conversation {
  /** What surrounds the input on this host, for the record. */
  readonly promptContext: PromptContext;
  /**
   * Sends one message and resolves when the model's turn has ended. A second call goes on in the same conversation.
   *
   * Contract: rejects only with a BridleError. Emits `step.finished` when a response is complete and before it calls
   * the tools of that response; never waits with it for a tool's reply.
   */
  turn(input: Message, host: TurnContext): Promise<TurnEnd>;
  close(): Promise<void>;
}

export interface PromptContext {
  implicitSources: readonly ImplicitSource[];
  hostAdds: readonly string[];
  /** Of a conversation of a session that goes on from a history, where the host may hold it itself. */
  resumption?: Resumption | undefined;
}

/** How a turn ended. `object` is the host's structured output, not validated yet. */
export interface TurnEnd {
  reason: "natural" | "budget";
  object?: unknown;
}

/** A call as the model made it; `input` is whatever it sent. */
export interface ToolCall {
  callId: string;
  tool: string;
  input: unknown;
}

/** `addedTool` is a tool that the model may call from now on, in addition to those of the spec. */
export interface ToolReply {
  output: string;
  isError: boolean;
  addedTool?: ToolDeclaration;
}

/** What a backend may do during a turn. None but `awaitLimit` rejects; all are without effect once the run has ended. */
export interface TurnContext {
  /** An event that does not fit its schema is dropped, and a notice says so. */
  emit(event: BackendEvent): void;
  /** Runs one of the caller's tools through the gate. A call that fails or is denied is a reply with `isError`. */
  callTool(call: ToolCall): Promise<ToolReply>;
  /** Asks whether a host tool that the caller opened may run; after `allow`, `completeHostTool` tells how it went. */
  authorizeHostTool(call: ToolCall): Promise<{ allow: true } | { allow: false; reply: string }>;
  completeHostTool(callId: string, ok: boolean, output: string): void;
  /** Puts a call on record that the host itself refused before it reached `callTool`. */
  reportRefused(call: ToolCall, output: string): void;
  /**
   * The host said that a subscription window is used up. Resolves when the same request may be sent again, where the
   * caller chose to wait; rejects with the error that the turn has to end with: the given one, or a StoppedError.
   *
   * Contract: called only where sending the request again repeats no effect; hold nothing open meanwhile that costs.
   */
  awaitLimit(error: UsageLimitError): Promise<void>;
  readonly signal: AbortSignal;
}

/** Whether the host accepts the credentials it would use, and how to mend it when not. Never holds a secret. */
export interface AuthStatus {
  ok: boolean;
  /** The auth mode that was checked. */
  mode: string;
  detail: string;
}
