import type { ApiComparison } from "@bridle/client";
import { formatPercent } from "@bridle/protocol/text";
import { WideTable } from "../parts/wide-table.tsx";
import { formatScore } from "./format-score.ts";

/** The pass rate and the metrics before and after, with the spread of the change. */
export function ComparedMetrics({ comparison: { passRate, metrics } }: { comparison: ApiComparison }) {
  const rows = [
    { ...passRate, name: "pass rate", figures: passRate, show: formatPercent },
    ...metrics.map(({ mean, unit, ...metric }) => ({
      ...{ ...metric, figures: mean },
      show: (value: number) => formatScore(value, unit),
    })),
  ];
  return (
    <WideTable label="Metrics before and after">
      <table>
        <thead>
          <tr>
            <th scope="col">Metric</th>
            {["Before", "After", "Change", "95 % interval"].map((title) => (
              <th key={title} scope="col" className="number">
                {title}
              </th>
            ))}
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, figures, interval, verdict, show }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="number">{orDash(figures.before, show)}</td>
              <td className="number">{orDash(figures.after, show)}</td>
              <td className="number">{orDash(figures.delta, signed(show))}</td>
              <td className="number">
                {interval && `${signed(show)(interval.low)} to ${signed(show)(interval.high)}`}
              </td>
              <td>{verdict ?? "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}

function orDash(figure: number | null, show: (value: number) => string): string {
  return figure === null ? "–" : show(figure);
}

/** A change, with its sign: `−0.02`. */
function signed(show: (value: number) => string): (value: number) => string {
  return (value) => `${value < 0 ? "−" : "+"}${show(Math.abs(value))}`;
}
