/**
 * Formats JUnit XML for Jenkins, by the schema of its xUnit plugin (junit-10.xsd). GitLab, GitHub Actions, Azure Pipelines and CircleCI
 * read the same format. Readers show only the first failure of a test case, so one element contains all failures of a case.
 */
import type { CaseResult, TestRun } from "../result/test-run.ts";
import {
  costOf,
  failuresOf,
  failureWords,
  formatLocation,
  type LocatedFailure,
  runFacts,
  summaryLine,
  totalFacts,
} from "./facts.ts";
import { dollarWords, formatPercent } from "./numbers.ts";
import { oneLine } from "./plain-text.ts";
import { transcriptText } from "./transcript-text.ts";
import { element, xmlText } from "./xml.ts";

export function junitReport(run: TestRun): string {
  const { plan, summary } = run;
  const totals = {
    name: plan.agent.name,
    tests: summary.cases,
    failures: summary.failed,
    errors: summary.errored,
    time: seconds(run.durationMs),
  };
  const content = [properties(run), ...run.cases.map((each) => testCase(each, run))];
  const timestamp = run.startedAt.slice(0, 19); // without a time zone, as is usual in JUnit; in UTC
  const suite = { ...totals, skipped: summary.notRun, timestamp, id: run.id, file: plan.agent.file };
  const inner = element("testsuite", suite, `\n${content.join("\n")}\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", totals, `\n${inner}\n`)}\n`;
}

function properties(run: TestRun): string {
  const facts = [["Verdict", summaryLine(run)] as const, ...runFacts(run), ...totalFacts(run)];
  const each = facts.map(([name, value]) => element("property", { name: name.toLowerCase(), value }));
  return element("properties", {}, `\n${each.join("\n")}\n`);
}

function testCase(result: CaseResult, { plan }: TestRun): string {
  const ms = result.trials.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const transcript = transcriptText(result);
  const out = transcript === "" ? [] : [element("system-out", {}, xmlText(`${trialsLine(result)}${transcript}`))];
  const content = [...ending(result), ...out];
  const attributes = { classname: plan.agent.name, name: result.name, time: seconds(ms) };
  return element("testcase", attributes, content.length > 0 ? `\n${content.join("\n")}\n` : "");
}

function trialsLine({ trials, passed, trialsJudged }: CaseResult): string {
  const total = costOf(trials);
  const rate = trialsJudged > 0 ? `, ${formatPercent(passed / trialsJudged)}` : "";
  if (trials.length < 2) return "";
  return `${passed} of ${trials.length} trials passed${rate}${total === null ? "" : `, ${dollarWords(total)}`}\n\n`;
}

function ending(result: CaseResult): string[] {
  if (result.outcome === "passed") return [];
  if (result.outcome === "not-run")
    return [element("skipped", { message: "Not run: the invocation ended before this case." })];
  const failures = failuresOf(result);
  const first = failures[0];
  const attributes = { type: first?.kind ?? "unknown", message: oneLine(first?.message ?? "No reason is known.") };
  const text = failures.map((failure) => failureText(failure, result)).join("\n\n");
  return [element(result.outcome === "failed" ? "failure" : "error", attributes, xmlText(text))];
}

function failureText(failure: LocatedFailure, result: CaseResult): string {
  const lines = [`${failureWords[failure.kind]}${formatLocation(failure, result)}: ${failure.message}`];
  if (failure.expected !== null) lines.push(`expected: ${failure.expected}`);
  if (failure.received !== null) lines.push(`received: ${failure.received}`);
  return lines.join("\n");
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
