/** What other rules would have decided about the calls on record. */
import { setImmediate } from "node:timers/promises";
import { createPolicy, runInTime } from "@bridle/core";
import {
  ConfigError,
  type EventLog,
  type EventOf,
  type Policy,
  type PolicyCall,
  type PolicyDecision,
  type RunEvent,
  resolveAnnotations,
  type ToolAnnotations,
} from "@bridle/protocol";
import { z } from "zod";
import type { ReplayedCall, Rules } from "./rule-schemas.ts";

export interface PreviewRulesOptions {
  readonly before: Rules | undefined;
  readonly after: Rules;
  /** The number of newest calls to look at. */
  readonly most: number;
}

/** Sessions that are searched for calls. */
const searchedSessions = 50;
/** Events of each that are searched, from its end. */
const searchedEvents = 2000;

/** Milliseconds for the decisions about one call, during which the process does nothing else, and for those about all. */
const callMs = 200;
const allMs = 5000;

/**
 * Decides about the newest recorded calls by the rules of a project before and after a change, without remembered answers and
 * without the rules of agents. The newest call comes first. Throws ConfigError if the rules are wrong, or take too long.
 */
export async function previewRules(
  eventLog: Pick<EventLog, "sessions" | "read" | "artifact">,
  { before, after, most }: PreviewRulesOptions,
): Promise<ReplayedCall[]> {
  const policies = { before: before && createPolicy(before), after: createPolicy(after) };
  const end = performance.now() + allMs;
  const replayed: ReplayedCall[] = [];
  const annotations = new RecordedAnnotations(eventLog);
  for (const { sessionId } of await eventLog.sessions({ last: searchedSessions })) {
    if (replayed.length >= most) break;
    const events = await eventLog.read({ sessionId, last: searchedEvents, withoutDeltas: true });
    for (const call of recordedCalls(events)
      .slice(-(most - replayed.length))
      .reverse()) {
      replayed.push(await replay(call, await annotations.of(call), policies));
      await setImmediate(); // others have their turn
      if (performance.now() > end) throw takesTooLong("on these calls");
    }
  }
  return replayed;
}

interface RecordedCall {
  readonly requested: EventOf<"tool.requested">;
  readonly evaluated: EventOf<"tool.evaluated">;
  readonly asked: EventOf<"approval.requested"> | undefined;
  /** The artifact of the request that led to the call. */
  readonly artifact: string | undefined;
  readonly builtin: boolean;
}

/** Rules of the policy decide only about calls that fit a tool. */
const checkedBefore = ["known-tool", "input-schema"];

function recordedCalls(events: readonly RunEvent[]): RecordedCall[] {
  const calls = new Map<string, RecordedCall>();
  const requested = new Map<string, EventOf<"tool.requested">>();
  let artifact: string | undefined;
  let builtins: readonly string[] = [];
  for (const event of events) {
    if (event.type === "run.started") builtins = event.builtins;
    else if (event.type === "model.input") artifact = event.artifact;
    else if (event.type === "tool.requested") requested.set(event.callId, event);
    else if (event.type === "tool.evaluated") {
      const call = requested.get(event.callId);
      const isFirst = call !== undefined && !calls.has(`${call.seq}`);
      if (isFirst && !checkedBefore.includes(event.rule)) {
        const builtin = builtins.includes(call.tool);
        calls.set(`${call.seq}`, { requested: call, evaluated: event, asked: undefined, artifact, builtin });
      }
    } else if (event.type === "approval.requested") {
      const call = calls.get(`${requested.get(event.callId)?.seq}`);
      if (call) calls.set(`${call.requested.seq}`, { ...call, asked: event });
    }
  }
  return [...calls.values()];
}

const toolsSchema = z.looseObject({
  tools: z
    .array(z.looseObject({ name: z.string(), annotations: z.record(z.string(), z.unknown()).optional() }))
    .optional(),
});

/** What the tools declared when they were called. */
class RecordedAnnotations {
  readonly #eventLog: Pick<EventLog, "artifact">;
  readonly #known = new Map<string, ReadonlyMap<string, ToolAnnotations>>();

  constructor(eventLog: Pick<EventLog, "artifact">) {
    this.#eventLog = eventLog;
  }

  async of({ asked, artifact, requested }: RecordedCall): Promise<ToolAnnotations> {
    if (asked?.annotations) return asked.annotations;
    if (artifact === undefined) return {};
    const tools = this.#known.get(artifact) ?? (await this.#read(artifact));
    this.#known.set(artifact, tools);
    return tools.get(requested.tool) ?? {};
  }

  async #read(artifact: string): Promise<ReadonlyMap<string, ToolAnnotations>> {
    const text = await this.#eventLog.artifact(artifact);
    const parsed = toolsSchema.safeParse(parseOrNothing(text));
    const tools = parsed.success ? (parsed.data.tools ?? []) : [];
    return new Map(tools.map(({ name, annotations = {} }) => [name, annotations]));
  }
}

function parseOrNothing(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function replay(
  { requested, evaluated, builtin }: RecordedCall,
  declared: ToolAnnotations,
  policies: { readonly before: Policy | undefined; readonly after: Policy },
): Promise<ReplayedCall> {
  const { sessionId, runId, seq, callId, tool, input } = requested;
  const call: PolicyCall = {
    tool,
    input,
    annotations: resolveAnnotations(declared),
    builtin,
    callId,
    runId,
    sessionId,
  };
  const decided = runInTime(
    () => [policies.before?.evaluate(call, []), policies.after.evaluate(call, [])] as const,
    callMs,
  );
  if (decided === undefined) throw takesTooLong(`on the input of a call of ${tool}`);
  const [before, after] = decided.value;
  const recorded = { decision: evaluated.decision, rule: evaluated.rule };
  const decisions = { before: describeDecision(await before), after: describeDecision(await after) };
  const isChanged = decisions.before.decision !== decisions.after.decision;
  return { session: sessionId ?? null, run: runId, seq, callId, tool, input, recorded, ...decisions, isChanged };
}

/** Without rules, every call is allowed. */
function describeDecision(decided: PolicyDecision = { decision: "allow", rule: "allow-all" }): ReplayedCall["before"] {
  return { decision: decided.decision, rule: decided.rule };
}

function takesTooLong(where: string): ConfigError {
  const reason = `The conditions of the rules take too long ${where}. Write fewer, and without nested repetition.`;
  return new ConfigError(reason, { field: "policy.rules" });
}
