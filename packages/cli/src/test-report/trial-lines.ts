import { formatPercent, none, type TestRun } from "@bridle/app/tests";
import { counted } from "@bridle/protocol";
import type { Page } from "../terminal/page.ts";
import { toPrintableLine } from "../terminal/printable.ts";
import { tableLines } from "./table.ts";

/** The numbers of trials that have a column. The number of all trials is added. */
const columns = [1, 2, 3, 5, 10, 20, 50, 100];
/** The maximum number of cases to list. The report contains the others. */
const maxCases = 10;

/** Formats the statistics of several trials: how often one of k passes, how often all of k pass, and the flaky cases. */
export function trialLines({ plan, summary, cases }: TestRun, page: Page): string[] {
  const ks = [...new Set([...columns.filter((k) => k < plan.trials), plan.trials])];
  const rows = [
    ["one of k passes (pass@k)", ...ks.map((k) => shareOf(summary.statistics.find((each) => each.k === k)?.passAtK))],
    ["all of k pass (pass^k)", ...ks.map((k) => shareOf(summary.statistics.find((each) => each.k === k)?.passHatK))],
  ];
  const flaky = cases.filter((each) => each.flaky);
  const names = flaky.slice(0, maxCases).map((each) => `  ${toPrintableLine(each.name)}: ${passedOf(each)}`);
  return [
    ...tableLines([`${counted(plan.trials, "trial")} of each case, k =`, ...ks.map(String)], rows, page),
    ...(flaky.length === 0 ? [] : [page.paint("yellow", `${counted(flaky.length, "case")} flaky:`), ...names]),
    ...(flaky.length > maxCases ? [`  and ${flaky.length - maxCases} more`] : []),
  ];
}

function shareOf(share: number | undefined): string {
  return share === undefined ? none : formatPercent(share);
}

function passedOf({ passed, trialsJudged }: TestRun["cases"][number]): string {
  return `${passed} of ${counted(trialsJudged, "trial")} passed`;
}
