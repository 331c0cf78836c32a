/**
 * Repairs tool arguments that do not match the schema. JSON inside a string is parsed. If that is not enough, the model gets a request to
 * correct this one call. Arguments that stay wrong reach the tool executor unchanged.
 */
import { checkInTime } from "@bridle/core";
import {
  correctionStart,
  isPlainObject,
  isTooDeep,
  type JsonSchema,
  parseNestedJson,
  type ToolDeclaration,
} from "@bridle/protocol";
import { z } from "zod";

/** Checks arguments against the schema that the model got. */
export type CallCheck = (input: unknown) => { fits: true } | { fits: false; problems: string };

/** The time limit of a check in milliseconds, because a pattern such as `^(a+)+$` in a schema can take years. */
const checkMs = 2000;

/** A cache of checks, because reading a schema takes longer than a check. */
const checks = new WeakMap<JsonSchema, CallCheck | undefined>();

/** Returns the check for a schema, or `undefined` if Zod cannot read the schema. In that case, only the tool executor checks the call. */
export function checkFor(schema: JsonSchema): CallCheck | undefined {
  if (!checks.has(schema)) checks.set(schema, makeCheck(schema));
  return checks.get(schema);
}

function makeCheck(schema: JsonSchema): CallCheck | undefined {
  const type = readSchema(schema);
  if (!type) return undefined;
  return (input) => {
    const checked = checkInTime(type, () => type.safeParse(input), checkMs);
    if (checked === undefined) return { fits: true }; // the tool executor denies a call that cannot be checked in time
    const parsed = checked.value;
    return parsed.success ? { fits: true } : { fits: false, problems: z.prettifyError(parsed.error) };
  };
}

function readSchema(schema: JsonSchema): z.ZodType | undefined {
  try {
    return z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema, { registry: z.registry() });
  } catch {
    return undefined;
  }
}

/** Parses arguments as JSON. Returns the text itself if it is not JSON, or if it is nested too deeply to be read. */
export function readArguments(text: string): unknown {
  return isEmpty(text) ? {} : (parseArguments(text) ?? text);
}

/** Whether there are no arguments, for which some servers write `null`. */
export function isEmpty(text: string): boolean {
  return ["", "null"].includes(text.trim());
}

/** Parses JSON inside strings wherever the schema allows an object or a list but no string. */
export function unwrapJson(input: unknown, schema: unknown): unknown {
  const inner = typeof input === "string" && needsStructure(schema) ? (parseArguments(input) ?? input) : input;
  if (Array.isArray(inner) && isPlainObject(schema)) return inner.map((item) => unwrapJson(item, schema.items));
  if (!isPlainObject(inner) || !isPlainObject(schema) || !isPlainObject(schema.properties)) return inner;
  const { properties } = schema;
  return Object.fromEntries(Object.entries(inner).map(([name, value]) => [name, unwrapJson(value, properties[name])]));
}

function needsStructure(schema: unknown): boolean {
  if (!isPlainObject(schema)) return false;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.some((type) => type === "object" || type === "array") && !types.includes("string");
}

function parseArguments(text: string): unknown {
  const value = parseNestedJson(text);
  return isTooDeep(value) ? undefined : value;
}

/** Returns the prompt that asks the model to correct a call. */
export function repairPrompt(tool: ToolDeclaration, text: string, problems: string): string {
  return [
    `${correctionStart} ${tool.name} does not match the tool's input schema. Its arguments were:`,
    text,
    `Problems:\n${problems}`,
    "Repeat the call with corrected arguments. Change nothing else.",
  ].join("\n\n");
}
