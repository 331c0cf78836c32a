import {
  type AnyTool,
  type Approver,
  getErrorMessage,
  omitUndefined,
  type PermissionStore,
  type Policy,
  resolveAnnotations,
  type ToolAnnotations,
  type ToolCall,
  type ToolContext,
  type ToolIdentity,
  type ToolReply,
  type TurnContext,
} from "@bridle/protocol";
import type { AnswerSource } from "../approvals/join-approvals.ts";
import type { JournalWriter } from "../event-log/journal.ts";
import { identifyTool } from "../policy/applicable-answers.ts";
import { type Authorization, ToolCallAuthorizer } from "./authorize-tool-call.ts";
import { createCallQueue } from "./call-queue.ts";
import { ActionAuthorizer } from "./context/action-authorizer.ts";
import { type ContextOptions, createCallContext } from "./context/call-context.ts";
import { type CutResults, createCutResults } from "./cut-results.ts";
import { copyInput, executeTool, type InputCopies, parseInput } from "./execute-tool.ts";
import { CallLedger, type CallOutcome } from "./ledger/call-ledger.ts";
import { previewCall } from "./preview-call.ts";
import type { WholeResults } from "./read-result.ts";
import { showImages, withNotes } from "./result-images.ts";
import { imageNotSent, structuredDataLost } from "./tool-notices.ts";
import { notJson, runEnded, unknownTool } from "./tool-replies.ts";
import { declareTool, isParallel, type Toolbox } from "./toolbox.ts";

export interface ToolExecutorOptions extends ContextOptions {
  toolbox: Toolbox;
  /** The id of the host, and whether it accepts images in results. */
  host: { readonly id: string; readonly acceptsImages: boolean };
  /** The host's own tools that were opened, with their annotations. */
  builtins: Readonly<Record<string, ToolAnnotations>>;
  policy: Policy;
  /** Answers questions for the user. Missing if nobody can be asked. */
  approver?: Approver | undefined;
  /** Answers from other processes. */
  approvals?: AnswerSource | undefined;
  /** After this many milliseconds a question without an answer is a denial. */
  approvalTimeoutMs: number;
  /** The remembered answers that apply to the run. */
  permissions: PermissionStore;
  /** Pauses the run while the user is asked. The returned function resolves when the run may continue. */
  pauseRun(): () => Promise<void>;
  /** Ends the run because the user asked for it. */
  readonly stop: (reason: string) => void;
  /** The longest result that the host accepts, in characters. */
  maxResultChars: number;
  /** Whether the host offers no tool during a turn, so that the model had `read_result` from the start. */
  offersResultsAtOnce?: boolean | undefined;
  /** Results of the session's earlier runs. */
  earlierResults?: WholeResults | undefined;
  journal: JournalWriter;
  labels?: Readonly<Record<string, string>> | undefined;
  now(): number;
}

type Allowed = Extract<Authorization, { allow: true }>;
type Outcome = CallOutcome & Pick<ToolReply, "addedTool">;

const endedReply: ToolReply = { output: runEnded, isError: true };

/**
 * Runs every tool call of a run, on every host: checks the name and the input, applies the rules, asks the user if a rule asks, executes
 * the tool with a time limit, and truncates the result. Each step is logged before the next one begins. Questions are asked immediately,
 * several at a time; allowed calls run in the order of the model's calls.
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
  readonly #actions: ActionAuthorizer;
  readonly #names: readonly string[];

  constructor(options: ToolExecutorOptions) {
    const { toolbox, builtins, journal, now, approver } = options;
    this.#options = options;
    this.#cut = createCutResults(journal.putArtifact, options);
    this.#ledger = new CallLedger(journal, now);
    this.#names = [...toolbox.declarations.map(({ name }) => name), ...Object.keys(builtins)];
    this.#authorizer = new ToolCallAuthorizer({ ...options, approver, ledger: this.#ledger });
    const isOpen = this.#ledger.isOpen.bind(this.#ledger);
    this.#actions = new ActionAuthorizer({ authorizer: this.#authorizer, isOpen, stop: options.stop });
  }

  /** The number of calls that the model made. */
  get calls(): number {
    return this.#ledger.calls;
  }

  /** The number of calls that were denied or failed. */
  get failures(): number {
    return this.#ledger.failures;
  }

  /** Aborted when the call is over. */
  signalOf(callId: string): AbortSignal {
    return this.#ledger.signalOf(callId);
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
    const rule = this.#names.includes(call.tool) ? "input-schema" : "known-tool";
    this.#deny(this.#ledger.request({ ...call, input: copyInput(call.input).recorded }, false), output, rule);
  }

  /**
   * Starts nothing from now on. Waiting calls are denied. Running calls get an aborted signal and are logged as failed, with `reason`.
   * Every caller that waits for a reply gets one. With `leavesQuestions`, questions stay open for the session's next run.
   */
  close(reason: string, { leavesQuestions = false } = {}): void {
    if (this.#closing.signal.aborted) return;
    const { logger, runId } = this.#options;
    this.#closing.abort(new Error(reason));
    if (leavesQuestions) this.#ledger.leaveQuestions();
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
    const ran = this.#queue(isParallel(tool), async () => {
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
    const { projectDir, environment = {} } = this.#options;
    return this.#authorizer.authorizeToolCall({
      callId,
      tool: name,
      input,
      recorded,
      annotations: resolveAnnotations(tool.annotations),
      builtin: false,
      identity: this.#identify(name, tool),
      recheck: (edited) => parseInput(tool, edited),
      preview: () => previewCall(tool, input, { signal: this.#closing.signal, projectDir, environment }),
    });
  }

  /** Returns the identity of the run's tool with this name, or of the host's own tool if the run opened it. */
  identityOf(name: string): ToolIdentity | undefined {
    const { builtins, toolbox } = this.#options;
    const tool = toolbox.find(name);
    if (tool) return this.#identify(name, tool);
    return Object.hasOwn(builtins, name) ? this.#hostTool : undefined;
  }

  #identify(name: string, tool: AnyTool): ToolIdentity {
    const { declarations } = this.#options.toolbox;
    return identifyTool(declarations.find((each) => each.name === name) ?? declareTool(tool), tool.source);
  }

  get #hostTool(): ToolIdentity {
    return { source: `the host ${this.#options.host.id}` };
  }

  async #authorizeHostTool(call: ToolCall): Promise<ToolReply | undefined> {
    const { builtins } = this.#options;
    const { recorded, given } = copyInput(call.input);
    const callId = this.#ledger.request({ ...call, input: recorded }, true);
    const { tool } = call;
    const annotations = Object.hasOwn(builtins, tool) ? builtins[tool] : undefined;
    if (!annotations) return this.#deny(callId, unknownTool(tool, this.#names), "known-tool");
    const identity = this.#hostTool;
    const described = { callId, tool, identity, input: given, recorded, annotations, builtin: true };
    const authorization = await this.#authorizer.authorizeToolCall(described);
    if (!authorization.allow) return this.#refuse(callId, authorization);
    return (await this.#start(callId, authorization, annotations)) ? undefined : endedReply;
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
    if (!(await this.#start(callId, authorization, tool.annotations))) return endedReply;
    const outcome = await this.#execute(callId, tool, authorization);
    this.#ledger.finish(callId, outcome);
    if (hasEffects(tool.annotations)) await this.#options.journal.durable();
    const { output, isError, addedTool, images } = outcome;
    return { output, isError, ...omitUndefined({ addedTool, images }) };
  }

  /**
   * Logs that a call starts. If the call can have effects, the event is on disk before the call runs. Returns false if the run has ended
   * and the call must not run.
   */
  async #start(callId: string, { rule }: Allowed, annotations: ToolAnnotations | undefined): Promise<boolean> {
    if (!this.#ledger.start(callId, rule)) return false;
    if (hasEffects(annotations)) await this.#options.journal.durable();
    return !this.#closing.signal.aborted;
  }

  async #execute(callId: string, tool: AnyTool, { input, note }: Allowed): Promise<Outcome> {
    const { journal, host } = this.#options;
    const named = { callId, tool: tool.name };
    const { text, ...rest } = await executeTool(
      tool,
      input as Record<string, unknown>,
      this.#contextFor(callId, tool),
    ).then(
      ({ markdown, structured, images = [], isStructuredLost, isError = false }) => {
        if (isStructuredLost) journal.append(structuredDataLost(named));
        const shown = showImages(images, host);
        for (const note of shown.notes) journal.append(imageNotSent(named, note));
        const text = withNotes(markdown, shown.notes);
        return { text, isError, structured, ...(shown.images.length > 0 && { images: shown.images }) };
      },
      (error: unknown) => ({ text: getErrorMessage(error), isError: true }),
    );
    const fitted = this.#cut.fit(callId, text, tool.maxResultChars);
    return { ...rest, ...fitted, ...(note !== undefined && { output: `${note}\n${fitted.output}` }) };
  }

  #contextFor(callId: string, { source }: AnyTool): ToolContext {
    const progress = this.#ledger.progress.bind(this.#ledger);
    const parts = { callId, source, signal: this.#closing.signal, actions: this.#actions, progress };
    return createCallContext(this.#options, parts);
  }
}

/** Whether a call can have effects. If not, its log need not survive a power cut. */
const hasEffects = (annotations: ToolAnnotations | undefined) => !annotations?.readOnly;
