import { counted } from "@bridle/protocol";
import type { CaseChange, Comparison } from "../../compare/comparison.ts";
import { formatPercent, moment, none } from "../numbers.ts";
import { html, type Markup } from "./markup.ts";

/** The changes that readers look for first, with their labels. */
export const shownChanges: Readonly<Partial<Record<CaseChange, string>>> = {
  broken: "Newly failing",
  fixed: "Fixed",
  added: "Not in the previous run",
};

/** Shows the difference to the previous run of the same agent, with buttons that show the changed cases. */
export function previousPanel(comparison: Comparison | undefined): Markup | false {
  if (comparison === undefined) return false;
  const { before, passRate, cases, differences, warnings } = comparison;
  const count = (change: CaseChange) => cases.filter((each) => each.change === change).length;
  const buttons = (["broken", "fixed", "added"] as const)
    .filter((change) => count(change) > 0)
    .map(
      (change) =>
        html`<button type="button" data-filter="change-${change}" aria-pressed="false">${shownChanges[change] ?? ""} <span class="muted">${count(change)}</span></button> `,
    );
  const rate = (share: number | null) => (share === null ? none : formatPercent(share));
  const still =
    count("still-failing") > 0 && html`<span>${counted(count("still-failing"), "case")} still failing</span> `;
  const removed = count("removed") > 0 && html`<span>${counted(count("removed"), "case")} not in this run</span> `;
  const changed =
    differences.length > 0 && html`<span>Changed: ${differences.map(({ what }) => what).join(", ")}</span> `;
  const same = buttons.length === 0 && html`<span>No case changed its outcome.</span> `;
  return html`<section class="panel wide"><h2>Since the previous run</h2>
<p class="small">Pass rate ${rate(passRate.before)} → ${rate(passRate.after)}${passRate.verdict === "unclear" && html` (may be noise)`} ${still}${removed}${changed}${same}<span class="muted">${before.id}, ${moment(before.startedAt)}</span></p>
${warnings.map((warning) => html`<p class="hint">${warning}</p>`)}
${buttons.length > 0 && html`<div class="filters needs-script" hidden>${buttons}</div>`}
</section>`;
}
