import type { RunReplay } from "@bridle/client";
import { formatCount } from "@bridle/protocol/text";

const [width, height] = [280, 64];

/** How full the context window was after each response. */
export function WindowChart({ usage, at }: { usage: RunReplay["usage"]; at: number }) {
  if (usage.length === 0) return <p className="muted">No response is complete yet.</p>;
  const most = Math.max(...usage.map(({ tokens }) => tokens), 1);
  const step = width / Math.max(1, usage.length);
  const current = usage.findLast(({ seq }) => seq <= at);
  return (
    <figure className="window-chart">
      <figcaption>
        {current === undefined
          ? "Before the first response"
          : `${formatCount(current.tokens)} tokens in the window here`}
        <span className="muted">, at most {formatCount(most)}</span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label="Tokens in the window after each response">
        {usage.map(({ seq, tokens }, index) => (
          <rect
            key={seq}
            className={seq <= at ? "reached" : ""}
            x={index * step}
            width={Math.max(1, step - 1)}
            y={height - (tokens / most) * height}
            height={(tokens / most) * height}
          />
        ))}
      </svg>
    </figure>
  );
}
