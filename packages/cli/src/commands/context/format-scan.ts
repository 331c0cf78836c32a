import type { ScannedContext } from "@bridle/app/warehouses";
import { counted, formatCount, formatDuration } from "@bridle/protocol";
import type { Output } from "../../command/cli.ts";
import { nameCommands } from "../../command/name-commands.ts";
import type { Page } from "../../terminal/page.ts";
import { toPrintableLine } from "../../terminal/printable.ts";
import { wrap } from "../../terminal/wrap.ts";

/** The maximum number of listed problems and changes. */
const maxListed = 20;

/** Formats the results of a scan, its problems, and the changes since the previous scan. */
export function formatScan(
  scan: ScannedContext["scans"][number],
  page: Pick<Page, "width">,
  output: Pick<Output, "command"> = {},
): string {
  const { connection, columns, joins, review, queries, durationMs } = scan;
  const toReview = review > 0 ? ` (${review} to review: ${nameCommands("bridle context joins --review", output)})` : "";
  const cost = `${counted(queries, "query", "queries")}, ${formatDuration(durationMs)}`;
  return [
    `${connection}: ${counted(allTables(scan), "table")} (${describeRead(scan)}), ${counted(columns, "column")}, ${counted(joins, "join")}${toReview}; ${cost}`,
    ...listed(scan.problems.map(({ table, problem }) => `  not read  ${table}: ${problem}`)),
    ...listed(scan.unmatched.map((pattern) => `  unmatched ${pattern}: no name matches it, so it has no effect`)),
    ...listed(
      scan.leftOut.map((view) => `  left out  ${view}: it shows data that the settings leave out; name it in views`),
    ),
    ...scan.missing.map((sentence) => `  missing   ${sentence}`),
    ...describedLines(scan.descriptions),
    ...listed(scan.drift.map(({ kind, subject, detail }) => `  changed   ${kind}: ${subject}, ${detail}`)),
  ]
    .flatMap((line) => wrap(toPrintableLine(line), page.width))
    .map((line) => `${line}\n`)
    .join("");
}

/** Counts all tables, including those with an unreadable structure, because the list of unread tables contains them too. */
function allTables(scan: ScannedContext["scans"][number]): number {
  return scan.measured + scan.unchanged + countUnread(scan);
}

function countUnread({ tables, measured, unchanged, problems }: ScannedContext["scans"][number]): number {
  return Math.max(tables - measured - unchanged, problems.length);
}

function describeRead(scan: ScannedContext["scans"][number]): string {
  const { measured, unchanged } = scan;
  const unread = countUnread(scan);
  if (unread === 0 && unchanged === 0) return "all read";
  const counts = [
    `${formatCount(measured)} read`,
    ...(unchanged > 0 ? [`${formatCount(unchanged)} unchanged`] : []),
    ...(unread > 0 ? [`${formatCount(unread)} not read`] : []),
  ];
  return counts.join(", ");
}

function describedLines(descriptions: ScannedContext["scans"][number]["descriptions"]): readonly string[] {
  if (descriptions === undefined) return [];
  const { described, unchanged, calls, tokens, failed } = descriptions;
  const before = unchanged > 0 ? `, ${formatCount(unchanged)} were already` : "";
  return [
    `  described ${counted(described, "table")}${before}; ${counted(calls, "call")}, ${counted(tokens, "token")}`,
    ...listed(failed.map(({ table, reason }) => `  not described  ${table}: ${reason}`)),
  ];
}

function listed(lines: readonly string[]): readonly string[] {
  const more = lines.length - maxListed;
  return more > 0 ? [...lines.slice(0, maxListed), `  and ${more} more (--json lists all)`] : lines;
}
