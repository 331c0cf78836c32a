/** Applies filters, row by row. */
import type { FilterCondition } from "../../../src/models/model-schema.ts";
import type { NaiveFilter, World, WorldRow } from "../random-world.ts";
import { followingDay, isMoment, wallClock } from "./naive-calendar.ts";
import { dimensionOf } from "./naive-expressions.ts";
import { findField, keyOfPath, modelIn, type NaiveField, type NaivePath, reachRows } from "./naive-paths.ts";
import { compareValues, exact, identityOf, type NaiveValue } from "./naive-values.ts";

/** The scope of a filter. Names are relative to `model` if the filter belongs to a model. */
export interface FilterScope {
  readonly world: World;
  readonly root: string;
  readonly model: string | undefined;
  readonly zone: string | undefined;
  /** The number of joins from the root to the filtered rows. */
  readonly skipped?: number;
}

function fieldInScope(scope: FilterScope, reference: string): NaiveField {
  const found = fieldFromRoot(scope, reference);
  return { ...found, path: found.path.slice(scope.skipped) };
}

function fieldFromRoot({ world, root, model }: FilterScope, reference: string): NaiveField {
  if (model === undefined) return findField(world, root, reference);
  const [first = "", ...rest] = reference.split(".");
  const isJoin = modelIn(world, model).joins.some((join) => (join.name ?? join.to) === first);
  const isLocal = rest.length === 0 || isJoin;
  return findField(world, root, isLocal ? `${model}.${reference}` : reference);
}

/** Returns the paths of all fields that a filter names. */
export function pathsInFilter(scope: FilterScope, filter: NaiveFilter): readonly NaivePath[] {
  if ("or" in filter) return filter.or.flatMap((each) => pathsInFilter(scope, each));
  if ("and" in filter) return filter.and.flatMap((each) => pathsInFilter(scope, each));
  if ("not" in filter) return pathsInFilter(scope, filter.not);
  if ("field" in filter) return [fieldInScope(scope, filter.field).path];
  const segment = segmentNamed(scope.world, filter.segment);
  return pathsInFilter({ ...scope, model: segment.model }, segment.filter);
}

function segmentNamed(world: World, reference: string) {
  const [model = "", name] = reference.split(".");
  const segment = modelIn(world, model).segments.find((each) => each.name === name);
  if (!segment) throw new Error(`There is no segment ${reference}.`);
  return { model, filter: segment.filter };
}

/**
 * Whether a filter is true for a row. All conditions on fields behind a to-many join must be true for the same row there, and each needs
 * such a row.
 */
export function filterHolds(scope: FilterScope, row: WorldRow, filter: NaiveFilter): boolean {
  const reached = reachRows(scope.world, row, pathsInFilter(scope, filter));
  return reached.some((rows) => holdsFor(scope, filter, rows));
}

/** Moves NOT to the conditions. Each negated condition needs a row behind its to-many join, too. */
function holdsFor(scope: FilterScope, filter: NaiveFilter, rows: ReachedRows, isNegated = false): boolean {
  const inner = (each: NaiveFilter) => holdsFor(scope, each, rows, isNegated);
  if ("or" in filter) return isNegated ? filter.or.every(inner) : filter.or.some(inner);
  if ("and" in filter) return isNegated ? filter.and.some(inner) : filter.and.every(inner);
  if ("not" in filter) return holdsFor(scope, filter.not, rows, !isNegated);
  if ("segment" in filter) {
    const segment = segmentNamed(scope.world, filter.segment);
    return holdsFor({ ...scope, model: segment.model }, segment.filter, rows, isNegated);
  }
  const field = fieldInScope(scope, filter.field);
  const beginning = manyBeginning(field.path);
  if (beginning.length > 0 && rows.get(keyOfPath(beginning)) === null) return false;
  const reached = rows.get(keyOfPath(field.path)) ?? null;
  const operand = shownMoment(dimensionOf(scope.world, field.model, reached, field.name, scope.zone), scope.zone);
  const isKnown = operand !== null || filter.op.startsWith("is ");
  return isNegated ? isKnown && !conditionHolds(filter, operand) : conditionHolds(filter, operand);
}

type ReachedRows = ReturnType<typeof reachRows>[number];

/** Returns the path up to its first to-many join, or an empty one. */
function manyBeginning(path: NaivePath): NaivePath {
  return path.slice(0, path.findIndex(({ isMany }) => isMany) + 1);
}

/** Converts a moment to the zone's local time. No other string in a random world looks like a moment. */
export function shownMoment(value: NaiveValue, zone: string | undefined): NaiveValue {
  return typeof value === "string" && isMoment(value) ? wallClock(value, zone) : value;
}

export function conditionHolds({ op, value }: FilterCondition, operand: NaiveValue): boolean {
  if (op === "is null" || op === "is not null") return (operand === null) === (op === "is null");
  if (operand === null) return false;
  const values = (Array.isArray(value) ? value : [value]).flatMap((each) => operandOf(each) ?? []);
  const [only = null] = values;
  switch (op) {
    case "contains":
      return String(operand).includes(String(only));
    case "in":
    case "=":
      return values.some((each) => isEqual(operand, each));
    case "not in":
    case "!=":
      return values.every((each) => !isEqual(operand, each));
    default:
      return isOrdered(op, operand, only);
  }
}

/** Whether two values are equal. A day means the whole day. */
function isEqual(operand: NaiveValue, value: NaiveValue): boolean {
  if (isDayOfMoment(operand, value)) return String(operand).startsWith(String(value));
  return identityOf(operand) === identityOf(value);
}

function isDayOfMoment(operand: NaiveValue, value: NaiveValue): boolean {
  return (
    typeof operand === "string" && isMoment(operand) && typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value)
  );
}

function isOrdered(op: "<" | "<=" | ">" | ">=", operand: NaiveValue, value: NaiveValue): boolean {
  if (isDayOfMoment(operand, value)) {
    const isFollowing = op === "<=" || op === ">";
    const bound = `${isFollowing ? followingDay(String(value)) : String(value)} 00:00:00`;
    return op.startsWith("<") ? String(operand) < bound : String(operand) >= bound;
  }
  const order = compareValues(operand, value);
  if (op === "<") return order < 0;
  if (op === "<=") return order <= 0;
  return op === ">" ? order > 0 : order >= 0;
}

function operandOf(value: unknown): NaiveValue {
  if (typeof value === "bigint") return exact(value);
  if (typeof value !== "number") return typeof value === "string" || typeof value === "boolean" ? value : null;
  return Number.isInteger(value) ? exact(value) : exact(BigInt(Math.round(value * 100)), 2);
}
