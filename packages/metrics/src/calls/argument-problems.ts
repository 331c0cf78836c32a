/** Finds expected arguments that no call to a tool can have, because the tool's schema lacks the argument or requires another type. */
import { isPlainObject, type JsonSchema, nearest } from "@bridle/protocol";
import { formatPath, type Path } from "../values/path.ts";
import { describeValue } from "./describe-value.ts";
import { asMatcher, asNumber } from "./matchers.ts";
import { reachableSchemas } from "./reachable-schemas.ts";

export interface ArgumentProblem {
  /** The path in the arguments, such as `["order", "id"]`. */
  readonly path: Path;
  /** The problem and its remedy: `the argument "idd" does not exist. Did you mean "id"?` */
  readonly message: string;
  /** The known name that is most similar to an unknown name. */
  readonly nearest?: string | undefined;
}

/** Lists the problems of a tool's expected arguments, given its input schema. Parts that the schema leaves open have no problems. */
export function argumentProblems(args: Readonly<Record<string, unknown>>, schema: JsonSchema): ArgumentProblem[] {
  return valueProblems(args, [schema], [], schema);
}

function valueProblems(
  expected: unknown,
  schemas: readonly unknown[],
  path: Path,
  root: JsonSchema,
): ArgumentProblem[] {
  const reached = reachableSchemas(schemas, root);
  if (reached === undefined) return [];
  const types = path.length === 0 ? undefined : typesOf(reached);
  const isMatcher = asMatcher(expected) !== undefined && (types === undefined || types.some(isScalar));
  if (isMatcher && path.length > 0) return [];
  const problem = types && (typeProblem(expected, types, path) ?? choiceProblem(expected, reached, path));
  if (problem !== undefined) return [problem];
  if (Array.isArray(expected)) {
    const items = reached.flatMap(({ items: each, prefixItems }) => [each ?? {}, prefixItems ?? []].flat());
    return expected.flatMap((each, index) => valueProblems(each, items, [...path, index], root));
  }
  return isPlainObject(expected) ? keyProblems(expected, reached, path, root) : [];
}

function keyProblems(
  expected: Record<string, unknown>,
  reached: readonly JsonSchema[],
  path: Path,
  root: JsonSchema,
): ArgumentProblem[] {
  const described = reached.filter(({ properties }) => isPlainObject(properties));
  if (described.length === 0 || reached.some(allowsMore)) return [];
  const properties = described.flatMap((schema) => Object.entries(schema.properties as Record<string, unknown>));
  const byName = Map.groupBy(properties, ([name]) => name);
  return Object.entries(expected).flatMap(([name, value]) => {
    const found = byName.get(name);
    if (found === undefined) return [unknownProblem(name, [...byName.keys()], path)];
    const schemas = found.map(([, schema]) => schema);
    return valueProblems(value, schemas, [...path, name], root);
  });
}

/** Whether a schema explicitly allows properties that it does not name. */
function allowsMore({ additionalProperties: additional, patternProperties, unevaluatedProperties }: JsonSchema) {
  return (
    [additional, unevaluatedProperties].some((each) => each === true || isPlainObject(each)) || !!patternProperties
  );
}

function unknownProblem(name: string, known: readonly string[], path: Path): ArgumentProblem {
  const [near] = nearest(name, known, 1);
  const holder = path.length === 0 ? "The tool" : formatPath(path);
  const there = known.length === 0 ? `${holder} has no arguments.` : `${holder} has ${known.join(", ")}.`;
  const remedy = near === undefined ? `${there} Correct the name.` : `Did you mean "${near}"?`;
  const full = formatPath([...path, name]);
  return { path: [...path, name], message: `the argument ${full} does not exist. ${remedy}`, nearest: near };
}

const scalars = ["string", "number", "integer", "boolean"];
const isScalar = (type: string) => scalars.includes(type);

/** Lists all types that a value may have; `undefined` if the schema leaves the type open. */
function typesOf(reached: readonly JsonSchema[]): readonly string[] | undefined {
  const own = reached.filter((schema) => !isCarrier(schema) || schema.type !== undefined);
  const types = own.map(({ type, enum: choices, const: only }) => {
    if (type !== undefined) return [type].flat().map(String);
    if (Array.isArray(choices)) return choices.map(typeOf);
    return only === undefined ? undefined : [typeOf(only)];
  });
  return types.length === 0 || types.includes(undefined) ? undefined : types.flatMap((each) => each ?? []);
}

/** Whether a schema consists of other schemas. */
function isCarrier(schema: JsonSchema): boolean {
  return ["$ref", "allOf", "anyOf", "oneOf"].some((key) => schema[key] !== undefined);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return isPlainObject(value) ? "object" : typeof value;
}

const titles: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a mapping",
  null: "null",
};

function typeProblem(expected: unknown, types: readonly string[], path: Path): ArgumentProblem | undefined {
  const type = typeOf(expected);
  const fits = types.some(
    (each) => each === type || (type === "number" && (each === "string" || isInteger(each, expected))),
  );
  if (fits) return undefined;
  const wanted = [...new Set(types)].map((each) => titles[each] ?? each).join(" or ");
  const given = `${describeValue(expected)} is ${titles[type] ?? type}`;
  return {
    path,
    message: `${formatPath(path)} is ${wanted}, but ${given}, so no call fits. ${typeRemedy(type, types)}`,
  };
}

function isInteger(type: string, value: unknown): boolean {
  return type === "integer" && Number.isInteger(value);
}

function typeRemedy(type: string, types: readonly string[]): string {
  if (type === "string" && types.some(isScalar)) return "Write it without quotation marks.";
  if (type === "object" && types.some(isScalar))
    return "Matchers are fuzzy, contains, regex, and number with tolerance.";
  return types.includes("string") ? "Write it in quotation marks." : "Correct it.";
}

/** Describes the problem of a value that is not one of the allowed values. */
function choiceProblem(expected: unknown, reached: readonly JsonSchema[], path: Path): ArgumentProblem | undefined {
  const own = reached.filter((schema) => !isCarrier(schema));
  const choices = own.map(({ enum: each, const: only }) =>
    Array.isArray(each) ? each : only === undefined ? null : [only],
  );
  if (choices.length === 0 || choices.includes(null)) return undefined;
  const all = choices.flatMap((each) => each ?? []);
  if (typeof expected !== "string" && typeof expected !== "number") return undefined;
  const fits = all.some((each) => each === expected || (typeof each === "string" && asNumber(each) === expected));
  if (fits) return undefined;
  const [near] = nearest(String(expected), all.map(String), 1);
  const remedy = near === undefined ? "Correct it." : `Did you mean "${near}"?`;
  const message = `${formatPath(path)} is one of ${all.map(describeValue).join(", ")}, but ${describeValue(expected)} is expected. ${remedy}`;
  return { path, message, nearest: near };
}
