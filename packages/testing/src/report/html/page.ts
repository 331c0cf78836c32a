/** One self-contained page, which loads nothing. Its content security policy forbids loading. */
import { createHash } from "node:crypto";
import type { Comparison } from "../../compare/comparison.ts";
import type { TestRun } from "../../result/test-run.ts";
import { runFacts, summaryLine } from "../facts.ts";
import { caseStyle } from "./case-style.ts";
import { casesSection } from "./cases.ts";
import { reasonsPanel, slowestPanel } from "./charts.ts";
import { headline } from "./headline.ts";
import { chevron, symbols } from "./icons.ts";
import { html, type Markup, trusted, write } from "./markup.ts";
import { metricsPanel } from "./metrics-panel.ts";
import { previousPanel } from "./previous.ts";
import { groupReasons, type ReasonGroup } from "./reasons.ts";
import { pageScript } from "./script.ts";
import { pageStyle } from "./style.ts";
import { code } from "./texts.ts";
import { trialsPanel } from "./trials-panel.ts";

const style = `${pageStyle}${caseStyle}`;

/** The content security policy, which allows only the page's own style and script, by their hashes. */
const policy = [
  "default-src 'none'",
  `style-src '${hashOf(style)}'`,
  `script-src '${hashOf(pageScript)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Creates the page. `previous` is the comparison with the previous run. */
export function htmlReport(run: TestRun, previous?: Comparison): string {
  const groups = groupReasons(run);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${summaryLine(run)} – ${run.plan.agent.name}</title>
<style>${trusted(style)}</style>
</head>
<body>
<a class="skip" href="#cases">Skip to the cases</a>
${symbols}
${headline(run)}
<main>
<div class="panels">${panels(run, groups, previous)}</div>
${casesSection(run, groups, previous)}
</main>
${about(run)}
<script>${trusted(pageScript)}</script>
</body>
</html>
`;
  return write(page);
}

function panels(run: TestRun, groups: readonly ReasonGroup[], previous: Comparison | undefined): (Markup | false)[] {
  const { metrics, statistics } = run.summary;
  const first = [previousPanel(previous), reasonsPanel(groups)];
  return [...first, trialsPanel(statistics), metricsPanel(metrics), slowestPanel(run)];
}

function about(run: TestRun): Markup {
  const facts = runFacts(run).map(([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`);
  return html`<footer><div class="panel"><h2>Test set-up</h2><dl class="facts">${facts}</dl>
<details class="more"><summary>${chevron()}The agent file after parsing</summary>${code(run.plan.configuration)}</details></div></footer>`;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
