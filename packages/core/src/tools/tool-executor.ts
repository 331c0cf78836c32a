import {
  type AnyTool,
  type ApprovalStore,
  type Approver,
  assertDepth,
  getErrorMessage,
  type JsonValue,
  type Logger,
  omitUndefined,
  type PermissionStore,
  type Policy,
  parseNestedJson,
  preview,
  resolveAnnotations,
  type ToolAnnotations,
  type ToolCall,
  type ToolContext,
  type ToolReply,
  type TurnContext,
  toJson,
} from "@bridle/protocol";
import type { Journal } from "../event-log/journal.ts";
import { identifyTool } from "../policy/applicable-answers.ts";
import { type Authorization, ToolCallAuthorizer } from "./authorize-tool-call.ts";
import { CallLedger, type CallOutcome } from "./call-ledger.ts";
import { createCallQueue } from "./call-queue.ts";
import { type CutResults, createCutResults } from "./cut-results.ts";
import { executeTool, parseInput } from "./execute-tool.ts";
import { previewCall } from "./preview-call.ts";
import type { WholeResults } from "./read-result.ts";
import { notJson, runEnded, unknownTool } from "./tool-replies.ts";
import { declareTool, type Toolbox } from "./toolbox.ts";

export interface ToolExecutorOptions {
  toolbox: Toolbox;
  /** The id of the host. */
  host: string;
  /** The host's own tools that were opened, with their annotations. */
  builtins: Readonly<Record<string, ToolAnnotations>>;
  policy: Policy;
  /** Answers for a person; missing if nobody can be asked. */
  approver?: Approver | undefined;
  /** Answers from other processes. */
  approvals?: ApprovalStore | undefined;
  /** After this many milliseconds a question without an answer is a denial. */
  approvalTimeoutMs: number;
  /** The remembered answers that apply to the run. */
  permissions: PermissionStore;
  /** Pauses the run's time limit until the returned function is called. */
  holdClock(): () => void;
  /** Ends the run because a person asked for it. */
  stop(reason: string): void;
  /** The longest result that the host accepts, in characters. */
  maxResultChars: number;
  /** Results of the session's earlier runs. */
  earlierResults?: WholeResults | undefined;
  journal: Pick<Journal, "append" | "putArtifact">;
  runId: string;
  projectDir: string;
  logger: Logger;
  now(): number;
}

type Allowed = Extract<Authorization, { allow: true }>;
type Outcome = CallOutcome & Pick<ToolReply, "addedTool">;

const endedReply: ToolReply = { output: runEnded, isError: true };

/**
 * Runs every tool call of a run, on every host: known name, valid input, rules, a person's answer if the rules ask for
 * it, execution with a time limit, truncation. Each step is logged before the next one begins. Questions are put at
 * once, several at a time; allowed calls run in the order in which the model made them.
 */
export class ToolExecutor
  implements Pick<TurnContext, "callTool" | "authorizeHostTool" | "completeHostTool" | "reportRefused">
{
  readonly #options: ToolExecutorOptions;
  readonly #queue = createCallQueue();
  readonly #closing = new AbortController();
  readonly #closed = Promise.withResolvers<ToolReply>();
  readonly #cut: CutResults;
  readonly #ledger: CallLedger;
  readonly #authorizer: ToolCallAuthorizer;
  readonly #names: readonly string[];

  constructor(options: ToolExecutorOptions) {
    const { toolbox, builtins, journal, maxResultChars, earlierResults, now, approver } = options;
    this.#options = options;
    this.#cut = createCutResults(journal.putArtifact, maxResultChars, earlierResults);
    this.#ledger = new CallLedger(journal, now);
    this.#names = [...toolbox.declarations.map(({ name }) => name), ...Object.keys(builtins)];
    const ended = this.#closing.signal;
    this.#authorizer = new ToolCallAuthorizer({ ...options, approver, ledger: this.#ledger, ended });
  }

  /** The number of calls that the model made. */
  get calls(): number {
    return this.#ledger.calls;
  }

  /** The number of calls that were denied or failed. */
  get failures(): number {
    return this.#ledger.failures;
  }

  async callTool(call: ToolCall): Promise<ToolReply> {
    if (this.#closing.signal.aborted) return endedReply;
    return Promise.race([this.#callTool(call), this.#closed.promise]);
  }

  async authorizeHostTool(call: ToolCall): Promise<{ allow: true } | { allow: false; reply: string }> {
    if (this.#closing.signal.aborted) return { allow: false, reply: runEnded };
    const refusal = await Promise.race([this.#authorizeHostTool(call), this.#closed.promise]);
    return refusal ? { allow: false, reply: refusal.output } : { allow: true };
  }

  completeHostTool(callId: string, ok: boolean, output: string): void {
    this.#ledger.finishHostTool(callId, { output, isError: !ok });
  }

  reportRefused(call: ToolCall, output: string): void {
    if (this.#closing.signal.aborted || this.#ledger.knows(call.callId)) return;
    // a host also refuses an input that it cannot parse
    const rule = this.#options.toolbox.find(call.tool) ? "input-schema" : "known-tool";
    this.#deny(this.#ledger.request({ ...call, input: copyInput(call.input).recorded }, false), output, rule);
  }

  /**
   * Starts nothing from now on. Waiting calls are denied. Running calls get an aborted signal and are logged as failed,
   * with `reason`. Every caller that waits for a reply gets one.
   */
  close(reason: string): void {
    if (this.#closing.signal.aborted) return;
    const { logger, runId } = this.#options;
    this.#closing.abort(new Error(reason));
    this.#ledger.settleAll(reason, (callId, error) => {
      logger.error({ runId, callId, error }, "the end of a tool call could not be logged");
    });
    this.#closed.resolve(endedReply);
  }

  async #callTool(call: ToolCall): Promise<ToolReply> {
    const json = copyInput(call.input);
    const callId = this.#ledger.request({ ...call, input: json.recorded }, false);
    const tool = this.#options.toolbox.find(call.tool) ?? this.#cut.find(call.tool);
    if (!tool) return this.#deny(callId, unknownTool(call.tool, this.#names), "known-tool");
    if (json.problem !== undefined) return this.#deny(callId, notJson(call.tool, json.problem), "input-schema");
    const authorized = this.#authorize(callId, call.tool, tool, json).then((authorization) =>
      authorization.allow ? authorization : this.#refuse(callId, authorization),
    );
    const ran = this.#queue(tool.annotations?.readOnly ?? false, async () => {
      const authorization = await authorized;
      return "allow" in authorization ? this.#run(callId, tool, authorization) : authorization;
    });
    // a denial does not wait for its turn in the queue
    return Promise.race([ran, authorized.then((authorization) => ("allow" in authorization ? ran : authorization))]);
  }

  async #authorize(
    callId: string,
    name: string,
    tool: AnyTool,
    { given, recorded }: InputCopies,
  ): Promise<Authorization> {
    const parsed = await parseInput(tool, given);
    if (!parsed.ok) return { allow: false, output: parsed.reply, rule: "input-schema" };
    const { input } = parsed;
    const { projectDir, toolbox } = this.#options;
    const declaration = toolbox.declarations.find((each) => each.name === name) ?? declareTool(tool);
    return this.#authorizer.authorizeToolCall({
      ...{ callId, tool: name, input, recorded, annotations: resolveAnnotations(tool.annotations), builtin: false },
      identity: identifyTool(declaration, tool.source),
      recheck: (edited) => parseInput(tool, edited),
      preview: () => previewCall(tool, input, { signal: this.#closing.signal, projectDir }),
    });
  }

  async #authorizeHostTool(call: ToolCall): Promise<ToolReply | undefined> {
    const { builtins, host } = this.#options;
    const { recorded, given } = copyInput(call.input);
    const callId = this.#ledger.request({ ...call, input: recorded }, true);
    const { tool } = call;
    const annotations = Object.hasOwn(builtins, tool) ? builtins[tool] : undefined;
    if (!annotations) return this.#deny(callId, unknownTool(tool, this.#names), "known-tool");
    const identity = { source: `the host ${host}` };
    const described = { callId, tool, identity, input: given, recorded, annotations, builtin: true };
    const authorization = await this.#authorizer.authorizeToolCall(described);
    if (!authorization.allow) return this.#refuse(callId, authorization);
    return this.#ledger.start(callId, startOptions(authorization, annotations)) ? undefined : endedReply;
  }

  #deny(callId: string, output: string, rule?: string): ToolReply {
    this.#ledger.deny(callId, output, rule);
    return { output, isError: true };
  }

  #refuse(callId: string, { output, rule, stop }: Extract<Authorization, { allow: false }>): ToolReply {
    const reply = this.#deny(callId, output, rule);
    if (stop !== undefined) this.#options.stop(stop);
    return reply;
  }

  async #run(callId: string, tool: AnyTool, authorization: Allowed): Promise<ToolReply> {
    if (this.#closing.signal.aborted) return endedReply;
    if (!this.#ledger.start(callId, startOptions(authorization, tool.annotations))) return endedReply;
    const outcome = await this.#execute(callId, tool, authorization);
    this.#ledger.finish(callId, outcome);
    const { output, isError, addedTool } = outcome;
    return { output, isError, ...omitUndefined({ addedTool }) };
  }

  async #execute(callId: string, tool: AnyTool, { input, note }: Allowed): Promise<Outcome> {
    const { text, ...rest } = await executeTool(tool, input as Record<string, unknown>, this.#contextFor(callId)).then(
      ({ markdown, structured }) => ({ text: markdown, isError: false, structured }),
      (error: unknown) => ({ text: getErrorMessage(error), isError: true }),
    );
    const fitted = this.#cut.fit(callId, text, tool.maxResultChars);
    return { ...rest, ...fitted, ...(note !== undefined && { output: `${note}\n${fitted.output}` }) };
  }

  #contextFor(callId: string): ToolContext {
    const { runId, projectDir, logger } = this.#options;
    const progress = (message: string) => this.#ledger.progress(callId, String(message));
    return { signal: this.#closing.signal, runId, callId, projectDir, logger, progress };
  }
}

/** The start of a call that changes nothing need not survive a power cut. */
function startOptions(
  { rule }: Allowed,
  annotations?: ToolAnnotations,
): { rule: string | undefined; durable: boolean } {
  return { durable: !annotations?.readOnly, rule };
}

interface InputCopies {
  recorded: JsonValue;
  given: JsonValue;
  /** Why the input is not JSON; the log then has a preview. */
  problem?: string;
}

/** One copy of an input for the log and one for the tool, so that a change to one does not affect the other. */
function copyInput(input: unknown): InputCopies {
  try {
    if (typeof input === "string") assertDepth(parseNestedJson(input)); // a host leaves such arguments as they are
    return { recorded: toJson(input), given: toJson(input) };
  } catch (error) {
    return { recorded: preview(input), given: null, problem: getErrorMessage(error) };
  }
}
