/**
 * The port of an SDK that puts several agent runtimes behind one stream of events: the SDK runs the tools and decides about
 * them, a runtime only asks. It has the shape of the runtime adapter of CodeSDK (https://github.com/GoodFarming/codesdk). The
 * SDK owns these types; none of them is Bridle's.
 */

export interface RuntimeAdapter {
  readonly name: string;
  getCapabilities(): RuntimeCapabilities;
  getAuthStatus(env: RuntimeEnv): Promise<{ ok: boolean; loggedIn: boolean; details?: Record<string, unknown> }>;
  createSession(env: RuntimeEnv, input: { model?: string }): Promise<SessionHandle>;
  /** Whether the runtime can continue the session. */
  resumeSession(env: RuntimeEnv, handle: SessionHandle): Promise<{ ok: boolean }>;
  startTask(env: RuntimeEnv, handle: SessionHandle, input: TaskInput): Promise<TaskHandle>;
}

interface RuntimeCapabilities {
  supportsStreaming: boolean;
  supportsParallelToolCalls: boolean;
  /** At least 1. Omitted if the number is not limited. */
  maxOutstandingToolCalls?: number;
  supportsSessionResume: boolean;
  resumeModel: "native" | "reconstruct" | "none";
  mcpTransports: readonly string[];
}

export interface RuntimeEnv {
  /** The folder that the task works on, as an absolute path. */
  cwd: string;
}

export interface SessionHandle {
  sessionId: string;
  model?: string;
}

export interface TaskInput {
  taskId: string;
  /** The new message alone, or the whole transcript that ends with it. */
  messages: TranscriptMessage[];
  toolManifest?: { tools: ToolDeclaration[] };
}

export interface ToolDeclaration {
  name: string;
  description?: string;
  /** A JSON Schema of type `object`. */
  inputSchema?: Record<string, unknown>;
}

export interface TranscriptMessage {
  role: "user" | "assistant";
  content: TranscriptBlock[];
}

type TranscriptBlock =
  | { type: "text"; text: string }
  | { type: "tool_use"; tool_call_id: string; name: string; input: Record<string, unknown> }
  | { type: "tool_result"; tool_call_id: string; result: unknown; is_error?: boolean };

/** A task runs in both directions: events come out, results of calls go in. */
export interface TaskHandle {
  /** Every event from the first one. The last one is `task.completed`, `task.failed` or `task.stopped`. */
  events(): AsyncIterable<NormalizedEvent>;
  sendToolResult(toolCallId: string, result: unknown): Promise<void>;
  sendToolDenied(toolCallId: string, reason: string): Promise<void>;
  stop(reason?: string): Promise<void>;
}

export interface NormalizedEvent {
  schema_version: 1;
  seq: number;
  /** ISO 8601. */
  time: string;
  type: NormalizedEventType;
  trace: { session_id: string; task_id: string };
  runtime: { name: string; model?: string };
  payload: Record<string, unknown>;
}

export type NormalizedEventType =
  | "task.started"
  | "model.input"
  | "model.output.delta"
  | "model.output.completed"
  | "tool.call.requested"
  | "tool.call.policy_evaluated"
  | "tool.call.approved"
  | "tool.call.denied"
  | "tool.call.started"
  | "tool.call.completed"
  | "usage.reported"
  | "task.completed"
  | "task.failed"
  | "task.stopped";
