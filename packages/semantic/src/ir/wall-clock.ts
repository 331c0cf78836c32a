/**
 * Stored moments are in UTC. A moment is converted to a zone's local time where its day or hour is needed, or where it is compared with a
 * bound. Dates have no zone.
 */

import { refuseMetric } from "../refusals/metric-refusal.ts";
import type { SqlExpression } from "./sql-expression.ts";
import { isTimeType } from "./type-rules.ts";

/**
 * Converts a moment to the local time of the query's zone. A value that is already local, such as the start of an hour, does not change.
 */
export function inZone(zone: string | undefined, bound: SqlExpression): SqlExpression {
  if (bound.type !== "timestamp" && bound.type !== "timestamptz") return bound;
  if (zone === undefined && bound.type === "timestamp") return bound;
  if (bound.type === "timestamp" && isWallClock(bound)) return bound;
  return { kind: "local_time", operand: bound, zone: zone ?? "UTC", type: "timestamp" };
}

/** Returns the operand of a function that reads days or hours. */
export function clockOf(zone: string | undefined, operand: SqlExpression): SqlExpression {
  if (zone === undefined || operand.type !== "unknown") return inZone(zone, operand);
  const why = "A time zone changes the days and hours of a column of unknown type.";
  return refuseMetric("unsupported", `${why} Scan the table, or leave the zone out.`);
}

/**
 * Converts dates and times to one form, so that they can be compared, or be alternatives for one result. If one of them is a day or the
 * start of an hour, moments become local times, and dates become their midnight. If moments with and without a zone are mixed, all become
 * UTC. Other moments keep their stored values.
 */
export function alignTimes(values: readonly SqlExpression[], zone: string | undefined): readonly SqlExpression[] {
  const times = values.filter(({ type }) => type !== "unknown");
  if (!times.every(({ type }) => isTimeType(type)) || times.every(({ type }) => type === "date")) return values;
  if (times.some(isWallClock)) return values.map((value) => midnightOf(inZone(zone, value)));
  const isMixed = times.some(({ type }) => type !== times[0]?.type);
  return isMixed ? values.map((value) => (value.type === "timestamptz" ? inUtc(value) : value)) : values;
}

/** Converts a moment with a zone to a moment without one, in UTC. */
export function inUtc(operand: SqlExpression): SqlExpression {
  return operand.type === "timestamptz" ? { kind: "local_time", operand, zone: "UTC", type: "timestamp" } : operand;
}

function midnightOf(value: SqlExpression): SqlExpression {
  return value.type === "date" ? { kind: "cast", operand: value, type: "timestamp" } : value;
}

/** Shows the minimum or maximum of stored moments as a local time in the zone. */
export function shownMoment(
  aggregate: SqlExpression,
  input: SqlExpression | undefined,
  zone: string | undefined,
): SqlExpression {
  const isStored = input !== undefined && isTimeType(input.type) && !isWallClock(input);
  return zone !== undefined && isStored ? inZone(zone, aggregate) : aggregate;
}

/** Whether a node is a day or a local time, and not a stored moment. */
function isWallClock(node: SqlExpression): boolean {
  if (node.type === "date") return true;
  switch (node.kind) {
    case "literal":
      return node.value !== null;
    case "column":
      return !node.isStored;
    case "truncate":
      return true;
    case "local_time":
      return node.zone !== "UTC";
    case "cast":
    case "shift":
      return isWallClock(node.operand);
    case "case":
      return [...node.branches.map(({ then }) => then), ...(node.otherwise ? [node.otherwise] : [])].some(isWallClock);
    case "call":
      return node.args.some((arg) => isTimeType(arg.type) && isWallClock(arg));
    default:
      return false;
  }
}
