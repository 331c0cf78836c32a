import type { IngestedContext } from "@bridle/app/ingest";
import { counted, formatCount, formatDollars, formatDuration } from "@bridle/protocol";
import type { Output } from "../../../command/cli.ts";
import { nameCommands } from "../../../command/name-commands.ts";
import type { Page } from "../../../terminal/page.ts";
import { toPrintableLine } from "../../../terminal/printable.ts";
import { wrap } from "../../../terminal/wrap.ts";

/** The maximum number of listed items of one kind. */
const maxListed = 10;

/** Formats the results of a run: sources, requests, written files, and the findings that need a review. */
export function formatIngest(
  report: IngestedContext,
  page: Pick<Page, "width">,
  output: Pick<Output, "command"> = {},
): string {
  return [
    ...report.sources.filter(isWorthShowing).map(sourceLine),
    ...report.removedSources.map((name) => `${name}: not a source any more`),
    claimsLine(report),
    ...stageLines(report),
    ...rejectedLines(report),
    ...listed("instruction", report.instructions, ({ source, item, reason }) => `${source}, ${item}: ${reason}`),
    ...listed(
      "not read",
      problemsOf(report),
      ({ source, item, message }) => `${[source, item].filter(Boolean).join(", ")}: ${message}`,
    ),
    ...listed("unfinished", report.unfinished, ({ unit, reason }) => `${unit}: ${reason}`),
    ...listed("failed", report.failedQuestions, ({ stage, message }) => `${stage}: ${message}`),
    ...listed("contested", report.contested, ({ claims }) => claims.map(({ text }) => text).join(" / ")),
    ...(report.contested.length > 0 ? [nameCommands("  Decide with bridle context review", output)] : []),
    ...listed("not written", report.failedFiles, ({ file, reason }) => `${file}: ${reason}`),
    ...listed("note", report.fileNotes, ({ file, message }) => `${file}: ${message}`),
    ...listed("decision", report.decisions, ({ message }) => message),
    ...(report.state === "planned" ? [] : listed("written", report.files, ({ file, change }) => `${file} (${change})`)),
    ...report.notes.map((note) => `  ${note}`),
    ...(report.commit === undefined ? [] : [`  committed as ${report.commit}`]),
    ...(report.commitProblem === undefined ? [] : [`  not committed: ${report.commitProblem}`]),
  ]
    .flatMap((line) => wrap(toPrintableLine(line), page.width))
    .map((line) => `${line}\n`)
    .join("");
}

/** Whether to show a source. The memory and the handwritten pages are sources of every run, but are only shown if they are not empty. */
function isWorthShowing({ source, added, changed, unchanged, removed, problems }: IngestedContext["sources"][number]) {
  const isOwn = source === "memory" || source === "pages";
  return !isOwn || added + changed + unchanged + removed.length + problems.length > 0;
}

function sourceLine(fetched: IngestedContext["sources"][number]): string {
  const { source, added, changed, unchanged, removed, ownOutput, isComplete } = fetched;
  const gone = removed.filter(({ movedTo }) => movedTo === undefined).length;
  const counts: readonly (readonly [number, string])[] = [
    [added, "new"],
    [changed, "changed"],
    [unchanged, "unchanged"],
    [gone, "gone"],
    [removed.length - gone, "moved"],
    [ownOutput.length, "written by ingest, left out"],
  ];
  const parts = counts.filter(([count]) => count > 0).map(([count, what]) => `${formatCount(count)} ${what}`);
  return `${source}: ${parts.join(", ") || "nothing"}${isComplete ? "" : "; not read to its end"}`;
}

function claimsLine({ claims, items, added, changed, evicted, superseded, durationMs }: IngestedContext): string {
  const parts = [
    `${formatCount(added.length)} added`,
    `${formatCount(changed.length)} changed`,
    `${formatCount(evicted.length)} removed`,
    `${formatCount(superseded.length)} replaced`,
  ];
  const total = `${counted(claims.current, "current fact")} from ${counted(items.total, "document")}`;
  return `${total}: ${parts.join(", ")}; ${formatDuration(durationMs)}`;
}

function stageLines({ stages }: IngestedContext): readonly string[] {
  return stages
    .filter(({ calls, stored }) => calls + stored > 0)
    .map(({ stage, calls, failedCalls, stored, inputTokens, outputTokens, costUsd, durationMs }) => {
      const asked = calls === 0 ? "nothing asked" : counted(calls, "call");
      const used = [
        ...(failedCalls > 0 ? [`${formatCount(failedCalls)} failed`] : []),
        ...(stored > 0 ? [`${counted(stored, "answer")} known`] : []),
        ...(calls > 0 ? [counted(inputTokens + outputTokens, "token")] : []),
        ...(calls > 0 ? [costUsd === undefined ? "cost unknown" : formatDollars(costUsd)] : []),
        ...(calls > 0 ? [formatDuration(durationMs)] : []),
      ];
      return `  ${stage}: ${[asked, ...used].join(", ")}`;
    });
}

function rejectedLines({ rejected }: IngestedContext): readonly string[] {
  if (rejected.length === 0) return [];
  const gates = [...Map.groupBy(rejected, ({ gate }) => gate)].map(([gate, own]) => `${gate} ${own.length}`);
  return [`  rejected  ${counted(rejected.length, "proposal")}: ${gates.join(", ")} (--output has each)`];
}

function problemsOf({ sources }: IngestedContext) {
  return sources.flatMap(({ problems }) => problems);
}

function listed<T>(title: string, all: readonly T[], format: (each: T) => string): readonly string[] {
  const lines = all.slice(0, maxListed).map((each) => `  ${title}  ${format(each)}`);
  const more = all.length - maxListed;
  return more > 0 ? [...lines, `  and ${formatCount(more)} more (--json lists all)`] : lines;
}
