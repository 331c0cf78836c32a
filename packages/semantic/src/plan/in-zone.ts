import type { SqlExpression } from "../ir/sql-expression.ts";

/** A moment as the wall clock of the query's zone; stored moments are UTC. Dates have no zone. */
export function inZone(zone: string | undefined, bound: SqlExpression): SqlExpression {
  if (bound.type !== "timestamp" && bound.type !== "timestamptz") return bound;
  if (zone === undefined && bound.type === "timestamp") return bound;
  return { kind: "local_time", operand: bound, zone: zone ?? "UTC", type: "timestamp" };
}
