import type { TrialStatistics } from "../../result/test-run.ts";
import { formatPercent } from "../numbers.ts";
import { html, type Markup } from "./markup.ts";

/** Shows the share of cases that pass at least once, and always, in k trials. */
export function trialsPanel(statistics: TrialStatistics): Markup | false {
  if (statistics.length < 2) return false;
  return html`<section class="panel wide"><h2>Trials</h2>
<div class="beside">${curves(statistics)}<table><thead><tr><th scope="col">k</th><th scope="col" class="num">pass@k</th><th scope="col" class="num">pass^k</th></tr></thead>
<tbody>${statistics.map(({ k, passAtK, passHatK }) => html`<tr><th scope="row">${k}</th><td class="num">${formatPercent(passAtK)}</td><td class="num">${formatPercent(passHatK)}</td></tr>`)}</tbody></table></div>
<p class="hint">pass@k: at least one of k trials passes. pass^k: all of k trials pass. The mean over the cases.</p>
</section>`;
}

const [left, right, top, bottom] = [40, 290, 14, 150];

function curves(statistics: TrialStatistics): Markup {
  const x = (k: number) => left + ((right - left) * (k - 1)) / (statistics.length - 1);
  const y = (share: number) => bottom - (bottom - top) * share;
  const lines = [0, 0.25, 0.5, 0.75, 1].map(
    (share) =>
      html`<line class="grid" x1="${left}" x2="${right}" y1="${y(share)}" y2="${y(share)}"/><text x="${left - 8}" y="${y(share) + 4}" text-anchor="end">${share * 100}%</text>`,
  );
  const ticks = ticksOf(statistics.length).map(
    (k) => html`<text x="${x(k)}" y="${bottom + 18}" text-anchor="middle">${k}</text>`,
  );
  const curve = (className: string, key: "passAtK" | "passHatK") => {
    const points = statistics.map((each) => `${round(x(each.k))},${round(y(each[key]))}`).join(" ");
    const dots = statistics.map(
      (each) => html`<circle class="${className}" cx="${round(x(each.k))}" cy="${round(y(each[key]))}" r="3.5"/>`,
    );
    return html`<polyline class="${className}" points="${points}"/>${dots}`;
  };
  const last = statistics.at(-1) ?? { passAtK: 0, passHatK: 0 };
  const [first, second] = apart(y(last.passAtK), y(last.passHatK));
  return html`<svg class="curves" viewBox="0 0 350 185" role="img" aria-label="pass@k and pass^k for each k; the table below has the numbers.">
${lines}${ticks}<text x="${(left + right) / 2}" y="${bottom + 33}" text-anchor="middle">k trials</text>
${curve("any", "passAtK")}${curve("all", "passHatK")}
<text class="name" x="${right + 9}" y="${first + 4}">pass@k</text><text class="name" x="${right + 9}" y="${second + 4}">pass^k</text></svg>`;
}

/** Moves the names of the two curves apart, because they must not overlap if both curves end at the same height. */
function apart(upper: number, lower: number): readonly [number, number] {
  return lower - upper >= 16 ? [upper, lower] : [Math.min(upper, bottom - 16), Math.min(upper, bottom - 16) + 16];
}

function ticksOf(max: number): number[] {
  const step = Math.ceil(max / 10);
  return Array.from({ length: max }, (_, index) => index + 1).filter((k) => k === 1 || k === max || k % step === 0);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
