import type { z } from "zod";
import type { Policy } from "../approvals/policy.ts";
import type { HistoryMessage } from "../conversation/history-message.ts";
import type { Prompt } from "../conversation/prompt.ts";
import type { SessionTotals } from "../event-log/session-totals.ts";
import type { EventOf, RunEvent, RunResult } from "../events/events.ts";
import type { Cost, Usage } from "../events/usage.ts";
import type { AuthStatus, HostSettings } from "../host/backend.ts";
import type { JsonSchema } from "../text/json.ts";
import type { AnyTool } from "../tools/tool.ts";

/**
 * `drop-tool-results` leaves long results of tools out, `summarise` has the model condense all but the newest turn, and
 * `none` leaves a history as it is, however long.
 */
export type Compaction = "none" | "drop-tool-results" | "summarise";

/** What every operation takes. */
export interface OperationRequest {
  prompt: Prompt;
  /** What the call is for; configuration binds roles to models. Default `default`. */
  role?: string;
  /** A model by name, instead of the role's. */
  model?: string;
  /** Instructions. The static part may be cached across calls; put what changes into `dynamic`. */
  system?: string | { static?: string; dynamic?: string };
  signal?: AbortSignal;
  /**
   * Milliseconds until the run is ended with a TimeoutError; they count from when the account has room for the run, and
   * not while it waits for a used-up window. No limit by default.
   */
  timeoutMs?: number;
  maxOutputTokens?: number;
  /** How freely the model chooses its words, from 0. Where the backend has no such setting, a notice says so. */
  temperature?: number;
  /** Only the likeliest words that make up this share, above 0 and 1 at most, are chosen from. As `temperature`. */
  topP?: number;
  /** Copied to events and spans. */
  labels?: Record<string, string>;
}

export type TextRequest = OperationRequest;

export interface ObjectRequest<T> extends OperationRequest {
  /** A Zod object, or a JSON Schema whose type is `object`. */
  schema: z.ZodType<T> | JsonSchema;
  /** How often the model is asked again with the validation errors. Default 2. */
  schemaRetries?: number;
}

export interface LoopRequest extends OperationRequest {
  /** The exact set of tools that the model may call. */
  tools: readonly AnyTool[];
  /** Model responses that the run may have; a whole number from 1. */
  stepBudget: number;
  maxCostUsd?: number;
  maxTotalTokens?: number;
  /** The host's own tools to open, by exact name. None by default. */
  builtins?: readonly string[];
  /** Settings that only the backend's host has. A key that it does not take is an UnsupportedFeatureError. */
  hostSettings?: HostSettings;
  /** The run ends with an object that fits: a Zod object, or a JSON Schema whose type is `object`. It is in the result. */
  schema?: ObjectRequest<unknown>["schema"];
  /** With `schema`: how often the model is asked again with the validation errors. Default 2. */
  schemaRetries?: number;
  /**
   * Rules over the runtime's: they decide, but what the runtime denies stays denied, and what either disables is not
   * offered. Default: the runtime's alone.
   */
  policy?: Policy;
  /**
   * How the conversation is made shorter when it does not fit the model any more, once in a run. Default
   * `drop-tool-results`.
   */
  compaction?: Compaction;
  /**
   * Called once for each `step.finished`.
   * Contract: return quickly. If it throws, a warning is logged and the run goes on.
   */
  onStep?(step: EventOf<"step.finished">): unknown;
}

/** What the runs of a session share. */
export interface SessionRequest
  extends Pick<
    LoopRequest,
    | "role"
    | "model"
    | "system"
    | "maxOutputTokens"
    | "temperature"
    | "topP"
    | "labels"
    | "tools"
    | "stepBudget"
    | "builtins"
    | "hostSettings"
    | "schema"
    | "schemaRetries"
    | "policy"
    | "compaction"
  > {
  /** Of a session on record, to go on with it; any other becomes the id of a new one. Made up by default. */
  id?: string;
  /**
   * The share of the model's window from which on the history is made shorter before it is sent, above 0 and 1 at most.
   * Default 0.85. Without effect where the host does not tell how large the window is.
   */
  compactAt?: number;
}

/** What one run of a session may have otherwise than the others; labels are added to the session's. */
export interface SendOptions
  extends Pick<LoopRequest, "signal" | "timeoutMs" | "maxCostUsd" | "maxTotalTokens" | "onStep" | "labels"> {
  stepBudget?: number;
  /**
   * What happens while another run of the session is in progress, here or in another process: `wait` for it (the
   * default), or `fail`, with an InvalidRequestError or a StoreBusyError.
   */
  whenBusy?: "wait" | "fail";
}

/** A conversation of several runs, one at a time. It remembers what its events on record tell of, and nothing else. */
export interface AgentSession {
  readonly id: string;
  /**
   * Begins a run that goes on from the history; resolves when it has begun, which is when those before it have ended.
   * Rejects with a BridleError when the request itself is wrong; everything later is in the run's result.
   */
  send(prompt: Prompt, options?: SendOptions): Promise<AgentRun>;
  /**
   * A new session with the history of this one, up to a response of the model (`atStep` from 1) and what its calls gave,
   * or all of it. It is on record from its first run on.
   */
  fork(options?: { atStep?: number }): Promise<AgentSession>;
  /** What the model will be told before the next prompt. */
  history(): readonly HistoryMessage[];
  /** Puts other messages in the place of the history, from the next run on. Throws InvalidRequestError where no host would take them. */
  edit(history: readonly HistoryMessage[]): void;
  /** Makes the history shorter from the next run on. False where it cannot be. Rejects with a BridleError. */
  compact(strategy: Exclude<Compaction, "none">): Promise<boolean>;
  /** Of the runs that have ended. */
  readonly totals: SessionTotals;
  /** Responses of the model so far. */
  readonly steps: number;
  /** Stops the run in progress and waits for its host. The session can be opened again. */
  close(): Promise<void>;
}

/** A run in progress: an async iterable of its events, from the first, for any number of consumers. */
export interface AgentRun extends AsyncIterable<RunEvent> {
  readonly id: string;
  /** The value that `run.finished` carries. Never rejects: see its `stopReason` and `error`. */
  readonly result: Promise<RunResult>;
  /** Ends the run with stop reason `stopped`. No further tool starts. Without effect on a run that has ended. */
  stop(reason?: string): void;
}

interface Answer {
  runId: string;
  text: string;
  model?: string;
  usage: Usage;
  cost?: Cost;
}
export type TextResult = Answer;
export interface ObjectResult<T> extends Answer {
  object: T;
}

export interface AgentRuntime {
  readonly backend: string;
  /** Rejects with a BridleError; one that ended a run carries the run's id. */
  generateText(request: TextRequest): Promise<TextResult>;
  /** Resolves with an object that fits the schema, or rejects with a BridleError; one that ended a run carries its id. */
  generateObject<T>(request: ObjectRequest<T>): Promise<ObjectResult<T>>;
  /** Throws a BridleError at once when the request itself is wrong; everything later is in the run's result. */
  runAgentLoop(request: LoopRequest): AgentRun;
  /** Opens a session, or goes on with one on record. Rejects with an InvalidRequestError for an id that cannot be one. */
  openSession(request: SessionRequest): Promise<AgentSession>;
  /** Asks the host, with a real request, whether its credentials are accepted. */
  checkAuth(signal?: AbortSignal): Promise<AuthStatus>;
  /** Stops the runs in progress and everything that the backend has open, and waits for it. */
  close(): Promise<void>;
}
