/** The cost of a project's runs by day, as reported by their hosts. */
import { addCost, type Cost, costSchema, type EventLog, noCost, type RunSummary, totalTokens } from "@bridle/protocol";
import { z } from "zod";
import { readRunStart } from "../events/run-start.ts";

const count = z.int().nonnegative();

export const dailyCostsSchema = z.strictObject({
  /** The newest day first, and on each day the backends by name. */
  days: z.array(
    z.strictObject({
      day: z.iso.date(),
      backend: z.string(),
      runs: count,
      /** Runs with a script as the model. They cost nothing. */
      rehearsed: count,
      tokens: count,
      /** The cost of all other runs. `null` if no price is known. */
      cost: costSchema.nullable(),
    }),
  ),
  /** Whether all runs in this time were read. */
  isWhole: z.boolean(),
});
export type DailyCosts = z.output<typeof dailyCostsSchema>;
type DayOfBackend = DailyCosts["days"][number];

export interface DailyCostsOptions {
  readonly days: number;
  /** The time zone that determines where days begin, such as `Europe/Berlin`. */
  readonly timeZone: string;
  readonly now?: number;
}

/** The maximum number of runs to read. */
const maxRuns = 1000;
const dayMs = 86_400_000;

export async function readDailyCosts(
  eventLog: Pick<EventLog, "runs" | "read">,
  { days, timeZone, now = Date.now() }: DailyCostsOptions,
): Promise<DailyCosts> {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  const runs = await eventLog.runs({ last: maxRuns });
  const recent = runs.filter(({ startedAt }) => startedAt > now - days * dayMs);
  const byDay = new Map<string, DayOfBackend>();
  for (const run of recent) {
    const { backend, ...figures } = await readFigures(eventLog, run);
    const day = format.format(run.startedAt);
    const key = `${day} ${backend}`;
    byDay.set(key, addRun(byDay.get(key) ?? { day, backend, ...nothing }, figures));
  }
  const sorted = [...byDay.values()].toSorted(
    (a, b) => b.day.localeCompare(a.day) || a.backend.localeCompare(b.backend),
  );
  return { days: sorted, isWhole: runs.length < maxRuns || recent.length < runs.length };
}

const nothing = { runs: 0, rehearsed: 0, tokens: 0, cost: noCost };

interface Figures {
  readonly rehearsed: boolean;
  readonly tokens: number;
  readonly cost: Cost | undefined;
}

function addRun(day: DayOfBackend, { rehearsed, tokens, cost }: Figures): DayOfBackend {
  const counted = { ...day, runs: day.runs + 1, tokens: day.tokens + tokens };
  if (rehearsed) return { ...counted, rehearsed: day.rehearsed + 1 };
  return { ...counted, cost: addCost(day.cost ?? undefined, cost) ?? null };
}

/** Reads a run's tokens and cost, which are known only at the run's end. */
async function readFigures(
  eventLog: Pick<EventLog, "read">,
  { runId, ended }: RunSummary,
): Promise<Figures & { readonly backend: string }> {
  const started = await readRunStart(eventLog, { runId });
  const [end] = ended ? await eventLog.read({ runId, last: 1 }) : [];
  const result = end?.type === "run.finished" ? end.result : undefined;
  return {
    backend: started?.backend ?? "unknown",
    rehearsed: started?.rehearsed ?? false,
    tokens: result === undefined ? 0 : totalTokens(result.usage),
    cost: result?.cost ?? (ended ? undefined : noCost),
  };
}
