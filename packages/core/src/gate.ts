/**
 * The one door through which every tool call passes, on every backend: known name, input, policy, execution with a
 * time limit, cutting to size. Each step is on record before the next is taken.
 */
import { z } from "zod";
import type { ToolCall, ToolReply, TurnHost } from "./backend.ts";
import { type CallOutcome, createCallLedger } from "./call-ledger.ts";
import { createCallQueue } from "./call-queue.ts";
import { createCutResults } from "./cut-results.ts";
import { executeTool, parseInput } from "./execute-tool.ts";
import { denied, notJson, runEnded, unknownTool } from "./gate-replies.ts";
import type { Journal } from "./journal.ts";
import { type JsonValue, toJson } from "./json.ts";
import type { Logger } from "./logger.ts";
import type { Policy, PolicyCall, PolicyDecision } from "./policy.ts";
import { preview, reasonOf } from "./reason-of.ts";
import type { AnyTool, ToolContext } from "./tool.ts";
import type { Toolbox } from "./toolbox.ts";

export interface GateOptions {
  toolbox: Toolbox;
  builtins: readonly string[];
  policy: Policy;
  /** The longest result that the host takes, in characters. */
  maxResultChars: number;
  journal: Pick<Journal, "append" | "putArtifact">;
  runId: string;
  projectDir: string;
  logger: Logger;
  now(): number;
}

export interface Gate extends Pick<TurnHost, "callTool" | "admitBuiltin" | "settleBuiltin" | "reportRefused"> {
  /**
   * From now on nothing starts. Calls that wait are denied; those that run get an aborted signal and go on record as
   * failed, with `reason`. Whoever waits for a reply gets one.
   */
  close(reason: string): void;
  /** Calls that were asked for, and those of them that were denied or failed. */
  readonly calls: number;
  readonly failures: number;
}

type Outcome = CallOutcome & Pick<ToolReply, "offer">;

const endedReply: ToolReply = { output: runEnded, isError: true };

export function createGate(options: GateOptions): Gate {
  const { toolbox, builtins, policy, journal, maxResultChars, runId, projectDir, logger, now } = options;
  const queue = createCallQueue();
  const closing = new AbortController();
  const closed = Promise.withResolvers<ToolReply>();
  const cut = createCutResults(journal.putArtifact, maxResultChars);
  const ledger = createCallLedger(journal, now);
  const names = [...toolbox.declarations.map(({ name }) => name), ...builtins];

  function deny(callId: string, rule: string, output: string): ToolReply {
    ledger.deny(callId, rule, output);
    return { output, isError: true };
  }

  /** Undefined when the call may run, and is on record as started. */
  async function admit(callId: string, call: PolicyCall): Promise<ToolReply | undefined> {
    const decision = await evaluate(policy, call);
    if (decision.decision !== "allow") return deny(callId, decision.rule, denied(decision));
    return ledger.start(callId, decision.rule) ? undefined : endedReply;
  }

  async function run(callId: string, name: string, tool: AnyTool, given: JsonValue): Promise<ToolReply> {
    if (closing.signal.aborted) return endedReply;
    const parsed = await parseInput(tool, given);
    if (!parsed.ok) return deny(callId, "input-schema", parsed.reply);
    const { input } = parsed;
    const refusal = await admit(callId, {
      tool: name,
      input,
      annotations: tool.annotations ?? {},
      builtin: false,
    });
    if (refusal) return refusal;
    const outcome = await attempt(callId, tool, input);
    ledger.finish(callId, outcome);
    const { output, isError, offer } = outcome;
    return { output, isError, ...(offer ? { offer } : {}) };
  }

  async function attempt(callId: string, tool: AnyTool, input: Record<string, unknown>): Promise<Outcome> {
    const { text, ...rest } = await executeTool(tool, input, contextOf(callId)).then(
      ({ markdown, structured }) => ({ text: markdown, isError: false, structured }),
      (error: unknown) => ({ text: reasonOf(error), isError: true }),
    );
    return { ...rest, ...cut.fit(callId, text, tool.maxResultChars) };
  }

  function contextOf(callId: string): ToolContext {
    const progress = (message: string) => ledger.progress(callId, String(message));
    return { signal: closing.signal, runId, callId, projectDir, logger, progress };
  }

  async function callTool(call: ToolCall): Promise<ToolReply> {
    const json = copies(call.input);
    const callId = ledger.request({ ...call, input: json.recorded }, false);
    const tool = toolbox.find(call.tool) ?? cut.find(call.tool);
    if (!tool) return deny(callId, "known-tool", unknownTool(call.tool, names));
    if (json.problem !== undefined) return deny(callId, "input-schema", notJson(call.tool, json.problem));
    return queue(tool.annotations?.readOnly ?? false, () => run(callId, call.tool, tool, json.given));
  }

  async function admitBuiltin(call: ToolCall): Promise<ToolReply | undefined> {
    const { recorded, given } = copies(call.input);
    const callId = ledger.request({ ...call, input: recorded }, true);
    const { tool } = call;
    if (!builtins.includes(tool)) return deny(callId, "known-tool", unknownTool(tool, names));
    return admit(callId, { tool, input: given, annotations: {}, builtin: true });
  }

  return {
    async callTool(call) {
      if (closing.signal.aborted) return endedReply;
      return Promise.race([callTool(call), closed.promise]);
    },
    async admitBuiltin(call) {
      if (closing.signal.aborted) return { allow: false, reply: runEnded };
      const refusal = await Promise.race([admitBuiltin(call), closed.promise]);
      return refusal ? { allow: false, reply: refusal.output } : { allow: true };
    },
    settleBuiltin: (callId, ok, output) => ledger.finishBuiltin(callId, { output, isError: !ok }),
    reportRefused(call, output) {
      if (closing.signal.aborted || ledger.knows(call.callId)) return;
      const rule = toolbox.find(call.tool) ? "input-schema" : "known-tool"; // a host refuses what it cannot parse, too
      deny(ledger.request({ ...call, input: copies(call.input).recorded }, false), rule, output);
    },
    close(reason) {
      if (closing.signal.aborted) return;
      closing.abort(new Error(reason));
      ledger.settleAll(reason, (callId, error) => {
        logger.error({ runId, callId, error }, "the end of a tool call could not be put on record");
      });
      closed.resolve(endedReply);
    },
    get calls() {
      return ledger.calls;
    },
    get failures() {
      return ledger.failures;
    },
  };
}

interface Copies {
  recorded: JsonValue;
  given: JsonValue;
  /** Why the input is not JSON; what is on record is then a preview. */
  problem?: string;
}

/** One copy of an input for the record and one for the tool, so that neither changes with the other. */
function copies(input: unknown): Copies {
  try {
    return { recorded: toJson(input), given: toJson(input) };
  } catch (error) {
    return { recorded: preview(input), given: null, problem: reasonOf(error) };
  }
}

const decisionSchema = z.object({
  decision: z.enum(["allow", "deny"]),
  rule: z.string(),
  reason: z.string().optional(),
});

/** Whatever goes wrong in a policy denies. */
async function evaluate(policy: Policy, call: PolicyCall): Promise<PolicyDecision> {
  try {
    const { decision, rule, reason } = decisionSchema.parse(await policy.evaluate(call));
    return { decision, rule, ...(reason === undefined ? {} : { reason }) };
  } catch (error) {
    const problem = error instanceof z.ZodError ? z.prettifyError(error) : reasonOf(error);
    return { decision: "deny", rule: "policy-failed", reason: `The policy failed: ${problem}` };
  }
}
