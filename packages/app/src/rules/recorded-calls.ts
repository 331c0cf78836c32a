/** Reads recorded calls with the values that the rules of their runs checked. */
import { readResultName } from "@bridle/core";
import {
  type EventLog,
  type EventOf,
  type Policy,
  type PolicyCall,
  type RunEvent,
  resolveAnnotations,
  type ToolAnnotations,
} from "@bridle/protocol";
import { z } from "zod";
import { readRunStart } from "../events/run-start.ts";
import { parseOrNothing, readOwnPolicies } from "./own-policies.ts";

export type ReadLog = Pick<EventLog, "sessions" | "read" | "artifact">;

export interface CallOnRecord {
  readonly seq: number;
  readonly call: PolicyCall;
  /** The rules of the run in addition to those of the project, such as those of an agent file, in the order in which they can deny. */
  readonly own: readonly Policy[];
  /** The agent of the run, because rules can be limited to some agents. */
  readonly agent: string | undefined;
  readonly recorded: { readonly decision: "allow" | "ask" | "deny"; readonly rule: string };
}

/** The number of sessions to search for calls. */
const searchedSessions = 50;
/** The number of events to search in each session, from its end. */
const searchedEvents = 2000;
/** The number of events after the start of a run to search for its first `model.input`. */
const firstEvents = 8;

/** Checks that come before the policy's rules: the rules are evaluated only for calls that match a tool, in a run that has not ended. */
const checkedBefore = ["known-tool", "input-schema", "run-ended"];

/** Yields at most this many of the newest calls: the newest session first, and in each session the newest call first. */
export async function* readRecordedCalls(
  eventLog: ReadLog,
  { max, isRuled }: { readonly max: number; readonly isRuled: boolean },
): AsyncGenerator<CallOnRecord> {
  let left = max;
  const runs = new RecordedRuns(eventLog, isRuled);
  for (const { sessionId } of await eventLog.sessions({ last: searchedSessions })) {
    if (left <= 0) return;
    const events = await eventLog.read({ sessionId, last: searchedEvents, withoutDeltas: true });
    for (const found of evaluatedCalls(events).slice(-left).reverse()) {
      left -= 1;
      yield await runs.describe(found, events);
    }
  }
}

interface EvaluatedCall {
  readonly requested: EventOf<"tool.requested">;
  /** The first decision about the call, which is about the input that the model sent. */
  readonly evaluated: EventOf<"tool.evaluated">;
}

function evaluatedCalls(events: readonly RunEvent[]): EvaluatedCall[] {
  const calls: EvaluatedCall[] = [];
  const open = new Map<string, EventOf<"tool.requested">>();
  for (const event of events) {
    if (event.type !== "tool.requested" && event.type !== "tool.evaluated") continue;
    const key = `${event.runId} ${event.callId}`;
    if (event.type === "tool.requested") open.set(key, event);
    else {
      const requested = open.get(key);
      open.delete(key);
      if (requested && !checkedBefore.includes(event.rule)) calls.push({ requested, evaluated: event });
    }
  }
  return calls;
}

/** The state at the start of a run. */
interface RunStart {
  readonly builtins: readonly string[];
  readonly own: readonly Policy[];
  readonly agent: string | undefined;
  readonly artifact: string | undefined;
}

/** The facts that all calls of a run share. Read once for each run. */
class RecordedRuns {
  readonly #eventLog: ReadLog;
  readonly #isRuled: boolean;
  readonly #starts = new Map<string, Promise<RunStart>>();
  readonly #declared = new Map<string, Promise<ReadonlyMap<string, ToolAnnotations>>>();

  constructor(eventLog: ReadLog, isRuled: boolean) {
    this.#eventLog = eventLog;
    this.#isRuled = isRuled;
  }

  async describe({ requested, evaluated }: EvaluatedCall, events: readonly RunEvent[]): Promise<CallOnRecord> {
    const { seq, callId, runId, sessionId, tool } = requested;
    const start = await once(this.#starts, runId, () => this.#readStart(runId, events));
    return {
      seq,
      call: {
        callId,
        runId,
        sessionId,
        tool,
        builtin: start.builtins.includes(tool),
        input: evaluated.input ?? requested.input,
        annotations: evaluated.annotations ?? resolveAnnotations(await this.#declaredBy(start, tool)),
      },
      own: start.own,
      agent: start.agent,
      recorded: { decision: evaluated.decision, rule: evaluated.rule },
    };
  }

  async #readStart(runId: string, events: readonly RunEvent[]): Promise<RunStart> {
    const known = events.filter((event) => event.runId === runId);
    const begun = known.find((event) => event.type === "run.started");
    const started = begun ?? (await readRunStart(this.#eventLog, { runId }));
    const first = begun ? [] : await this.#readFrom(started);
    const snapshot = started && (await this.#eventLog.artifact(started.policy));
    return {
      builtins: started?.builtins ?? [],
      own: readOwnPolicies(snapshot, this.#isRuled, started?.labels?.agent),
      agent: started?.labels?.agent,
      artifact: [...first, ...known].find((event) => event.type === "model.input")?.artifact,
    };
  }

  async #readFrom(started: EventOf<"run.started"> | undefined): Promise<readonly RunEvent[]> {
    if (started === undefined) return [];
    const { runId, seq } = started;
    return this.#eventLog.read({ runId, from: seq, limit: firstEvents, withoutDeltas: true });
  }

  /**
   * Reads the tool's annotations from the model input. Needed because earlier versions of Bridle did not record annotations with the
   * decision.
   */
  async #declaredBy({ artifact }: RunStart, tool: string): Promise<ToolAnnotations> {
    if (tool === readResultName) return { readOnly: true };
    if (artifact === undefined) return {};
    const tools = await once(this.#declared, artifact, async () => parseTools(await this.#eventLog.artifact(artifact)));
    return tools.get(tool) ?? {};
  }
}

function once<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const value = known.get(key) ?? read();
  known.set(key, value);
  return value;
}

const toolsSchema = z.looseObject({
  tools: z
    .array(z.looseObject({ name: z.string(), annotations: z.record(z.string(), z.unknown()).optional() }))
    .optional(),
});

function parseTools(text: string | undefined): ReadonlyMap<string, ToolAnnotations> {
  const parsed = toolsSchema.safeParse(parseOrNothing(text));
  const tools = parsed.success ? (parsed.data.tools ?? []) : [];
  return new Map(tools.map(({ name, annotations = {} }) => [name, annotations]));
}
