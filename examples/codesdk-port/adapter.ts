/** Bridle as one of the SDK's agent runtimes, whatever host it runs on. A call of a tool waits until the SDK decides about it. */
import { randomUUID } from "node:crypto";
import type { AgentRun, AgentRuntime, AnyTool, EventOf, HistoryMessage, Policy, RunEventType, RunResult } from "bridle";
import { describeInput } from "bridle";
import type {
  NormalizedEvent,
  NormalizedEventType,
  RuntimeAdapter,
  RuntimeEnv,
  SessionHandle,
  TaskHandle,
  TaskInput,
  ToolDeclaration,
  TranscriptMessage,
} from "./port.ts";

const askTheSdk: Policy = { id: "sdk", evaluate: () => ({ decision: "ask", rule: "sdk" }) };

export class BridleAdapter implements RuntimeAdapter {
  readonly name = "bridle";
  readonly #runtime: AgentRuntime;

  constructor(runtime: AgentRuntime) {
    this.#runtime = runtime;
  }

  getCapabilities() {
    const { parallelCalls: supportsParallelToolCalls, outstandingCalls, mcpTransports } = this.#runtime.capabilities;
    const limit = outstandingCalls === "one" && { maxOutstandingToolCalls: 1 };
    const session = { supportsSessionResume: true, resumeModel: "reconstruct" as const };
    return { supportsStreaming: true, supportsParallelToolCalls, ...limit, ...session, mcpTransports };
  }

  async getAuthStatus() {
    const { ok, mode, detail } = await this.#runtime.checkAuth();
    return { ok, loggedIn: ok, details: { mode, detail } };
  }

  async createSession(_env: RuntimeEnv, { model }: { model?: string }): Promise<SessionHandle> {
    return { sessionId: randomUUID(), ...(model !== undefined && { model }) };
  }

  /** A session is in the event log of the runtime, which may be on disk or in a database. */
  async resumeSession(_env: RuntimeEnv, { sessionId: id }: SessionHandle): Promise<{ ok: boolean }> {
    const session = await this.#runtime.openSession({ id, tools: [] });
    return { ok: session.history().length > 0 };
  }

  async startTask({ cwd }: RuntimeEnv, handle: SessionHandle, input: TaskInput): Promise<TaskHandle> {
    const { taskId, messages, toolManifest } = input;
    const verdicts = new Verdicts();
    const session = await this.#runtime.openSession({
      id: handle.sessionId,
      model: handle.model,
      projectDir: cwd,
      labels: { task: taskId },
      tools: (toolManifest?.tools ?? []).map((tool) => toTool(tool, verdicts)),
      eventDetails: ["blocks", "tool-input"],
      policy: askTheSdk,
      approve: async ({ callId }) => {
        const { reason } = await verdicts.of(callId).promise;
        return reason === undefined ? { decision: "allow" } : { decision: "deny", message: reason };
      },
    });
    if (messages.length > 1) session.edit(toHistory(messages.slice(0, -1)));
    const [prompt] = toHistory(messages.slice(-1)).flatMap(({ content }) => content);
    const run = await session.send(prompt?.type === "text" ? prompt.text : "");
    return {
      events: () => normalise(run, { session_id: handle.sessionId, task_id: taskId }),
      sendToolResult: async (callId, result) => verdicts.of(callId).resolve({ result: toText(result) }),
      sendToolDenied: async (callId, reason) => verdicts.of(callId).resolve({ reason }),
      async stop(reason) {
        run.stop(reason);
        await run.result;
      },
    };
  }
}

/** The verdict of the SDK about each call: its result, or the reason why it may not run. Either may arrive before the call waits for it. */
class Verdicts {
  readonly #byCall = new Map<string, PromiseWithResolvers<{ result?: string; reason?: string }>>();

  of(callId: string) {
    const verdict = this.#byCall.get(callId) ?? Promise.withResolvers();
    this.#byCall.set(callId, verdict);
    return verdict;
  }
}

function toTool({ name, description = "", inputSchema }: ToolDeclaration, verdicts: Verdicts): AnyTool {
  const input = describeInput(inputSchema ?? { type: "object" });
  const execute: AnyTool["execute"] = async (_input, { callId }) => (await verdicts.of(callId).promise).result ?? "";
  return { name, description, input, execute, concurrency: "parallel" };
}

async function* normalise(run: AgentRun, trace: NormalizedEvent["trace"]): AsyncGenerator<NormalizedEvent> {
  let model: string | undefined;
  for await (const event of run) {
    if (event.type === "step.started") model = event.model;
    const [type, payload] = translations[event.type]?.(event as never) ?? [];
    if (!type) continue;
    const block = "block" in event && { block_id: event.block };
    const call = "callId" in event && { tool_call_id: event.callId, attempt: 1 };
    const runtime = { name: "bridle", ...(model !== undefined && { model }) };
    const shared = { seq: event.seq, time: new Date(event.time).toISOString(), trace, runtime };
    yield { schema_version: 1, ...shared, type, payload: { ...call, ...block, ...payload } };
  }
}

type Translated = [NormalizedEventType, object] | undefined;

const translations: { [Type in RunEventType]?: (event: EventOf<Type>) => Translated } = {
  "run.started": ({ tools }) => ["task.started", { tools }],
  "model.input": ({ artifact, sha256 }) => ["model.input", { input_ref: artifact, input_hash: sha256 }],
  "text.delta": ({ text }) => ["model.output.delta", { kind: "text_delta", delta: text }],
  "input.delta": ({ tool, text }) => ["model.output.delta", { kind: "json_delta", name: tool, delta: text }],
  "text.completed": ({ text }) => ["model.output.completed", { content: [{ type: "text", text }] }],
  "tool.requested": ({ tool, input, inputHash: hash }) => [
    "tool.call.requested",
    { name: tool, input, input_hash: hash },
  ],
  "tool.evaluated": ({ decision, rule }) => ["tool.call.policy_evaluated", { result: decision, rule }],
  "approval.decided": ({ decision }) => (decision === "allow" ? ["tool.call.approved", {}] : undefined),
  "tool.denied": ({ output }) => ["tool.call.denied", { reason: output }],
  "tool.started": () => ["tool.call.started", {}],
  "tool.finished": ({ ok, output }) => ["tool.call.completed", { is_error: !ok, result_preview: output }],
  "usage.reported": ({ usage, cost }) => ["usage.reported", { usage, total_cost_usd: cost?.usd }],
  "run.finished": ({ result }) => end(result),
};

function end({ stopReason, text, error }: RunResult): Translated {
  if (stopReason === "stopped") return ["task.stopped", { reason: error?.message }];
  if (stopReason === "error") return ["task.failed", { error: error?.message, retryable: error?.retryable }];
  return ["task.completed", { stop_reason: stopReason, text }];
}

function toHistory(messages: readonly TranscriptMessage[]): HistoryMessage[] {
  return messages.map(({ role, content }) => ({
    role,
    content: content.map((block) => {
      if (block.type === "text") return block;
      const { tool_call_id: callId } = block;
      if (block.type === "tool_use") return { type: "tool-call", callId, tool: block.name, input: block.input };
      return { type: "tool-result", callId, output: toText(block.result), isError: block.is_error ?? false };
    }),
  }));
}

function toText(result: unknown): string {
  return typeof result === "string" ? result : JSON.stringify(result);
}
