/**
 * The interface between the engine and a host. A *host* is an agent runtime or a model API, such as Claude Code. A *backend* is the adapter
 * to a host. A backend only translates: the engine applies the rules, counts budgets, asks again after an invalid object, truncates results
 * and writes the event log.
 *
 * The README of this package shows a complete backend. `testBackend` of `@bridle/conformance` checks a backend.
 */

import type { UsageLimitError } from "../errors/errors.ts";
import type { BackendEvent } from "../events/backend-events.ts";
import type { EventDetail } from "../events/event-details.ts";
import type { ImplicitSource, Resumption } from "../events/events.ts";
import type { HistoryMessage } from "../messages/history-message.ts";
import type { ImagePart, Message } from "../messages/prompt.ts";
import type { JsonSchema } from "../text/json.ts";
import type { ToolAnnotations } from "../tools/tool-annotations.ts";

export type { BackendEvent };

/** The features of a host. If a request needs a feature that the host lacks, the engine refuses the request before anything is sent. */
export interface BackendFeatures {
  /** Accepts `outputSchema` and returns the object as `TurnEnd.object`. */
  structuredOutput: boolean;
  /** Continues from messages that it has never seen, including tool calls and their results. */
  history: boolean;
  /** The kinds of prompt part that the host accepts. */
  parts: readonly ("text" | "image" | "file")[];
  /** Accepts images in tool results. If not, the engine replaces them with notes and logs a notice. Default: false. */
  resultImages?: boolean;
  /** Whether the model may request several tool calls in one response. Default: true. */
  parallelCalls?: boolean;
  /** Which calls of a response the host hands over before the earlier ones have their results. Default: `all`. */
  outstandingCalls?: OutstandingCalls;
  /**
   * Offers the model a tool that a reply adds (`ToolReply.addedTool`) within the same turn. If not, the engine passes the tool for reading
   * truncated results from the start. Default: true.
   */
  offersLater?: boolean;
  /** Applies `maxOutputTokens`. */
  maxOutputTokens: boolean;
  /** Applies `temperature` and `topP`. If false, the engine leaves both out and logs a notice. */
  sampling: boolean;
  /** Ends a turn at `maxCostUsd`. The engine also counts the costs that the host reports. */
  costBudget: boolean;
  /**
   * The host's own tools that a caller may allow, by exact name, with their annotations. If the effects of a tool are not
   * known, annotate the worst case.
   */
  builtins: Readonly<Record<string, ToolAnnotations>>;
  /** The keys of `hostSettings` that the host accepts. Default: none. */
  hostSettings?: readonly string[];
  /** The fields of `promptCaching` that the host applies. */
  promptCaching: readonly (keyof PromptCaching)[];
  /** The longest tool result that the host accepts, in characters. The engine truncates longer results. */
  maxResultChars: number;
  /** Known weaknesses of the host, in sentences. `bridle status` and `bridle doctor` show them. */
  degraded: readonly string[];
}

/**
 * Which calls may begin before earlier calls have their results: with `one` none, with `overlapping` the calls of tools that may overlap,
 * with `all` every call.
 */
export type OutstandingCalls = "one" | "overlapping" | "all";

/** Which parts of a prompt the host should cache, and for how long. */
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

/** Settings that only one host has, by the host's own names. The backend checks the values, which are JSON. */
export type HostSettings = Readonly<Record<string, unknown>>;

/** A tool as the model sees it. */
export interface ToolDeclaration {
  name: string;
  description: string;
  inputSchema: JsonSchema;
  annotations: ToolAnnotations;
  /**
   * Set if calls to the tool may run at the same time as other calls. A host that otherwise makes calls one after another can make these at
   * the same time.
   */
  parallel?: true;
}

/** Everything that opens a conversation. Nothing else may reach the model. */
export interface ConversationSpec {
  /** The model's name, as the host knows it. */
  model: string;
  /** Instructions. `static` may be cached across calls, `dynamic` changes between them. Do not send an empty string. */
  system: { static: string; dynamic: string };
  /** The caller's tools. Run each call with `TurnContext.callTool`. */
  tools: readonly ToolDeclaration[];
  /** The host's own tools that the model may call. All other tools of the host stay off. */
  builtins: readonly string[];
  /** Settings for this host, with keys of `features.hostSettings` only. */
  hostSettings?: HostSettings;
  /** The JSON Schema of the object that the turn must end with. */
  outputSchema?: JsonSchema;
  /** How many attempts at the object a turn may have if the host validates objects, too. Set with `outputSchema`. */
  outputAttempts?: number;
  /** The number of model responses that a turn may have. */
  stepBudget: number;
  /** The longest response, in tokens. */
  maxOutputTokens?: number;
  /** Set only if `features.sampling` is true. */
  temperature?: number;
  /** Set only if `features.sampling` is true. */
  topP?: number;
  /** The maximum cost of the conversation, in US dollars. */
  maxCostUsd?: number;
  promptCaching: PromptCaching;
  /**
   * Messages to continue from; empty unless `features.history` is true. They may name tools that are no longer
   * available. The last message may be the user's, if the previous run was stopped.
   */
  history: readonly HistoryMessage[];
  /** The id of the session. A host may keep resources for the session's next run, until `releaseSession`. */
  session?: string;
  /** The folder that the run works on, as an absolute path. */
  projectDir: string;
  /**
   * Variables for every process that the host starts for its own tools. Reject with a ConfigError if a variable would change the host
   * itself. If the host starts no process, ignore the variables: the engine passes them to tools.
   */
  environment?: Readonly<Record<string, string>>;
}

/**
 * The adapter to one host.
 *
 * Contract: its methods reject with a `BridleError` only, and nothing is started before the first call.
 */
export interface Backend {
  /** The name in configurations and events, such as `claude-code`. */
  readonly id: string;
  /** The provider of the models in telemetry, as `gen_ai.provider.name`. Default: `id`. */
  readonly telemetryProvider?: string | undefined;
  /** Set if a script replaces the model. Each run then logs that it was rehearsed. */
  readonly rehearsed?: true;
  /** Distinguishes the script from others, for example by its hash. */
  readonly script?: string | undefined;
  /**
   * Identifies who pays. Return the same string if the same credentials are used on the same host: runs of one account share its limits.
   * Never include a credential; if nothing else distinguishes two accounts, use a short hash of the credential.
   */
  readonly account: string;
  readonly features: BackendFeatures;
  /** Opens a conversation. Rejects if the host cannot be started as specified. `signal` cancels the attempt. */
  open(spec: ConversationSpec, signal: AbortSignal): Promise<Conversation>;
  /** Checks with a real request whether the host accepts its credentials. A refusal resolves with `ok: false`. */
  checkAuth(signal?: AbortSignal): Promise<AuthStatus>;
  /**
   * Called when a session is closed. Releases the resources that were kept for the session's next run. Leave the method out if the host
   * keeps none.
   */
  releaseSession?(session: string): Promise<void>;
  /** Ends everything that the backend has open, and resolves when all of it has ended. */
  close(): Promise<void>;
}

/** One conversation with a model. The engine takes one turn at a time. */
export interface Conversation {
  /** Everything that the host adds to the request. The event log stores it with the input. */
  readonly promptContext: PromptContext;
  /**
   * Sends one message and resolves when the model's turn has ended. The next call continues the same conversation.
   *
   * Contract: rejects with a `BridleError` only. Emits `step.finished` when a response is complete, before it calls the
   * tools of that response. Never delays `step.finished` until a tool has replied.
   */
  turn(input: Message, context: TurnContext): Promise<TurnEnd>;
  /** Releases the conversation. May be called during a turn, and more than once. */
  close(): Promise<void>;
}

/** Additions of a host to the input of a conversation. */
export interface PromptContext {
  /** Files and settings of the host that exist on this machine, and whether they were in effect. */
  implicitSources: readonly ImplicitSource[];
  /** Texts that the host adds to the request, each described in a sentence. */
  hostAdds: readonly string[];
  /** How the host got the history of a session that continues, if it can keep conversations open. */
  resumption?: Resumption | undefined;
}

/** How a turn ended. */
export interface TurnEnd {
  /** Why the turn ended: `budget` if the host stopped it at `stepBudget` or `maxCostUsd`. */
  reason: "natural" | "budget";
  /** The host's structured output. The engine validates it. */
  object?: unknown;
}

/** A tool call by the model. */
export interface ToolCall {
  /** The host's id of the call. An empty string if the host has none. */
  callId: string;
  tool: string;
  /** The input exactly as the model sent it. The engine validates it. */
  input: unknown;
  /** The id under which the input was streamed (`input.delta`), if it differs from `callId`. */
  streamId?: string | undefined;
}

/** The reply to a tool call, for the model. */
export interface ToolReply {
  output: string;
  /** Images that follow the text. Set only if `features.resultImages` is true. The text may then be empty. */
  images?: readonly ImagePart[] | undefined;
  /** True if the call failed or was denied. */
  isError: boolean;
  /** A tool that the model may call from now on, in addition to the tools of the spec. Set only if `features.offersLater` is not false. */
  addedTool?: ToolDeclaration;
}

/**
 * Lets a backend report events and call tools during a turn.
 *
 * Contract: only `awaitLimit` may reject. After the run has ended, all methods have no effect.
 */
export interface TurnContext {
  /** Reports an event. An event that does not match its schema is dropped, and a notice is logged. */
  emit(event: BackendEvent): void;
  /** Runs one of the caller's tools. If the call fails or is denied, the reply has `isError: true`. */
  callTool(call: ToolCall): Promise<ToolReply>;
  /** Asks whether one of the host's own tools may run. If it may, report its result with `completeHostTool`. */
  authorizeHostTool(call: ToolCall): Promise<{ allow: true } | { allow: false; reply: string }>;
  /** Reports the result of one of the host's own tools. */
  completeHostTool(callId: string, ok: boolean, output: string): void;
  /** Logs a call that the host refused before it reached `callTool`, with the reply that the model got. */
  reportRefused(call: ToolCall, output: string): void;
  /**
   * Call this if the host reports that a subscription window is used up. If the caller chose to wait, the promise resolves when the same
   * request may be sent again. If not, it rejects with the error that the turn must end with: the given error, or a `StoppedError`.
   *
   * Contract: call it only if sending the request again repeats no effect, and hold nothing expensive open during the wait.
   */
  awaitLimit(error: UsageLimitError): Promise<void>;
  /** Aborted when the run ends for any reason. Then end the turn. */
  readonly signal: AbortSignal;
  /** The details that the run requested. Emit `input.delta` and `host.message` only if they are requested. Default: none. */
  readonly eventDetails?: readonly EventDetail[];
}

/** Whether the host accepts its credentials. Never contains a secret. */
export interface AuthStatus {
  ok: boolean;
  /** The kind of login that was checked, such as `session` or `api-key`. */
  mode: string;
  /** One sentence: who is logged in, or how to correct the problem. */
  detail: string;
}
