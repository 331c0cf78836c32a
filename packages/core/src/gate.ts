/**
 * The one door through which every tool call passes, on every backend: known name, input, policy, execution with a
 * time limit, cutting to size. Each step is on record before the next is taken.
 */
import type { ToolCall, ToolReply, TurnHost } from "./backend.ts";
import { createCallQueue } from "./call-queue.ts";
import { createCutResults } from "./cut-results.ts";
import { executeTool, parseInput } from "./execute-tool.ts";
import { denied, failureText, runEnded, unknownTool } from "./gate-replies.ts";
import type { Journal } from "./journal.ts";
import { canonicalJson, sha256 } from "./json.ts";
import type { Logger } from "./logger.ts";
import type { Policy, PolicyCall, PolicyDecision } from "./policy.ts";
import type { AnyTool, ToolContext } from "./tool.ts";
import type { Toolbox } from "./toolbox.ts";

export interface GateOptions {
  toolbox: Toolbox;
  builtins: readonly string[];
  policy: Policy;
  journal: Pick<Journal, "append" | "putArtifact">;
  runId: string;
  projectDir: string;
  logger: Logger;
  now(): number;
}

export interface Gate extends Pick<TurnHost, "callTool" | "admitBuiltin" | "settleBuiltin" | "reportRefused"> {
  /** From now on nothing starts; what runs gets an aborted signal, and its outcome goes on record as `reason`. */
  close(reason: string): void;
  /** Calls that were asked for, and those of them that were denied or failed. */
  readonly calls: number;
  readonly failures: number;
}

interface Outcome extends ToolReply {
  structured?: unknown;
  artifact?: string;
}

export function createGate({ toolbox, builtins, policy, journal, runId, projectDir, logger, now }: GateOptions): Gate {
  const queue = createCallQueue();
  const closing = new AbortController();
  const cut = createCutResults(journal.putArtifact);
  const names = [...toolbox.declarations.map(({ name }) => name), ...builtins];
  const seen = new Set<string>();
  const running = new Map<string, number>();
  let calls = 0;
  let failures = 0;

  /** A host may repeat an id, or give none; on record each call has its own. */
  function request({ callId, tool, input }: ToolCall): string {
    calls += 1;
    const id = callId !== "" && !seen.has(callId) ? callId : `${callId || "call"}#${calls}`;
    seen.add(id);
    const inputHash = sha256(canonicalJson(input ?? null));
    journal.append({ type: "tool.requested", callId: id, tool, input, inputHash });
    return id;
  }

  function deny(callId: string, rule: string, output: string): ToolReply {
    journal.append({ type: "tool.evaluated", callId, decision: "deny", rule });
    journal.append({ type: "tool.denied", callId, output });
    failures += 1;
    return { output, isError: true };
  }

  /** Undefined when the call may run, and is on record as started. */
  async function admit(callId: string, call: PolicyCall): Promise<ToolReply | undefined> {
    const decision = await evaluate(policy, call);
    if (closing.signal.aborted) return deny(callId, "run-ended", runEnded);
    if (decision.decision !== "allow") return deny(callId, decision.rule, denied(decision));
    journal.append({ type: "tool.evaluated", callId, decision: "allow", rule: decision.rule });
    journal.append({ type: "tool.started", callId });
    running.set(callId, now());
    return undefined;
  }

  /** The first outcome counts; one that comes after the gate was closed is dropped. */
  function finish(callId: string, { output, isError, structured, artifact }: Outcome): void {
    const startedAt = running.get(callId);
    if (startedAt === undefined) return;
    running.delete(callId);
    if (isError) failures += 1;
    const beside = { ...(structured === undefined ? {} : { structured }), ...(artifact ? { artifact } : {}) };
    journal.append({ type: "tool.finished", callId, ok: !isError, durationMs: now() - startedAt, output, ...beside });
  }

  /** A record that fails now must not keep the run from ending. */
  function finishQuietly(callId: string, output: string): void {
    try {
      finish(callId, { output, isError: true });
    } catch (error) {
      logger.error({ runId, callId, error }, "the end of a tool call could not be put on record");
    }
  }

  function contextOf(callId: string): ToolContext {
    const progress = (message: string) => {
      if (running.has(callId)) journal.append({ type: "tool.progress", callId, message });
    };
    return { signal: closing.signal, runId, callId, projectDir, logger, progress };
  }

  async function run(callId: string, tool: AnyTool, input: Record<string, unknown>): Promise<ToolReply> {
    const annotations = tool.annotations ?? {};
    const refusal = await admit(callId, { tool: tool.name, input, annotations, builtin: false });
    if (refusal) return refusal;
    const outcome = await attempt(callId, tool, input);
    finish(callId, outcome);
    const { output, isError, offer } = outcome;
    return { output, isError, ...(offer ? { offer } : {}) };
  }

  async function attempt(callId: string, tool: AnyTool, input: Record<string, unknown>): Promise<Outcome> {
    try {
      const { markdown, structured } = await executeTool(tool, input, contextOf(callId));
      return { isError: false, structured, ...cut.fit(callId, markdown, tool.maxResultChars) };
    } catch (error) {
      return { isError: true, ...cut.fit(callId, failureText(error), tool.maxResultChars) };
    }
  }

  return {
    async callTool(call) {
      if (closing.signal.aborted) return { output: runEnded, isError: true };
      const callId = request(call);
      const tool = toolbox.find(call.tool) ?? cut.find(call.tool);
      if (!tool) return deny(callId, "known-tool", unknownTool(call.tool, names));
      const parsed = await parseInput(tool, call.input);
      if (!parsed.ok) return deny(callId, "input-schema", parsed.reply);
      return queue(tool.annotations?.readOnly ?? false, () => run(callId, tool, parsed.input));
    },
    async admitBuiltin(call) {
      if (closing.signal.aborted) return { allow: false, reply: runEnded };
      const callId = request(call);
      const { tool, input } = call;
      const refusal = builtins.includes(tool)
        ? await admit(callId, { tool, input, annotations: {}, builtin: true })
        : deny(callId, "known-tool", unknownTool(tool, names));
      return refusal ? { allow: false, reply: refusal.output } : { allow: true };
    },
    settleBuiltin: (callId, ok, output) => finish(callId, { output, isError: !ok }),
    reportRefused(call, output) {
      if (closing.signal.aborted || seen.has(call.callId)) return;
      deny(request(call), "known-tool", output);
    },
    close(reason) {
      if (closing.signal.aborted) return;
      closing.abort(new Error(reason));
      for (const callId of [...running.keys()]) finishQuietly(callId, reason);
    },
    get calls() {
      return calls;
    },
    get failures() {
      return failures;
    },
  };
}

/** Whatever goes wrong in a policy denies. */
async function evaluate(policy: Policy, call: PolicyCall): Promise<PolicyDecision> {
  try {
    return await policy.evaluate(call);
  } catch (error) {
    return { decision: "deny", rule: "policy-failed", reason: `The policy failed: ${failureText(error)}` };
  }
}
