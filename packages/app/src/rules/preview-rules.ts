/** Previews the decisions that other rules would make about recorded calls. */
import { setImmediate } from "node:timers/promises";
import { createPolicy, runInTime } from "@bridle/core";
import { ConfigError, type Policy, type PolicyDecision } from "@bridle/protocol";
import { type CallOnRecord, type ReadLog, readRecordedCalls } from "./recorded-calls.ts";
import type { ReplayedCall, Rules } from "./rule-schemas.ts";

export interface PreviewRulesOptions {
  readonly before: Rules | undefined;
  readonly after: Rules | undefined;
  /** How many of the newest calls to evaluate. */
  readonly max: number;
}

/** The time limits in milliseconds for evaluating one call and all calls. Evaluating a call blocks the process. */
const callMs = 200;
const allMs = 5000;
/** The maximum number of attempts for one call. A busy machine can suspend the process for as long as an expression may take. */
const maxAttempts = 5;

/**
 * Evaluates the newest recorded calls with a project's rules before and after a change. Also applies each run's own rules, but no
 * remembered answers. The newest call comes first.
 *
 * @throws ConfigError if the rules are invalid, or take too long.
 */
export async function previewRules(
  eventLog: ReadLog,
  { before, after, max }: PreviewRulesOptions,
): Promise<ReplayedCall[]> {
  const policies = new Map<string | undefined, Policies>();
  const policiesOf = (agent: string | undefined) => {
    const scope = { agent, agents: [], tools: [], hasUnknownTools: true };
    const known = policies.get(agent) ?? {
      before: before && createPolicy(before, scope),
      after: after && createPolicy(after, scope),
    };
    policies.set(agent, known);
    return known;
  };
  policiesOf(undefined); // so that invalid rules fail even without calls
  const spent = new ProcessorTime();
  const replayed: ReplayedCall[] = [];
  for await (const found of readRecordedCalls(eventLog, { max, isRuled: before !== undefined })) {
    replayed.push(await replay(found, policiesOf(found.agent), spent));
    await setImmediate(); // lets other work of the process run
    if (spent.milliseconds > allMs) throw takesTooLong("on these calls");
  }
  return replayed;
}

interface Policies {
  readonly before: Policy | undefined;
  readonly after: Policy | undefined;
}

async function replay(
  { seq, call, own, recorded }: CallOnRecord,
  policies: Policies,
  spent: ProcessorTime,
): Promise<ReplayedCall> {
  const { sessionId, runId, callId, tool, input } = call;
  const evaluate = (policy: Policy | undefined) => policy?.evaluate(call, []);
  const decided = spent.runInTime(
    () => ({ own: own.map(evaluate), before: evaluate(policies.before), after: evaluate(policies.after) }),
    callMs,
  );
  if (decided === undefined) throw takesTooLong(`on the input of a call of ${tool}`);
  const ofRun = await Promise.all(decided.value.own);
  const before = describeDecision(compose(await decided.value.before, ofRun));
  const after = describeDecision(compose(await decided.value.after, ofRun));
  const isChanged = before.decision !== after.decision;
  return { session: sessionId ?? null, run: runId, seq, callId, tool, input, recorded, before, after, isChanged };
}

/** Measures the CPU time of some work, independent of the load on the machine. */
class ProcessorTime {
  milliseconds = 0;

  /** Undefined if the work takes more CPU time than that. */
  runInTime<T>(run: () => T, maxMs: number): { readonly value: T } | undefined {
    for (let attempt = 1; ; attempt += 1) {
      const before = process.cpuUsage();
      const outcome = runInTime(run, maxMs);
      const { user, system } = process.cpuUsage(before);
      const workedMs = (user + system) / 1000;
      this.milliseconds += workedMs;
      if (outcome !== undefined || workedMs > maxMs / 2 || attempt === maxAttempts) return outcome;
    }
  }
}

/** Combines decisions like `composePolicies`: any of them can deny, and if none does, the innermost decides. */
function compose(
  project: PolicyDecision | undefined,
  own: readonly (PolicyDecision | undefined)[],
): PolicyDecision | undefined {
  const all = [project, ...own].filter((each) => each !== undefined);
  return all.find(({ decision }) => decision === "deny") ?? all.at(-1);
}

/** Describes a decision. Without rules, every call is allowed. */
function describeDecision(decided: PolicyDecision = { decision: "allow", rule: "allow-all" }): ReplayedCall["before"] {
  return { decision: decided.decision, rule: decided.rule };
}

function takesTooLong(where: string): ConfigError {
  const reason = `The conditions of the rules take too long ${where}. Write fewer, and without nested repetition.`;
  return new ConfigError(reason, { field: "policy.rules" });
}
