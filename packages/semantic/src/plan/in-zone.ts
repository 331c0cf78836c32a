import type { SqlExpression } from "../ir/sql-expression.ts";
import { refuseMetric } from "../refusals/metric-refusal.ts";

/** A moment as the wall clock of the query's zone; stored moments are UTC. Dates have no zone. */
export function inZone(zone: string | undefined, bound: SqlExpression): SqlExpression {
  if (bound.type !== "timestamp" && bound.type !== "timestamptz") return bound;
  if (zone === undefined && bound.type === "timestamp") return bound;
  return { kind: "local_time", operand: bound, zone: zone ?? "UTC", type: "timestamp" };
}

/** The operand of a function that reads days or hours. */
export function clockOf(zone: string | undefined, operand: SqlExpression): SqlExpression {
  if (zone === undefined || operand.type !== "unknown") return inZone(zone, operand);
  const why = "A time zone changes the days and hours of a column whose type is not known.";
  return refuseMetric("unsupported", `${why} Scan the table, or leave the zone out.`);
}
