import { OrderedCalls, type SilenceWatch } from "@bridle/host-shared";
import type { ToolCall, ToolReply, TurnContext } from "@bridle/protocol";
import { applyPatch } from "../boundary/opened-tools.ts";
import { outputText } from "../history/observed-items.ts";
import { toCallAnswer } from "../history/response-items.ts";
import type { ThreadRequest } from "../process/app-server.ts";
import type { Patches } from "./patches.ts";
import type { StepCall } from "./step.ts";

export interface CodexCallsOptions {
  readonly context: Pick<TurnContext, "callTool" | "reportRefused">;
  readonly silence: Pick<SilenceWatch, "hold" | "release">;
  /** The names of the tools whose calls the host passes to Bridle. */
  readonly tools: readonly string[];
  /** Missing if the run does not open `apply_patch`. */
  readonly patches: Patches | undefined;
  /** Called when every call of the budget's last step has been made. The host then still waits for a reply. */
  onBudget(): void;
  /** Ends the host's thread, which waits for a reply that does not come. */
  leaveThread(): void;
  /** Continues in another thread, with the results that the host did not report. */
  continueElsewhere(results: readonly CallResult[]): void;
}

export interface CallResult extends ToolReply {
  readonly call: StepCall;
}

/** A reply for the host; undefined if the host must not continue. */
type Answer = object | undefined;

const notMade = "This patch was not applied, because another call of the same response was refused. Send it again.";

/** The calls of a turn: made in the model's order, or refused by the host, and counted in the last step of the budget. */
export class CodexCalls {
  readonly #options: CodexCallsOptions;
  readonly #ordered: OrderedCalls<ThreadRequest, Answer>;
  readonly #failed = new Set<string>();
  /** The newest response's calls for which the host has not reported a result yet, in the model's order. */
  readonly #open = new Map<string, StepCall>();
  /** Ids that several calls of the newest response share. It is unknown for which of these calls the host asks. */
  readonly #shared = new Set<string>();
  /** Calls that the host will ask for and that are not made yet. */
  readonly #remaining = new Set<string>();
  /** By call id: the newest response's calls of our tools that were made, and the replies of calls. */
  readonly #made = new Map<string, Promise<object>>();
  readonly #replies = new Map<string, ToolReply>();
  #running = 0;
  #isLast = false;

  constructor(options: CodexCallsOptions) {
    this.#options = options;
    // Codex makes a patch alone: it asks for a patch only when no other call is open (observed on 0.169.0).
    const isPatch = (callId: string) => this.#open.get(callId)?.tool === applyPatch;
    this.#ordered = new OrderedCalls<ThreadRequest, Answer>(
      (request) => this.#make(request),
      (request, callId) => request.tool === applyPatch || isPatch(callId),
    );
  }

  /** Whether the host's result for a call belongs to a failed call. */
  hasFailed(callId: string): boolean {
    const { patches } = this.#options;
    if (patches?.isAccepted(callId)) return !patches.isApplied(callId);
    return this.#failed.has(callId) || this.#remaining.has(callId);
  }

  /** Marks a response as complete, with these calls. `isLast` is true if the budget allows no further response. */
  complete(calls: readonly StepCall[], isLast: boolean): void {
    const expected = calls.filter((call) => this.#isExpected(call)).map(({ callId }) => callId);
    for (const kept of [this.#open, this.#shared, this.#made, this.#replies]) kept.clear();
    for (const call of calls) {
      if (this.#open.has(call.callId)) this.#shared.add(call.callId);
      this.#open.set(call.callId, call);
    }
    for (const callId of expected) this.#remaining.add(callId);
    this.#isLast = isLast && calls.length > 0;
    this.#ordered.complete(expected);
    this.#endAtBudget();
  }

  /** Returns the reply for the host; undefined if it must not get one. */
  async reply(request: ThreadRequest): Promise<Answer> {
    const { patches } = this.#options;
    // After a patch has failed in the sandbox, Codex asks whether to apply it without the sandbox.
    if (request.tool === applyPatch && patches?.isAccepted(request.callId)) return { decision: "decline" };
    return this.#ordered.request(request);
  }

  /** Receives the result of a call from the host. A result that Bridle did not send is the host's own refusal. */
  receiveOutput(callId: string, output: unknown): void {
    const { patches, context } = this.#options;
    const call = this.#open.get(callId);
    this.#open.delete(callId);
    this.#remaining.delete(callId);
    this.#ordered.skip(callId);
    if (!call || this.#made.has(callId) || this.#replies.has(callId)) return;
    if (patches?.isAccepted(callId)) patches.complete(callId, outputText(output));
    else context.reportRefused(call, outputText(output));
    this.#endAtBudget();
  }

  #isExpected({ tool, kind }: StepCall): boolean {
    if (kind === "patch") return this.#options.patches !== undefined;
    return kind === "function" && this.#options.tools.includes(tool);
  }

  async #make(request: ThreadRequest): Promise<Answer> {
    const { callId, tool } = request;
    this.#remaining.delete(callId);
    const isFinal = this.#isLast && this.#remaining.size === 0;
    const answer = await this.#whileRunning(callId, () =>
      tool === applyPatch ? this.#decide(callId, isFinal) : this.#call(request),
    );
    this.#endAtBudget();
    return isFinal ? undefined : answer;
  }

  async #whileRunning<T>(callId: string, run: () => Promise<T>): Promise<T> {
    const { silence } = this.#options;
    this.#running += 1;
    silence.hold(callId);
    try {
      return await run();
    } finally {
      this.#running -= 1;
      silence.release(callId);
    }
  }

  /** Makes a call of one of our tools, only once. */
  #call(call: ToolCall): Promise<object> {
    const { callId, tool, input } = call;
    const made = this.#made.get(callId) ?? this.#callTool({ callId, tool, input });
    this.#made.set(callId, made);
    return made;
  }

  async #callTool(call: ToolCall): Promise<object> {
    const reply = await this.#options.context.callTool(call);
    this.#settle(call.callId, reply);
    return toCallAnswer(reply);
  }

  /**
   * Answers Codex's question whether to apply a patch. An answer to Codex cannot contain the reason for a refusal, so the turn continues in
   * another thread that gets the reason.
   */
  async #decide(callId: string, isFinal: boolean): Promise<Answer> {
    const { patches } = this.#options;
    const call = this.#open.get(callId);
    if (!patches || !call || this.#shared.has(callId)) return { decision: "decline" };
    const refusal = await patches.refusal(call);
    if (!refusal && !isFinal) return patches.accept(callId);
    this.#settle(callId, refusal ?? (await patches.apply(call)));
    if (!isFinal) await this.#finishElsewhere();
    return undefined;
  }

  /** Makes the other calls of the response. The host does not ask for these, because it waits for the reply to a patch. */
  async #finishElsewhere(): Promise<void> {
    const { leaveThread, continueElsewhere } = this.#options;
    leaveThread();
    const calls = [...this.#open.values()];
    await Promise.all(calls.map((call) => this.#finish(call)));
    if (this.#isLast) return;
    continueElsewhere(calls.flatMap((call) => ({ call, ...this.#replyTo(call) })));
  }

  async #finish(call: StepCall): Promise<void> {
    const { callId } = call;
    if (this.#replies.has(callId) || this.#options.patches?.isAccepted(callId)) return;
    this.#remaining.delete(callId);
    this.#ordered.skip(callId);
    if (call.kind === "function" && this.#isExpected(call)) await this.#whileRunning(callId, () => this.#call(call));
    else this.#refuse(call);
  }

  #refuse(call: StepCall): void {
    const output = this.#isExpected(call) ? notMade : `unsupported call: ${call.tool}`;
    this.#settle(call.callId, { output, isError: true });
    this.#options.context.reportRefused(call, output);
  }

  /** Returns the result of a call whose result the host did not report. */
  #replyTo({ callId }: StepCall): ToolReply {
    const reply = this.#replies.get(callId);
    if (reply) return reply;
    const { patches } = this.#options;
    const ok = patches?.isApplied(callId) ?? false;
    const output = ok ? "The patch was applied." : "The patch was not applied.";
    patches?.complete(callId, output);
    return { output, isError: !ok };
  }

  #settle(callId: string, reply: ToolReply): void {
    this.#replies.set(callId, reply);
    if (reply.isError) this.#failed.add(callId);
  }

  #endAtBudget(): void {
    if (!this.#isLast || this.#remaining.size > 0 || this.#running > 0) return;
    for (const call of this.#open.values()) {
      if (this.#options.patches?.isAccepted(call.callId)) this.#replyTo(call);
      else if (!this.#replies.has(call.callId)) this.#refuse(call);
    }
    this.#open.clear();
    this.#isLast = false;
    this.#options.onBudget();
  }
}
