import { counted } from "@bridle/protocol";
import { formatPercent, none, type TestRun } from "@bridle/testing";
import { printableLine } from "../chat/printable.ts";
import type { Page } from "../sessions/session-text.ts";
import { tableLines } from "./table.ts";

/** Numbers of trials for which there is a column, and that of all. */
const columns = [1, 2, 3, 5, 10, 20, 50, 100];
/** Further cases are in the report. */
const mostCases = 10;

/** What several trials of each case tell: how often one of k passes, how often all of k do, and which cases are flaky. */
export function trialLines({ plan, summary, cases }: TestRun, page: Page): string[] {
  const ks = [...new Set([...columns.filter((k) => k < plan.trials), plan.trials])];
  const rows = [
    ["one of k passes (pass@k)", ...ks.map((k) => shareOf(summary.statistics.find((each) => each.k === k)?.passAtK))],
    ["all of k pass (pass^k)", ...ks.map((k) => shareOf(summary.statistics.find((each) => each.k === k)?.passHatK))],
  ];
  const flaky = cases.filter((each) => each.flaky);
  const names = flaky.slice(0, mostCases).map((each) => `  ${printableLine(each.name)}: ${passedOf(each)}`);
  return [
    ...tableLines([`${counted(plan.trials, "trial")} of each case, k =`, ...ks.map(String)], rows, page),
    ...(flaky.length === 0 ? [] : [page.paint("yellow", `${counted(flaky.length, "case")} flaky:`), ...names]),
    ...(flaky.length > mostCases ? [`  and ${flaky.length - mostCases} more`] : []),
  ];
}

function shareOf(share: number | undefined): string {
  return share === undefined ? none : formatPercent(share);
}

function passedOf({ passed, trialsJudged }: TestRun["cases"][number]): string {
  return `${passed} of ${counted(trialsJudged, "trial")} passed`;
}
