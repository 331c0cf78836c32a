/** What can be told of a run from its events, and from nothing else. Pure. */
import type { EventOf, RunEvent, RunResult } from "@bridle/protocol";

type Requested = EventOf<"tool.requested">;
type Approved = EventOf<"approval.decided">;

export interface CallFacts extends Pick<Requested, "callId" | "tool" | "input"> {
  /** Milliseconds after the run's first event. */
  readonly atMs: number;
  readonly decisions: readonly EventOf<"tool.evaluated">[];
  readonly approvals: readonly Approved[];
  readonly progress: readonly string[];
  readonly finished?: EventOf<"tool.finished">;
  readonly denied?: string;
  readonly outcome: "succeeded" | "failed" | "denied" | "not made" | "unknown";
}

export interface RunFacts {
  readonly runId: string;
  readonly started?: EventOf<"run.started">;
  /** Of the first event, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly lastAt: number;
  /** Of the last event before the end: where the process died, its end was written later, by whoever found out. */
  readonly heardAt: number;
  readonly inputs: readonly EventOf<"model.input">[];
  /** The models that answered, as the host names them. */
  readonly answeredBy: readonly string[];
  readonly calls: readonly CallFacts[];
  readonly retries: readonly EventOf<"retry.scheduled">[];
  /** What else went otherwise than planned: limits and notices. */
  readonly news: readonly RunEvent[];
  readonly result?: RunResult;
  /** What the events do not tell, in sentences. */
  readonly unknown: readonly string[];
}

export function factsOfRuns(events: readonly RunEvent[]): RunFacts[] {
  return [...Map.groupBy(events, ({ runId }) => runId)].map(([runId, own]) => factsOf(runId, own));
}

function factsOf(runId: string, events: readonly RunEvent[]): RunFacts {
  const startedAt = events[0]?.time ?? 0;
  const of = <K extends RunEvent["type"]>(type: K) =>
    events.filter((event): event is EventOf<K> => event.type === type);
  const [started] = of("run.started");
  const heardAt = events.findLast(({ type }) => type !== "run.finished")?.time ?? startedAt;
  const result = of("run.finished").at(-1)?.result;
  const byCall = Map.groupBy(events, (event) => ("callId" in event ? event.callId : undefined));
  const calls = of("tool.requested").map((request) => callOf(request, byCall.get(request.callId) ?? [], startedAt));
  const models = [...of("step.started").map(({ model }) => model), result?.model];
  return {
    ...{ runId, startedAt, heardAt, lastAt: events.at(-1)?.time ?? startedAt, inputs: of("model.input"), calls },
    ...(started && { started }),
    answeredBy: [...new Set(models.filter((model) => model !== undefined))],
    retries: of("retry.scheduled"),
    news: events.filter(({ type }) => type.startsWith("limit.") || type === "notice"),
    ...(result && { result }),
    unknown: unknownOf(events, calls, result),
  };
}

/** From the events of the call alone. */
function callOf({ callId, tool, input, time }: Requested, own: readonly RunEvent[], startedAt: number): CallFacts {
  const of = <K extends RunEvent["type"]>(type: K) => own.filter((event): event is EventOf<K> => event.type === type);
  const [finished] = of("tool.finished");
  const denied = of("tool.denied")[0]?.output;
  const isStarted = of("tool.started").length > 0;
  return {
    ...{ callId, tool, input, atMs: time - startedAt },
    decisions: of("tool.evaluated"),
    approvals: of("approval.decided"),
    progress: of("tool.progress").map(({ message }) => message),
    ...(finished && { finished }),
    ...(denied !== undefined && { denied }),
    outcome: outcomeOf(finished?.ok, denied, isStarted),
  };
}

function outcomeOf(ok: boolean | undefined, denied: string | undefined, isStarted: boolean): CallFacts["outcome"] {
  if (ok !== undefined) return ok ? "succeeded" : "failed";
  if (denied !== undefined) return "denied";
  return isStarted ? "unknown" : "not made";
}

function unknownOf(events: readonly RunEvent[], calls: readonly CallFacts[], result: RunResult | undefined): string[] {
  const open = calls.filter(({ outcome }) => outcome === "unknown");
  const steps = events.findLastIndex(({ type }) => type === "step.started");
  const isCut = steps >= 0 && !events.slice(steps).some(({ type }) => type === "step.finished");
  return [
    ...open.map(({ tool, callId }) => `Whether the call ${callId} of ${tool}, which had started, had its effect.`),
    ...(result === undefined ? ["How the run ended: it still went on when the bundle was made."] : []),
    ...(result?.error?.code === "process_died"
      ? ["Why the process died, and when exactly: after the last event."]
      : []),
    ...(isCut ? ["What the model would have said: its last answer was not complete."] : []),
  ];
}
