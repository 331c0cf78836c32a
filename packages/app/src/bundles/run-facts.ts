/** The facts about a run, from its events alone. Pure. */
import type { EventOf, RunEvent, RunResult } from "@bridle/protocol";

type Requested = EventOf<"tool.requested">;
type Approved = EventOf<"approval.decided">;

export interface CallFacts extends Pick<Requested, "callId" | "tool" | "input"> {
  /** Milliseconds after the run's first event. */
  readonly atMs: number;
  readonly decisions: readonly EventOf<"tool.evaluated">[];
  readonly approvals: readonly Approved[];
  readonly progress: readonly string[];
  readonly finished: EventOf<"tool.finished"> | undefined;
  readonly denied: string | undefined;
  readonly outcome: "succeeded" | "failed" | "denied" | "not executed" | "unknown";
}

export interface RunFacts {
  readonly runId: string;
  readonly started: EventOf<"run.started"> | undefined;
  /** The time of the first event, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly lastAt: number;
  /** The time of the last event before the end. If the process died, another process wrote the end later. */
  readonly lastSignAt: number;
  readonly inputs: readonly EventOf<"model.input">[];
  /** The models that answered, by the host's names. */
  readonly answeredBy: readonly string[];
  readonly calls: readonly CallFacts[];
  readonly retries: readonly EventOf<"retry.scheduled">[];
  /** Limits and notices. */
  readonly news: readonly RunEvent[];
  readonly result: RunResult | undefined;
  /** Questions that the events leave open, in sentences. */
  readonly unknown: readonly string[];
}

export function collectRunFacts(events: readonly RunEvent[]): RunFacts[] {
  return [...Map.groupBy(events, ({ runId }) => runId)].map(([runId, own]) => describeRun(runId, own));
}

function describeRun(runId: string, events: readonly RunEvent[]): RunFacts {
  const startedAt = events[0]?.time ?? 0;
  const of = <K extends RunEvent["type"]>(type: K) =>
    events.filter((event): event is EventOf<K> => event.type === type);
  const [started] = of("run.started");
  const lastSignAt = events.findLast(({ type }) => type !== "run.finished")?.time ?? startedAt;
  const result = of("run.finished").at(-1)?.result;
  const byCall = Map.groupBy(events, (event) => ("callId" in event ? event.callId : undefined));
  const calls = of("tool.requested").map((request) =>
    describeCall(request, byCall.get(request.callId) ?? [], startedAt),
  );
  const models = [...of("step.started").map(({ model }) => model), result?.model];
  return {
    ...{ runId, startedAt, lastSignAt, lastAt: events.at(-1)?.time ?? startedAt, inputs: of("model.input"), calls },
    started,
    answeredBy: [...new Set(models.filter((model) => model !== undefined))],
    retries: of("retry.scheduled"),
    news: events.filter(({ type }) => type.startsWith("limit.") || type === "notice"),
    result,
    unknown: listUnknown(events, calls, result),
  };
}

function describeCall(
  { callId, tool, input, time }: Requested,
  own: readonly RunEvent[],
  startedAt: number,
): CallFacts {
  const of = <K extends RunEvent["type"]>(type: K) => own.filter((event): event is EventOf<K> => event.type === type);
  const [finished] = of("tool.finished");
  const denied = of("tool.denied")[0]?.output;
  const isStarted = of("tool.started").length > 0;
  return {
    ...{ callId, tool, input, atMs: time - startedAt },
    decisions: of("tool.evaluated"),
    approvals: of("approval.decided"),
    progress: of("tool.progress").map(({ message }) => message),
    finished,
    denied,
    outcome: classifyOutcome(finished?.ok, denied, isStarted),
  };
}

function classifyOutcome(
  ok: boolean | undefined,
  denied: string | undefined,
  isStarted: boolean,
): CallFacts["outcome"] {
  if (ok !== undefined) return ok ? "succeeded" : "failed";
  if (denied !== undefined) return "denied";
  return isStarted ? "unknown" : "not executed";
}

function listUnknown(
  events: readonly RunEvent[],
  calls: readonly CallFacts[],
  result: RunResult | undefined,
): string[] {
  const open = calls.filter(({ outcome }) => outcome === "unknown");
  const steps = events.findLastIndex(({ type }) => type === "step.started");
  const isCut = steps >= 0 && !events.slice(steps).some(({ type }) => type === "step.finished");
  return [
    ...open.map(
      ({ tool, callId }) => `Whether the call ${callId} of ${tool} had its effect: it started, but has no end.`,
    ),
    ...(result === undefined ? ["How the run ended: it was in progress when the bundle was created."] : []),
    ...(result?.error?.code === "process_died"
      ? ["Why the process died, and when exactly: it was after the last event."]
      : []),
    ...(isCut ? ["The rest of the last answer, which is not complete."] : []),
  ];
}
