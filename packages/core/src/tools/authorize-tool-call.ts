import {
  type Approval,
  type ApprovalAnswer,
  canonicalJson,
  getErrorMessage,
  type JsonValue,
  omitUndefined,
  type PermissionStore,
  type Policy,
  type PolicyDecision,
  toJson,
  toRemembered,
} from "@bridle/protocol";
import { createApprovalId } from "../approvals/approval-id.ts";
import {
  ApprovalQuestion,
  type QuestionOptions,
  type SettledQuestion,
  toDecision,
} from "../approvals/approval-question.ts";
import type { JournalWriter } from "../event-log/journal.ts";
import { explainChangedTool, type IdentifiedCall } from "../policy/applicable-answers.ts";
import { evaluatePolicy } from "../policy/evaluate-policy.ts";
import { withoutAsking } from "../policy/policy-rules.ts";
import { sha256 } from "../system/hash.ts";
import type { ParsedInput } from "./execute-tool.ts";
import type { CallLedger } from "./ledger/call-ledger.ts";
import { changedInput, denied, deniedByPerson, editedHostTool, notConfirmed, personSays } from "./tool-replies.ts";

export interface AuthorizationOptions extends Omit<QuestionOptions, "ended"> {
  policy: Policy;
  permissions: PermissionStore;
  ledger: CallLedger;
  /**
   * Pauses the run's time limit and its permit while the user is asked. Call the returned function to continue; it resolves when the run
   * may continue.
   */
  pauseRun(): () => Promise<void>;
  journal: Pick<JournalWriter, "append" | "durable">;
  runId: string;
  sessionId?: string | undefined;
  labels?: Readonly<Record<string, string>> | undefined;
}

/** A call without the properties of its run. */
type CallOfRun = Omit<IdentifiedCall, "runId" | "sessionId" | "labels">;

/** A call whose input is valid for its tool. */
export interface AuthorizationCall extends CallOfRun {
  callId: string;
  /** Set for an action of a running call: the number of the action's first question. For actions, only questions and answers are logged. */
  firstAttempt?: number;
  /** The input from the model, in its logged form. */
  recorded: JsonValue;
  /** Checks an input that the user entered instead; missing if the host runs the call with its own input. */
  recheck?(input: JsonValue): Promise<ParsedInput>;
  /** Describes the effect of the call to the user who is asked. Never rejects. */
  preview?(): Promise<string | undefined>;
}

export type Authorization =
  | {
      allow: true;
      input: unknown;
      /** The rule that allowed the call, if the log does not have it yet. */
      rule?: string;
      /** A sentence for the model, placed before the result. */
      note?: string | undefined;
    }
  | Denial;

interface Denial {
  allow: false;
  output: string;
  rule?: string;
  /** Set if the run ends too: the reason. */
  stop?: string;
}

/** How many times the user is asked about a call if an edited input is not valid for its tool. */
const maxAttempts = 3;

/** Decides whether the calls of a run may run, by the rules and, if a rule asks, by the user's answer. Every failure counts as a denial. */
export class ToolCallAuthorizer {
  readonly #options: AuthorizationOptions;
  readonly #open = new Set<ApprovalQuestion>();

  constructor(options: AuthorizationOptions) {
    this.#options = options;
  }

  async authorizeToolCall(call: AuthorizationCall): Promise<Authorization> {
    this.#options.ledger.judge(call.callId, { annotations: call.annotations, ...changedByParsing(call) });
    const decision = await this.#evaluate(call);
    const { rule } = decision;
    if (decision.decision === "allow") return { allow: true, input: call.input, rule };
    if (decision.decision === "deny") return { allow: false, output: denied(decision), rule };
    if (this.#options.approver === undefined) return { allow: false, output: denied(withoutAsking(decision)), rule };
    if (call.firstAttempt === undefined) this.#options.ledger.evaluate(call.callId, "ask", rule);
    return this.#ask(call, decision);
  }

  #evaluate(call: CallOfRun): Promise<PolicyDecision> {
    const { policy, permissions, runId, sessionId, labels } = this.#options;
    return evaluatePolicy(policy, { ...call, runId, sessionId, labels }, permissions);
  }

  async #ask(call: AuthorizationCall, decision: PolicyDecision): Promise<Authorization> {
    let problem: string | undefined;
    const { firstAttempt = 1 } = call;
    for (let attempt = firstAttempt; attempt < firstAttempt + maxAttempts; attempt++) {
      const approval = await this.#describe(call, decision, attempt, problem);
      const settled = await this.#putQuestion(call, approval);
      const { answer } = settled;
      if (answer.decision !== "allow") return refusal(settled);
      if (answer.input === undefined) return { allow: true, input: call.input, note: noteFrom(answer) };
      const edited = await this.#authorizeEdited(call, answer);
      if (!("problem" in edited)) return edited;
      problem = edited.problem;
    }
    return { allow: false, output: notConfirmed("The edited input does not fit the tool."), rule: "input-schema" };
  }

  async #describe(
    call: AuthorizationCall,
    { rule, reason, everyTime = false }: PolicyDecision,
    attempt: number,
    problem: string | undefined,
  ): Promise<Approval> {
    const { runId, sessionId, labels, permissions } = this.#options;
    const { callId, tool, recorded, annotations, builtin, preview } = call;
    const { definition: _definition, ...identity } = call.identity; // `model.input` in the event log has the definition
    const changed = explainChangedTool(await permissions.read().catch(() => []), call);
    const reasons = [reason, changed].filter((each) => each !== undefined).join(" ") || undefined;
    const inputHash = sha256(canonicalJson(recorded));
    return {
      id: createApprovalId({ runId, callId, tool, attempt, inputHash }),
      runId,
      callId,
      attempt,
      tool,
      identity,
      input: toJson(recorded),
      inputHash,
      builtin,
      annotations,
      rule,
      everyTime,
      ...omitUndefined({ sessionId, labels, reason: reasons, preview: await preview?.(), problem }),
    };
  }

  /** Asks the user. The question is on disk before anyone is asked, and the answer before it takes effect. */
  async #putQuestion(call: AuthorizationCall, approval: Approval): Promise<SettledQuestion> {
    const { ledger, journal } = this.#options;
    const { id: approvalId, runId: _runId, sessionId: _sessionId, ...rest } = approval;
    const late: SettledQuestion = { answer: { decision: "deny" }, source: "run-ended" };
    if (!ledger.ask({ approvalId, ...rest })) return late;
    await journal.durable();
    const resume = this.#options.pauseRun();
    try {
      return (await this.#awaitAnswer(call, approval)) ?? late;
    } finally {
      await resume(); // the answer has taken effect, even if the run has to wait for others
    }
  }

  /** Resolves with the answer as soon as it is on disk, or with undefined if the call ends first. */
  async #awaitAnswer(call: AuthorizationCall, approval: Approval): Promise<SettledQuestion | undefined> {
    const { ledger, journal } = this.#options;
    const question = new ApprovalQuestion(approval, { ...this.#options, ended: ledger.signalOf(call.callId) });
    this.#open.add(question);
    question.reconsider = async () => {
      const { decision, rule } = await this.#evaluate(call);
      if (decision !== "ask") question.settle({ answer: { decision }, source: "remembered", rule });
    };
    const settled = await question.settled;
    this.#open.delete(question);
    const decision = toDecision(approval, settled);
    if (!ledger.answer(call.callId, decision)) return undefined;
    await journal.durable();
    if (decision.scope !== "once") await this.#remember(call, settled.answer, decision.scope);
    return settled;
  }

  /** Stores an answer. An answer that cannot be stored still applies to its call. */
  async #remember(
    call: Pick<AuthorizationCall, "tool" | "identity">,
    answer: ApprovalAnswer,
    scope: "session" | "project" | "always",
  ): Promise<void> {
    const { permissions, journal, now } = this.#options;
    try {
      await permissions.add(toRemembered(call, answer, scope, now()));
    } catch (error) {
      const message = `An answer could not be remembered and applies once: ${getErrorMessage(error)}`;
      journal.append({ type: "notice", level: "warning", code: "answer-not-remembered", message });
      return;
    }
    for (const question of this.#open) void question.reconsider?.();
  }

  /** Authorizes an edited input, with the same checks. Rules that ask count as answered. */
  async #authorizeEdited(
    call: AuthorizationCall,
    answer: ApprovalAnswer,
  ): Promise<Authorization | { problem: string }> {
    const given = toJson(answer.input);
    if (!call.recheck) return { allow: false, output: editedHostTool(call.tool, given), rule: "edited-input" };
    const parsed = await call.recheck(given);
    if (!parsed.ok) return { problem: parsed.reply };
    const decision = await this.#evaluate({ ...call, input: parsed.input });
    const { rule } = decision;
    if (decision.decision === "deny") return { allow: false, output: denied(decision), rule };
    const note = [changedInput(given), noteFrom(answer)].filter(Boolean).join("\n");
    return { allow: true, input: parsed.input, rule, note };
  }
}

/** Returns the input that the rules check, if it differs from the requested input. */
function changedByParsing({ input, recorded }: AuthorizationCall): { readonly input?: JsonValue } {
  try {
    const judged = toJson(input);
    return canonicalJson(judged) === canonicalJson(recorded) ? {} : { input: judged };
  } catch {
    return {}; // the schema may produce values that JSON cannot represent
  }
}

function refusal({ answer, source, rule }: SettledQuestion): Denial {
  const { decision, message } = answer;
  if (source === "remembered") return { allow: false, output: denied({ rule: rule ?? source }) };
  if (source !== "answer") return { allow: false, output: notConfirmed(message ?? "The run ended.") };
  const stop = decision === "deny-and-stop" ? { stop: message ?? "a call was not allowed" } : {};
  return { allow: false, output: deniedByPerson(message), ...stop };
}

function noteFrom({ message }: ApprovalAnswer): string | undefined {
  return message === undefined ? undefined : personSays(message);
}
