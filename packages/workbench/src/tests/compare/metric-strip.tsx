import { type ComparedFigures, placeOnStrip } from "./strip-places.ts";

const [width, height] = [160, 16];
/** Half the size of a marker, so that markers at the ends are not cut off. */
const margin = 5;

/**
 * A metric on a line that begins at zero: a ring for the value before, a dot for the value after, and a band for the confidence interval.
 * The table contains the figures.
 */
export function MetricStrip({ figures, isShare }: { figures: ComparedFigures; isShare: boolean }) {
  const places = placeOnStrip(figures, isShare);
  if (places === undefined) return null;
  const { before, after, spread } = places;
  const x = (place: number) => margin + place * (width - 2 * margin);
  const middle = height / 2;
  return (
    <svg className="metric-strip" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <line className="strip-axis" x1={x(0)} x2={x(1)} y1={middle} y2={middle} />
      {spread && (
        <rect className="strip-spread" x={x(spread.from)} width={x(spread.to) - x(spread.from)} y={3} height={10} />
      )}
      <circle className="strip-before" cx={x(before)} cy={middle} r={4} />
      <circle className="strip-after" cx={x(after)} cy={middle} r={3} />
    </svg>
  );
}
