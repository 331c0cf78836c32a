/**
 * Whether a call may run: what the rules say, and where they ask, what a person answers. Everything that goes wrong on
 * the way denies.
 */
import {
  type Approval,
  type ApprovalAnswer,
  canonicalJson,
  type JsonValue,
  type PermissionStore,
  type Policy,
  type PolicyCall,
  type PolicyDecision,
  reasonOf,
  toJson,
  toRemembered,
} from "@bridle/protocol";
import { approvalIdOf } from "../approvals/approval-id.ts";
import {
  createAskedQuestion,
  decisionOf,
  type Question,
  type QuestionOptions,
  type SettledQuestion,
} from "../approvals/ask-person.ts";
import type { Journal } from "../event-log/journal.ts";
import { evaluatePolicy } from "../policy/evaluate-policy.ts";
import { withoutAsking } from "../policy/policy-rules.ts";
import { sha256 } from "../system/hash.ts";
import type { CallLedger } from "./call-ledger.ts";
import type { ParsedInput } from "./execute-tool.ts";
import { changedInput, denied, deniedByPerson, editedBuiltin, notConfirmed, personSays } from "./tool-replies.ts";

export interface AdmissionOptions extends QuestionOptions {
  policy: Policy;
  permissions: PermissionStore;
  ledger: CallLedger;
  journal: Pick<Journal, "append">;
  runId: string;
}

/** A call whose input fits its tool. */
export interface AdmissionCall extends PolicyCall {
  callId: string;
  /** The input as the model sent it, and as it is on record. */
  recorded: JsonValue;
  /** Checks what a person put in the input's place; missing where the host runs the call with its own. */
  recheck?(input: JsonValue): Promise<ParsedInput>;
  /** What the call would do, for the person who is asked. Never rejects. */
  preview?(): Promise<string | undefined>;
}

export type Authorization =
  | {
      allow: true;
      input: unknown;
      /** What allowed it, where that is not on record yet. */
      rule?: string;
      /** What the model is told beside the result. */
      note?: string;
    }
  | Denial;

interface Denial {
  allow: false;
  output: string;
  rule?: string;
  /** Why the run ends with it. */
  stop?: string;
}

/** How often a person may correct an input that does not fit its tool. */
const mostAttempts = 3;

export function createAuthorization(options: AdmissionOptions): (call: AdmissionCall) => Promise<Authorization> {
  const { policy, permissions, ledger, journal, runId, approver, now } = options;
  const open = new Set<Question>();

  const judge = (call: PolicyCall) => evaluatePolicy(policy, call, permissions);

  async function admit(call: AdmissionCall): Promise<Authorization> {
    const decision = await judge(call);
    const { rule } = decision;
    if (decision.decision === "allow") return { allow: true, input: call.input, rule };
    if (decision.decision === "deny") return { allow: false, output: denied(decision), rule };
    if (approver === undefined) return { allow: false, output: denied(withoutAsking(decision)), rule };
    ledger.evaluate(call.callId, "ask", rule);
    return ask(call, decision);
  }

  async function ask(call: AdmissionCall, decision: PolicyDecision): Promise<Authorization> {
    let problem: string | undefined;
    for (let attempt = 1; attempt <= mostAttempts; attempt++) {
      const approval = await describe(call, decision, attempt, problem);
      const settled = await putQuestion(call, approval);
      const { answer } = settled;
      if (answer.decision !== "allow") return refusal(settled);
      if (answer.input === undefined) return { allow: true, input: call.input, ...noteOf(answer) };
      const edited = await admitEdited(call, answer);
      if (!("problem" in edited)) return edited;
      problem = edited.problem;
    }
    return {
      allow: false,
      output: notConfirmed("The input that was put in its place does not fit."),
      rule: "input-schema",
    };
  }

  async function describe(
    { callId, tool, recorded, builtin, preview }: AdmissionCall,
    { rule, reason, everyTime = false }: PolicyDecision,
    attempt: number,
    problem: string | undefined,
  ): Promise<Approval> {
    const inputHash = sha256(canonicalJson(recorded));
    const shown = await preview?.();
    return {
      id: approvalIdOf({ runId, callId, attempt, inputHash }),
      ...{ runId, callId, attempt, tool, input: toJson(recorded), inputHash, builtin, rule, everyTime },
      ...(reason !== undefined && { reason }),
      ...(shown !== undefined && { preview: shown }),
      ...(problem !== undefined && { problem }),
    };
  }

  /** The question is on record before anybody is asked, and the answer before anything follows from it. */
  async function putQuestion(call: AdmissionCall, approval: Approval): Promise<SettledQuestion> {
    const { id: approvalId, runId: _runId, ...rest } = approval;
    const late: SettledQuestion = { answer: { decision: "deny" }, source: "run-ended" };
    if (!ledger.ask({ approvalId, ...rest })) return late;
    const question = createAskedQuestion(approval, options);
    open.add(question);
    question.reconsider = async () => {
      const { decision, rule } = await judge(call);
      if (decision !== "ask") question.settle({ answer: { decision }, source: "remembered", rule });
    };
    const settled = await question.settled;
    open.delete(question);
    const decision = decisionOf(approval, settled);
    if (!ledger.answer(call.callId, decision)) return late;
    if (decision.scope !== "once") await remember(call.tool, settled.answer, decision.scope);
    return settled;
  }

  /** An answer that cannot be kept still holds for its call. */
  async function remember(
    tool: string,
    answer: ApprovalAnswer,
    scope: "session" | "project" | "always",
  ): Promise<void> {
    try {
      await permissions.add(toRemembered(tool, answer, scope, now()));
    } catch (error) {
      const message = `An answer could not be remembered and holds once: ${reasonOf(error)}`;
      journal.append({ type: "notice", level: "warning", code: "answer-not-remembered", message });
      return;
    }
    for (const question of open) void question.reconsider?.();
  }

  /** A person's own input passes the same checks; a rule that would ask has its answer. */
  async function admitEdited(
    call: AdmissionCall,
    answer: ApprovalAnswer,
  ): Promise<Authorization | { problem: string }> {
    const given = toJson(answer.input);
    if (!call.recheck) return { allow: false, output: editedBuiltin(call.tool, given), rule: "edited-input" };
    const parsed = await call.recheck(given);
    if (!parsed.ok) return { problem: parsed.reply };
    const decision = await judge({ ...call, input: parsed.input });
    const { rule } = decision;
    if (decision.decision === "deny") return { allow: false, output: denied(decision), rule };
    const note = [changedInput(given), noteOf(answer).note].filter(Boolean).join("\n");
    return { allow: true, input: parsed.input, rule, note };
  }

  return admit;
}

function refusal({ answer, source, rule }: SettledQuestion): Denial {
  const { decision, message } = answer;
  if (source === "remembered") return { allow: false, output: denied({ rule: rule ?? source }) };
  if (source !== "answer") return { allow: false, output: notConfirmed(message ?? "the run ended.") };
  const stop = decision === "deny-and-stop" ? { stop: message ?? "a call was not allowed" } : {};
  return { allow: false, output: deniedByPerson(message), ...stop };
}

function noteOf({ message }: ApprovalAnswer): { note?: string } {
  return message === undefined ? {} : { note: personSays(message) };
}
