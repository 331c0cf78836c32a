/** Turns a report into headings, sentences and tables, from which every format is made. Pure. */
import { counted, formatCount, formatDollars, formatDuration } from "@bridle/protocol";
import type { IngestReport, ReportedClaim } from "./report-schema.ts";

export interface ReportSection {
  readonly title: string;
  readonly lines: readonly string[];
  readonly table?: ReportTable | undefined;
}

export interface ReportTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The maximum number of rows shown. The rest is only counted. The JSON report has all rows. */
const maxRows = 200;

export function reportSections(report: IngestReport): readonly ReportSection[] {
  const sections = [
    { title: "Summary", lines: summaryLines(report) },
    stages(report),
    attention(report),
    claimsSection("Added", report.added),
    changed(report),
    claimsSection("Removed", report.evicted),
    superseded(report),
    resourced(report),
    rejected(report),
    files(report),
  ];
  return sections.filter(({ lines, table }: ReportSection) => lines.length > 0 || (table?.rows.length ?? 0) > 0);
}

const states = {
  applied: "The files were written.",
  planned: "Nothing was written.",
  stopped: "The run was stopped. Nothing was written.",
};

function summaryLines(report: IngestReport): readonly string[] {
  const { claims, items, stages: used, durationMs, state, endReason, commit, commitProblem } = report;
  const calls = used.reduce((sum, each) => sum + each.calls, 0);
  const cost = used.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0);
  const open = [counted(claims.contested, "contested fact"), counted(claims.superseded, "replaced one")].join(", ");
  return [
    `${states[state]}${endReason === undefined ? "" : ` ${endReason}`}`,
    `${counted(claims.current, "fact")} from ${counted(items.total, "document")}; ${open}.`,
    `${counted(report.added.length, "fact")} added, ${report.changed.length} changed, ${report.evicted.length} removed, ${report.rejected.length} rejected.`,
    `${counted(calls, "call")} of models, ${formatDollars(cost)}, ${formatDuration(durationMs)}.`,
    ...(commit === undefined ? [] : [`Commit ${commit}.`]),
    ...(commitProblem === undefined ? [] : [`Not committed: ${commitProblem}`]),
    ...report.notes,
  ];
}

function stages({ stages: used }: IngestReport): ReportSection {
  const rows = used.map(({ stage, calls, failedCalls, stored, inputTokens, outputTokens, costUsd, durationMs }) => [
    stage,
    formatCount(calls),
    formatCount(failedCalls),
    formatCount(stored),
    formatCount(inputTokens),
    formatCount(outputTokens),
    costUsd === undefined ? "unknown" : formatDollars(costUsd),
    formatDuration(durationMs),
  ]);
  return section(
    "Stages",
    ["stage", "calls", "failed", "stored answers", "tokens in", "tokens out", "cost", "time"],
    rows,
  );
}

/** Lists everything that needs a user's attention. */
function attention(report: IngestReport): ReportSection {
  const rows = [
    ...report.contested.map(({ claims, reason }) => [
      "contested",
      claims.map(({ text }) => text).join(" / "),
      reason ?? "",
    ]),
    ...report.decisions.map(({ kind, statement, message }) => [`decision ${kind}`, statement, message]),
    ...report.unfinished.map(({ state, unit, reason }) => [state, unit, reason]),
    ...report.sources.flatMap(({ problems }) =>
      problems.map(({ source, item = "", message }) => ["not read", `${source} ${item}`.trim(), message]),
    ),
    ...report.instructions.map(({ source, item, quote, reason }) => [
      "instruction",
      `${source}: ${item}`,
      `${reason}: ${quote}`,
    ]),
    ...report.undecided.map(({ question, statements }) => ["undecided", statements.join(" / "), question]),
    ...report.undecidedTopics.map((topic) => ["undecided", topic, "page"]),
    ...report.failedQuestions.map(({ stage, message, questions }) => [
      "failed",
      `${stage}: ${counted(questions, "question")}`,
      message,
    ]),
    ...report.refused.map(({ relation, guard, statements }) => [
      "refused",
      statements.join(" / "),
      `${relation}: ${guard}`,
    ]),
    ...report.failedFiles.map(({ file, reason }) => ["not written", file, reason]),
    ...report.fileNotes.map(({ kind, file, message }) => [kind, file, message]),
    ...report.findings.map(({ kind, subject, item, reason }) => [kind, `${item}: ${subject}`, reason]),
  ];
  return section("For your attention", ["what", "where", "why"], rows);
}

function claimsSection(title: string, claims: readonly ReportedClaim[]): ReportSection {
  return section(
    title,
    ["fact", "page", "documents"],
    claims.map((claim) => [claim.text, claim.page ?? "", documentsOf(claim)]),
  );
}

function changed({ changed: pairs }: IngestReport): ReportSection {
  const rows = pairs.map(({ before, after }) => [before, after.text, documentsOf(after)]);
  return section("Changed", ["before", "now", "documents"], rows);
}

function superseded({ superseded: retired }: IngestReport): ReportSection {
  const rows = retired.map(({ claim, by, reason = "" }) => [claim.text, by.join(" / "), reason]);
  return section("Replaced", ["fact", "by", "difference"], rows);
}

function resourced({ resourced: moved }: IngestReport): ReportSection {
  const rows = moved.map(({ claim, lost, gained }) => [claim.text, lost.join(", "), gained.join(", ")]);
  return section("With other sources", ["fact", "no longer in", "now also in"], rows);
}

function rejected({ rejected: refused }: IngestReport): ReportSection {
  const rows = refused.map(({ gate, statement, reason, source, item }) => [
    gate,
    statement,
    reason,
    `${source}: ${item}`,
  ]);
  return section("Rejected", ["gate", "fact", "reason", "document"], rows);
}

function files({ files: written }: IngestReport): ReportSection {
  return section(
    "Files",
    ["file", "change"],
    written.map(({ file, change }) => [file, change]),
  );
}

function documentsOf({ sources }: ReportedClaim): string {
  return [...new Set(sources.map(({ source, item }) => `${source}: ${item}`))].join(", ");
}

function section(title: string, head: readonly string[], rows: readonly (readonly string[])[]): ReportSection {
  const more = rows.length - maxRows;
  return {
    title,
    lines: more > 0 ? [`${formatCount(more)} more are in the JSON report.`] : [],
    table: { head, rows: rows.slice(0, maxRows) },
  };
}
