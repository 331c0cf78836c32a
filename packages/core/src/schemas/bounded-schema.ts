import type { z } from "zod";
import { runInTime } from "../async/run-in-time.ts";

type Schema = z.core.$ZodType;
type Definition = z.core.$ZodTypes["_zod"]["def"];

/** Checks whose time is at most proportional to the size of the value. A pattern or a function of a schema's author can take years. */
const boundedChecks: ReadonlySet<string> = new Set([
  "greater_than",
  "less_than",
  "multiple_of",
  "number_format",
  "bigint_format",
  "min_length",
  "max_length",
  "length_equals",
  "min_size",
  "max_size",
  "size_equals",
]);

/**
 * Runs a check with a schema, and returns its value, or `undefined` if it takes longer than `milliseconds`. A time limit costs more than
 * most checks, so it is set only if the schema can take long.
 */
export function checkInTime<T>(
  schema: Schema,
  check: () => T,
  milliseconds: number,
): { readonly value: T } | undefined {
  return isBoundedSchema(schema) ? { value: check() } : runInTime(check, milliseconds);
}

const costs = new WeakMap<Schema, number>();

/** The maximum cost, for each part of an input, of a schema that needs no time limit. */
const maxCost = 1000;

/**
 * Whether the time to check an input is bounded by a small constant per part of the input: the schema has neither patterns nor functions,
 * does not contain itself, and is small, even if each use of a shared schema is counted. Such a schema needs no time limit.
 */
export function isBoundedSchema(schema: Schema): boolean {
  return costOf(schema) <= maxCost;
}

/**
 * Counts the schemas within a schema, including itself. A shared schema counts once for each use: 30 nested unions that each contain the
 * next one twice count as a billion. Returns infinity for a schema that contains itself or has unbounded checks.
 */
function costOf(schema: Schema): number {
  const before = costs.get(schema);
  if (before !== undefined) return before;
  costs.set(schema, Number.POSITIVE_INFINITY); // a schema that contains itself
  const parts = hasBoundedChecks(schema) ? partsOf(schema._zod.def as Definition) : undefined;
  const cost = parts?.reduce((sum, part) => sum + costOf(part), 1) ?? Number.POSITIVE_INFINITY;
  costs.set(schema, cost);
  return cost;
}

function hasBoundedChecks({ _zod: { def } }: Schema): boolean {
  const isBoundedString = !("format" in def) || def.type !== "string";
  return isBoundedString && (def.checks ?? []).every(({ _zod }) => boundedChecks.has(_zod.def.check));
}

/** Lists the schemas within a schema. Undefined for a kind that may call a function. */
function partsOf(definition: Definition): readonly Schema[] | undefined {
  switch (definition.type) {
    case "string":
    case "number":
    case "boolean":
    case "bigint":
    case "null":
    case "undefined":
    case "literal":
    case "enum":
    case "any":
    case "unknown":
    case "never":
      return [];
    case "object":
      return [...Object.values(definition.shape), ...(definition.catchall ? [definition.catchall] : [])];
    case "array":
      return [definition.element];
    case "union":
      return definition.options;
    case "optional":
    case "nullable":
    case "readonly":
    case "nonoptional":
      return [definition.innerType];
    default:
      return undefined;
  }
}
