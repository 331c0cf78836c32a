/**
 * The one door through which every tool call passes, on every backend: known name, input, policy, a person's answer
 * where the policy asks for it, execution with a time limit, cutting to size. Each step is on record before the next is
 * taken. Questions are put at once, several at a time; what they allow runs in the order in which it was called.
 */

import {
  type AnyTool,
  type ApprovalStore,
  type Approver,
  type JsonValue,
  type Logger,
  type PermissionStore,
  type Policy,
  preview,
  reasonOf,
  type ToolAnnotations,
  type ToolCall,
  type ToolContext,
  type ToolReply,
  type TurnContext,
  toJson,
} from "@bridle/protocol";
import type { Journal } from "../event-log/journal.ts";
import { type Authorization, createAuthorization } from "./authorization.ts";
import { type CallOutcome, createCallLedger } from "./call-ledger.ts";
import { createCallQueue } from "./call-queue.ts";
import { createCutResults } from "./cut-results.ts";
import { executeTool, parseInput } from "./execute-tool.ts";
import { previewCall } from "./preview-call.ts";
import type { WholeResults } from "./read-result.ts";
import { notJson, runEnded, unknownTool } from "./tool-replies.ts";
import type { Toolbox } from "./toolbox.ts";

export interface ToolExecutorOptions {
  toolbox: Toolbox;
  /** The host's own tools that were opened, with what each does. */
  builtins: Readonly<Record<string, ToolAnnotations>>;
  policy: Policy;
  /** Answers for a person; missing where nobody can be asked. */
  approver?: Approver;
  /** Where answers may come from elsewhere. */
  inbox?: ApprovalStore | undefined;
  /** After this many milliseconds a question without an answer is a denial. */
  approvalTimeoutMs: number;
  /** The answers that hold for the run. */
  permissions: PermissionStore;
  /** The run's time does not count until what it returns is called. */
  holdClock(): () => void;
  /** Ends the run, because a person said so. */
  stop(reason: string): void;
  /** The longest result that the host takes, in characters. */
  maxResultChars: number;
  /** Of the session's runs before. */
  earlierResults?: WholeResults | undefined;
  journal: Pick<Journal, "append" | "putArtifact">;
  runId: string;
  projectDir: string;
  logger: Logger;
  now(): number;
}

export interface ToolExecutor
  extends Pick<TurnContext, "callTool" | "authorizeHostTool" | "completeHostTool" | "reportRefused"> {
  /**
   * From now on nothing starts. Calls that wait are denied; those that run get an aborted signal and go on record as
   * failed, with `reason`. Whoever waits for a reply gets one.
   */
  close(reason: string): void;
  /** Calls that were asked for, and those of them that were denied or failed. */
  readonly calls: number;
  readonly failures: number;
}

type Allowed = Extract<Authorization, { allow: true }>;
type Outcome = CallOutcome & Pick<ToolReply, "offer">;

const endedReply: ToolReply = { output: runEnded, isError: true };

export function createToolExecutor(options: ToolExecutorOptions): ToolExecutor {
  const { toolbox, builtins, approver, stop, journal, maxResultChars, runId, projectDir, logger, now } = options;
  const queue = createCallQueue();
  const closing = new AbortController();
  const closed = Promise.withResolvers<ToolReply>();
  const cut = createCutResults(journal.putArtifact, maxResultChars, options.earlierResults);
  const ledger = createCallLedger(journal, now);
  const names = [...toolbox.declarations.map(({ name }) => name), ...Object.keys(builtins)];

  const admit = createAuthorization({ ...options, approver, ledger, ended: closing.signal });

  function deny(callId: string, output: string, rule?: string): ToolReply {
    ledger.deny(callId, output, rule);
    return { output, isError: true };
  }

  function refuse(callId: string, { output, rule, stop: reason }: Extract<Authorization, { allow: false }>): ToolReply {
    const reply = deny(callId, output, rule);
    if (reason !== undefined) stop(reason);
    return reply;
  }

  async function judge(
    callId: string,
    name: string,
    tool: AnyTool,
    { given, recorded }: Copies,
  ): Promise<Authorization> {
    const parsed = await parseInput(tool, given);
    if (!parsed.ok) return { allow: false, output: parsed.reply, rule: "input-schema" };
    const { input } = parsed;
    return admit({
      ...{ callId, tool: name, input, recorded, annotations: tool.annotations ?? {}, builtin: false },
      recheck: (edited) => parseInput(tool, edited),
      preview: () => previewCall(tool, input, { signal: closing.signal, projectDir }),
    });
  }

  async function run(callId: string, tool: AnyTool, admission: Allowed): Promise<ToolReply> {
    if (closing.signal.aborted) return endedReply;
    if (!ledger.start(callId, startOf(admission, tool.annotations))) return endedReply;
    const outcome = await attempt(callId, tool, admission);
    ledger.finish(callId, outcome);
    const { output, isError, offer } = outcome;
    return { output, isError, ...(offer ? { offer } : {}) };
  }

  async function attempt(callId: string, tool: AnyTool, { input, note }: Allowed): Promise<Outcome> {
    const { text, ...rest } = await executeTool(tool, input as Record<string, unknown>, contextOf(callId)).then(
      ({ markdown, structured }) => ({ text: markdown, isError: false, structured }),
      (error: unknown) => ({ text: reasonOf(error), isError: true }),
    );
    const fitted = cut.fit(callId, text, tool.maxResultChars);
    return { ...rest, ...fitted, ...(note !== undefined && { output: `${note}\n${fitted.output}` }) };
  }

  function contextOf(callId: string): ToolContext {
    const progress = (message: string) => ledger.progress(callId, String(message));
    return { signal: closing.signal, runId, callId, projectDir, logger, progress };
  }

  async function callTool(call: ToolCall): Promise<ToolReply> {
    const json = copies(call.input);
    const callId = ledger.request({ ...call, input: json.recorded }, false);
    const tool = toolbox.find(call.tool) ?? cut.find(call.tool);
    if (!tool) return deny(callId, unknownTool(call.tool, names), "known-tool");
    if (json.problem !== undefined) return deny(callId, notJson(call.tool, json.problem), "input-schema");
    const judged = judge(callId, call.tool, tool, json).then((admission) =>
      admission.allow ? admission : refuse(callId, admission),
    );
    const ran = queue(tool.annotations?.readOnly ?? false, async () => {
      const admission = await judged;
      return "allow" in admission ? run(callId, tool, admission) : admission;
    });
    return Promise.race([ran, judged.then((admission) => ("allow" in admission ? ran : admission))]); // a denial does not wait for its turn
  }

  async function authorizeHostTool(call: ToolCall): Promise<ToolReply | undefined> {
    const { recorded, given } = copies(call.input);
    const callId = ledger.request({ ...call, input: recorded }, true);
    const { tool } = call;
    const annotations = Object.hasOwn(builtins, tool) ? builtins[tool] : undefined;
    if (!annotations) return deny(callId, unknownTool(tool, names), "known-tool");
    const admission = await admit({ callId, tool, input: given, recorded, annotations, builtin: true });
    if (!admission.allow) return refuse(callId, admission);
    return ledger.start(callId, startOf(admission, annotations)) ? undefined : endedReply;
  }

  return {
    async callTool(call) {
      if (closing.signal.aborted) return endedReply;
      return Promise.race([callTool(call), closed.promise]);
    },
    async authorizeHostTool(call) {
      if (closing.signal.aborted) return { allow: false, reply: runEnded };
      const refusal = await Promise.race([authorizeHostTool(call), closed.promise]);
      return refusal ? { allow: false, reply: refusal.output } : { allow: true };
    },
    completeHostTool: (callId, ok, output) => ledger.finishBuiltin(callId, { output, isError: !ok }),
    reportRefused(call, output) {
      if (closing.signal.aborted || ledger.knows(call.callId)) return;
      const rule = toolbox.find(call.tool) ? "input-schema" : "known-tool"; // a host refuses what it cannot parse, too
      deny(ledger.request({ ...call, input: copies(call.input).recorded }, false), output, rule);
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

/** That a call starts need not outlive a power cut where it changes nothing. */
function startOf({ rule }: Allowed, annotations?: ToolAnnotations): { rule?: string; durable: boolean } {
  return { durable: !annotations?.readOnly, ...(rule !== undefined && { rule }) };
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
