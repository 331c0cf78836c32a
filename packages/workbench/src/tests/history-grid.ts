import type { ApiTestRuns } from "@bridle/client";

export type ListedTestRun = ApiTestRuns["runs"][number];
type ListedCase = ListedTestRun["cases"][number];

export interface HistoryRow {
  readonly name: string;
  /** One cell for each test run, in the order of the runs. Undefined if the case was not planned. */
  readonly cells: readonly (ListedCase | undefined)[];
}

/** Creates a grid of cases by test runs. Currently failing cases come first, then cases in the order of the newest run. */
export function buildHistory(runs: readonly ListedTestRun[]): readonly HistoryRow[] {
  const byName = runs.map(({ cases }) => new Map(cases.map((listed) => [listed.name, listed])));
  const names = new Set(runs.flatMap(({ cases }) => cases.map(({ name }) => name)));
  const rows = [...names].map((name) => ({ name, cells: byName.map((cases) => cases.get(name)) }));
  return rows.toSorted((a, b) => urgency(a) - urgency(b));
}

function urgency({ cells }: HistoryRow): number {
  const last = cells.find((cell) => cell !== undefined && cell.outcome !== "not-run");
  return last?.outcome === "failed" || last?.outcome === "errored" ? 0 : 1;
}

/**
 * Returns the expected cost of the next test run in US dollars, based on the last run whose price is known. Undefined if there is no such
 * run.
 */
export function estimateCost(runs: readonly ListedTestRun[], cases: number, trials: number): number | undefined {
  for (const { rehearsal, cost, passed, failed, errored, trials: before } of runs) {
    const ended = (passed + failed + errored) * before;
    if (rehearsal === null && cost !== null && ended > 0) return (cost.usd / ended) * cases * trials;
  }
  return undefined;
}
