import type { RunReplay } from "@bridle/client";
import { formatCost, formatCount, formatPercent } from "@bridle/protocol/text";
import { costUntil } from "./cost-until.ts";

const [width, height] = [280, 64];

interface WindowChartProps {
  readonly replay: Pick<RunReplay, "usage" | "contextWindow">;
  readonly at: number;
}

/** The fill of the context window after each response, and the cost of the responses so far. */
export function WindowChart({ replay: { usage, contextWindow }, at }: WindowChartProps) {
  if (usage.length === 0) return <p className="muted">No response is complete yet.</p>;
  const max = Math.max(...usage.map(({ tokens }) => tokens), 1);
  const step = width / usage.length;
  const current = usage.findLast(({ seq }) => seq <= at);
  const cost = costUntil(usage, at);
  return (
    <figure className="window-chart">
      <figcaption>
        {current === undefined
          ? "Before the first response"
          : `${formatCount(current.tokens)} tokens in the window here`}
        {current !== undefined && contextWindow !== null && (
          <span className="muted">, {formatPercent(current.tokens / contextWindow)} of it</span>
        )}
        <span className="muted">, at most {formatCount(max)}</span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label="Tokens in the window after each response">
        {usage.map(({ seq, tokens }, index) => (
          <rect
            key={seq}
            className={seq <= at ? "reached" : ""}
            x={index * step}
            width={Math.max(1, step - 1)}
            y={height - (tokens / max) * height}
            height={(tokens / max) * height}
          />
        ))}
      </svg>
      <p className="muted">
        {cost === undefined ? "The host did not report the cost of the responses." : `${formatCost(cost)} until here`}
      </p>
    </figure>
  );
}
