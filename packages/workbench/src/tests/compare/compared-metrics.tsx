import type { ApiComparison } from "@bridle/client";
import { formatPercent, showHiddenInName } from "@bridle/protocol/text";
import { WideTable } from "../../parts/wide-table.tsx";
import { formatScore } from "../format-score.ts";
import { MetricStrip } from "./metric-strip.tsx";
import type { ComparedFigures } from "./strip-places.ts";

/** The pass rate and the metrics before and after, with the confidence interval of the change. */
export function ComparedMetrics({ comparison: { passRate, metrics } }: { comparison: ApiComparison }) {
  const rows = [
    { ...passRate, name: "pass rate", figures: passRate, isShare: true, show: formatPercent },
    ...metrics.map(({ mean, unit, ...metric }) => ({
      ...metric,
      figures: mean,
      isShare: unit === null,
      show: (value: number) => formatScore(value, unit),
    })),
  ];
  return (
    <div className="compared-metrics">
      <WideTable label="Metrics before and after">
        <table>
          <thead>
            <tr>
              <th scope="col">Metric</th>
              {["Before", "After", "Change"].map((title) => (
                <th key={title} scope="col" className="number">
                  {title}
                </th>
              ))}
              <th scope="col" className="number wide-only">
                95 % interval
              </th>
              <th scope="col" className="wide-only">
                Verdict
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, figures, interval, verdict, isShare, show }) => (
              <tr key={name}>
                <th scope="row" className="compared-metric">
                  {showHiddenInName(name)}
                  <MetricStrip figures={{ ...figures, interval }} isShare={isShare} />
                </th>
                <td className="number">{orDash(figures.before, show)}</td>
                <td className="number">{orDash(figures.after, show)}</td>
                <td className="number">
                  {orDash(figures.delta, signed(show))}
                  <span className="narrow-only muted">
                    {formatInterval(interval, show)} {verdict}
                  </span>
                </td>
                <td className="number wide-only">{formatInterval(interval, show) || "–"}</td>
                <td className="wide-only">{verdict ?? "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
      <p className="muted strip-legend" aria-hidden="true">
        ○ before, ● after, ▬ the 95 % interval of after. Each line begins at zero.
      </p>
    </div>
  );
}

function formatInterval(interval: ComparedFigures["interval"], show: (value: number) => string): string {
  return interval === null ? "" : `${signed(show)(interval.low)} to ${signed(show)(interval.high)}`;
}

function orDash(figure: number | null, show: (value: number) => string): string {
  return figure === null ? "–" : show(figure);
}

/** Formats a change with its sign: `−0.02`. */
function signed(show: (value: number) => string): (value: number) => string {
  return (value) => `${value < 0 ? "−" : "+"}${show(Math.abs(value))}`;
}
