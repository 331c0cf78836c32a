import type { Approver } from "../approvals/approval.ts";
import type { Policy } from "../approvals/policy.ts";
import type { BridleError } from "../errors/errors.ts";
import type { SessionTotals } from "../event-log/session-totals.ts";
import type { EventDetail } from "../events/event-details.ts";
import type { EventOf, RunEvent, RunResult } from "../events/events.ts";
import type { AuthStatus, HostSettings } from "../host/backend.ts";
import type { HistoryMessage } from "../messages/history-message.ts";
import type { Prompt } from "../messages/prompt.ts";
import type { StandardSchema } from "../schemas/standard-schema.ts";
import type { JsonSchema } from "../text/json.ts";
import type { ParentCall } from "../tools/parent-call.ts";
import type { AnyTool } from "../tools/tool.ts";
import type { Cost, Usage } from "../usage/usage.ts";
import type { RuntimeCapabilities } from "./capabilities.ts";

/**
 * How a history is compacted: `drop-tool-results` leaves out long tool results, `summarise` asks the model for a summary of
 * all but the newest turn, `none` never changes the history.
 */
export type Compaction = "none" | "drop-tool-results" | "summarise";

/** The options of every operation. */
export interface OperationRequest {
  prompt: Prompt;
  /** The purpose of the call. The configuration maps roles to models. Default: `default`. */
  role?: string | undefined;
  /** The model's name, instead of the role's model. */
  model?: string | undefined;
  /** Instructions. The static part may be cached across calls; put changing text into `dynamic`. */
  system?: string | { static?: string | undefined; dynamic?: string | undefined } | undefined;
  /** Stops the run when it is aborted. */
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds until the run ends with a TimeoutError. Waiting for the account limiter, for a used-up window or for
   * the user does not count. Default: no limit.
   */
  timeoutMs?: number | undefined;
  /** The longest response, in tokens. Default: the host's. */
  maxOutputTokens?: number | undefined;
  /** The randomness of the model's words, from 0 to 2. If the backend has no such setting, a notice is logged. */
  temperature?: number | undefined;
  /**
   * Limits the choice to the most likely words that together have this probability, from 0 to 1. If the backend has no such setting, a
   * notice is logged.
   */
  topP?: number | undefined;
  /** Labels that are copied to events and spans. */
  labels?: Record<string, string> | undefined;
}

/** Text and object operations take tools and budgets, too. `stepBudget` with tools is 20 by default. */
export type OperationTools = Partial<
  Pick<
    LoopRequest,
    | "tools"
    | "stepBudget"
    | "maxCostUsd"
    | "maxTotalTokens"
    | "builtins"
    | "hostSettings"
    | "policy"
    | "approve"
    | "projectDir"
    | "environment"
    | "eventDetails"
    | "onStep"
  >
>;

export interface TextRequest extends OperationRequest, OperationTools {}

export interface ObjectRequest<T> extends OperationRequest, OperationTools {
  /** A Zod object, another library's object schema that can produce a JSON Schema, or a JSON Schema of type `object`. */
  schema: StandardSchema<T> | JsonSchema;
  /** How many times the model may correct an invalid object. Default: 2. */
  schemaRetries?: number | undefined;
}

/** `T` is the type of the object, if the request has a schema. */
export interface LoopRequest<T = unknown> extends OperationRequest {
  /** The only tools that the model may call, apart from `builtins`. */
  tools: readonly AnyTool[];
  /** The maximum number of model responses of the run and its nested runs; a whole number from 1. Default: 20. */
  stepBudget?: number | undefined;
  /** The maximum cost of the run and its nested runs, in US dollars. At this cost, the run ends with the stop reason `budget`. */
  maxCostUsd?: number | undefined;
  /** The maximum number of tokens of the run and its nested runs. At this number, the run ends with the stop reason `budget`. */
  maxTotalTokens?: number | undefined;
  /** The host's own tools that the model may call, by exact name. Default: none. */
  builtins?: readonly string[] | undefined;
  /** Settings that only this host has. An unknown key causes an UnsupportedFeatureError. */
  hostSettings?: HostSettings | undefined;
  /** A Zod object or a JSON Schema of type `object`. The run ends with a valid object, which is in the result. */
  schema?: ObjectRequest<T>["schema"] | undefined;
  /** How many times the model may correct an invalid object, if `schema` is set. Default: 2. */
  schemaRetries?: number | undefined;
  /**
   * Rules that are combined with the runtime's. These rules decide, but a call that the runtime denies stays denied, and a tool that one of
   * the two disables is hidden from the model. Default: only the runtime's rules.
   */
  policy?: Policy | undefined;
  /** Answers questions when a rule asks. Another process may answer first. Default: the runtime's approver. */
  approve?: Approver | undefined;
  /** The folder that tools and the host work on, as an absolute path. Default: the runtime's. */
  projectDir?: string | undefined;
  /**
   * Variables for the processes that the host starts, such as commands in Claude Code's `Bash`, in addition to the runtime's
   * `toolEnvironment`. Your tools get all of them as `context.environment`. With a host without processes, only your tools get them. A
   * variable that would change who pays, the address of requests or the host's settings causes a ConfigError. The event log does not
   * contain the variables, and does not redact their values in tool results.
   */
  environment?: Readonly<Record<string, string>> | undefined;
  /** Additional details in the events. Each entry makes the event log longer. Default: the runtime's, or none. */
  eventDetails?: readonly EventDetail[] | undefined;
  /**
   * The call that starts the run, from the context of a tool: `parent: context.call`. The run obeys the rules of its
   * callers in addition to its own, asks the same user, and shares their budgets. It ends when its caller ends.
   */
  parent?: ParentCall | undefined;
  /** How many levels of nested runs the run's tools may start. Default: 3. A nested run never has more levels than its caller has left. */
  maxDepth?: number | undefined;
  /** How the conversation is compacted if it becomes too long for the model. A run compacts at most once. Default: `drop-tool-results`. */
  compaction?: Compaction | undefined;
  /**
   * Called once for each `step.finished`.
   * Contract: return quickly. If it throws, a warning is logged and the run continues.
   */
  onStep?: ((step: EventOf<"step.finished">) => unknown) | undefined;
}

/** The options that the runs of a session share. */
export interface SessionRequest<T = unknown>
  extends Pick<
    LoopRequest<T>,
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
    | "approve"
    | "projectDir"
    | "environment"
    | "eventDetails"
    | "maxDepth"
    | "compaction"
  > {
  /** The id of a session in the event log, to continue it. A new id begins a new session. Default: a generated id. */
  id?: string | undefined;
  /**
   * The share of the model's context window that triggers compaction, above 0 and at most 1. The history is compacted
   * before it is sent. Default: 0.85. Has no effect if the host does not report the size of the window.
   */
  compactAt?: number | undefined;
}

/** The options of one run of a session. They override the session's options. Labels and variables are added to the session's. */
export interface SendOptions
  extends Pick<
    LoopRequest,
    | "signal"
    | "timeoutMs"
    | "maxCostUsd"
    | "maxTotalTokens"
    | "onStep"
    | "labels"
    | "policy"
    | "approve"
    | "projectDir"
    | "environment"
    | "eventDetails"
    | "parent"
  > {
  stepBudget?: number | undefined;
  /**
   * The id of the run, for a program that must know the id before the run begins: 1 to 128 letters, digits, `-` and `_`. It must be unique.
   * Default: a generated id.
   */
  runId?: string | undefined;
  /**
   * What to do if another run of the session is in progress, here or in another process: `wait` for it, or `fail` with an
   * InvalidRequestError or a StoreBusyError. Default: `wait`.
   */
  whenBusy?: "wait" | "fail" | undefined;
}

/**
 * A conversation of several runs, one at a time. Its memory is derived only from its events in the event log. `history()`, `totals` and
 * `steps` include the runs of this session object immediately, and additions from elsewhere when the session is opened, sends or is
 * refreshed.
 */
export interface AgentSession<T = unknown> {
  readonly id: string;
  /**
   * Begins a run that continues from the history. Resolves when the run has begun, after earlier runs have ended. Rejects
   * with a BridleError if the request is invalid; later failures are in the run's result.
   */
  send(prompt: Prompt, options?: SendOptions): Promise<AgentRun<T>>;
  /**
   * Creates a session with the history of this one: all of it, or up to a model response (`atStep`, from 1) and the results of its calls.
   * The new session appears in the event log with its first run.
   */
  fork(options?: { atStep?: number | undefined }): Promise<AgentSession<T>>;
  /** Reads the additions of other runtimes and processes to the session. `send`, `fork` and `compact` do this first. */
  refresh(): Promise<void>;
  /** Returns the messages that the model gets before the next prompt. */
  history(): readonly HistoryMessage[];
  /**
   * Replaces the history, from the next run on. Call ids and tool names that hosts refuse are replaced with plain ones, and blank strings
   * next to other parts are left out. `history()` then returns the messages that the model gets.
   *
   * @throws InvalidRequestError, with the position of the message, if hosts would not accept the messages.
   */
  edit(history: readonly HistoryMessage[]): void;
  /**
   * Compacts the history from the next run on, after the run in progress. Has no effect if another run begins before the promise resolves,
   * or in another process afterwards. Resolves with false if the history cannot be shortened. Rejects with a BridleError.
   */
  compact(strategy: Exclude<Compaction, "none">): Promise<boolean>;
  /** The sums over the runs that have ended. */
  readonly totals: SessionTotals;
  /** The number of model responses so far. */
  readonly steps: number;
  /** Stops the run in progress and waits until the host has released it. The session can be opened again afterwards. */
  close(): Promise<void>;
}

/**
 * A run: an async iterable of its events. Any number of consumers can read it, each from the first event.
 *
 * @example
 * for await (const event of run) if (event.type === "text.delta") process.stdout.write(event.text);
 * const { stopReason } = await run.result;
 */
export interface AgentRun<T = unknown> extends AsyncIterable<RunEvent> {
  readonly id: string;
  /**
   * The result in `run.finished`, with the object as the schema parsed it. Never rejects: check `stopReason` and `error`.
   */
  readonly result: Promise<ResultWith<T>>;
  /** Ends the run with the stop reason `stopped`. No further tool starts. Has no effect if the run has ended. */
  stop(reason?: string): void;
}

/** The result of a run. `object` is set if the run has a schema and ended naturally, `error` if it was stopped or failed. */
export type ResultWith<T> = Omit<RunResult, "object" | "error"> & { object?: T; error?: BridleError };

export interface TextResult {
  runId: string;
  text: string;
  model?: string;
  usage: Usage;
  cost?: Cost;
  /** Milliseconds from the start of the run to its end. */
  durationMs: number;
}
export interface ObjectResult<T> extends TextResult {
  object: T;
}

/** Runs requests on one backend. */
export interface AgentRuntime {
  /** The backend's id. */
  readonly backend: string;
  /** The features that runs can use. They are known before the first request, without asking the host. */
  readonly capabilities: RuntimeCapabilities;
  /** Set if a script plays the model: a string that distinguishes the script from others, or an empty string. */
  readonly rehearsal?: string | undefined;
  /**
   * Generates text. A string is the prompt. Rejects with a BridleError, which has the run's id, usage, cost and duration if it ended a run.
   */
  generateText(request: TextRequest | string): Promise<TextResult>;
  /** Resolves with an object that matches the schema. Rejects like `generateText`. */
  generateObject<T>(request: ObjectRequest<T>): Promise<ObjectResult<T>>;
  /** Starts a run. Throws a BridleError immediately if the request is invalid. Later failures are in the run's result. */
  runAgentLoop<T = unknown>(request: LoopRequest<T>): AgentRun<T>;
  /** Opens a new session, or continues one in the event log. Rejects with an InvalidRequestError if the id is invalid. */
  openSession<T = unknown>(request: SessionRequest<T>): Promise<AgentSession<T>>;
  /** Checks with a real request whether the host accepts its credentials. */
  checkAuth(signal?: AbortSignal): Promise<AuthStatus>;
  /** Stops the runs in progress, closes the backend, and resolves when both have ended. */
  close(): Promise<void>;
}
