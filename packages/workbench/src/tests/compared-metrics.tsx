import type { ApiComparison } from "@bridle/client";

/** The pass rate and the metrics before and after, with the spread of the change. */
export function ComparedMetrics({ comparison: { passRate, metrics } }: { comparison: ApiComparison }) {
  const rows = [
    { name: "pass rate", figures: passRate, interval: passRate.interval, verdict: passRate.verdict },
    ...metrics.map(({ name, mean, interval, verdict }) => ({ name, figures: mean, interval, verdict })),
  ];
  return (
    <div className="table-scroll">
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
          {rows.map(({ name, figures, interval, verdict }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="number">{show(figures.before)}</td>
              <td className="number">{show(figures.after)}</td>
              <td className="number">{show(figures.delta)}</td>
              <td className="number">{interval && `${show(interval.low)} to ${show(interval.high)}`}</td>
              <td>{verdict ?? "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function show(figure: number | null): string {
  return figure === null ? "–" : figure.toFixed(2);
}
