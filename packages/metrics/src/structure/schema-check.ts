import { runInTime } from "@bridle/core";
import { ConfigError, isPlainObject } from "@bridle/protocol";
import { Ajv, type ErrorObject, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Score } from "../scoring/score.ts";
import { formatPath } from "../values/path.ts";
import { readAnswerValue, type StructuredAnswer } from "./structured-answer.ts";

const options: Options = {
  allErrors: true,
  strictSchema: true, // a misspelled keyword would check nothing
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  logger: false,
};

/** The supported drafts of JSON Schema, by the URI in `$schema`. */
const dialects: Readonly<Record<string, () => Ajv>> = {
  "json-schema.org/draft/2020-12/schema": () => new Ajv2020(options),
  "json-schema.org/draft-07/schema": () => new Ajv(options),
};

/** The time limit of a check: a pattern such as `^(a+)+$`, or references that multiply, can take years. */
const checkMs = 2000;
/** The maximum number of listed violations. An answer of one megabyte can have hundreds of thousands. */
const maxListed = 50;

/** Scores an answer by a JSON Schema. */
export type SchemaCheck = (answer: StructuredAnswer) => Score;

/**
 * Makes a check that scores 1 if an answer's value matches a JSON Schema, else 0 with the violations and their paths. The schema is read as
 * draft 2020-12, or as draft-07 if its `$schema` names that draft. Formats are checked.
 *
 * Throws ConfigError for a schema that cannot be used, such as one with an unknown keyword or an external reference. The check throws
 * ConfigError if it takes more than two seconds.
 */
export function createSchemaCheck(schema: unknown): SchemaCheck {
  const fits = compile(schema);
  return (answer) => {
    const read = readAnswerValue(answer);
    if ("problem" in read) return { score: 0, reason: read.problem };
    const checked = runInTime(() => fits(read.value), checkMs);
    if (checked === undefined) throw slowCheckError();
    if (checked.value) return { score: 1 };
    const violations = [...new Set(fits.errors?.map((error) => formatViolation(error, read.value)))];
    const more = violations.length > maxListed ? [`and ${violations.length - maxListed} more`] : [];
    return { score: 0, reason: [...violations.slice(0, maxListed), ...more].join("; ") };
  };
}

function compile(schema: unknown) {
  if (!isPlainObject(schema)) throw unusableSchema("It has to be a mapping of keywords, such as { type: object }");
  const ajv = dialectOf(schema);
  addFormats.default(ajv);
  try {
    return ajv.compile(schema);
  } catch (cause) {
    throw unusableSchema(cause instanceof Error ? cause.message : String(cause), cause);
  }
}

function dialectOf({ $schema = "https://json-schema.org/draft/2020-12/schema" }: Record<string, unknown>): Ajv {
  const dialect =
    dialects[
      String($schema)
        .replace(/^https?:\/\//, "")
        .replace(/#$/, "")
    ];
  if (dialect === undefined) {
    throw unusableSchema(`$schema is ${JSON.stringify($schema)}; only draft 2020-12 and draft-07 are supported`);
  }
  return dialect();
}

/** Formats a violation, such as `order.items[0].id must be integer`. */
function formatViolation({ instancePath, message = "does not fit", params }: ErrorObject, value: unknown): string {
  const path = formatPath(parsePointer(instancePath, value));
  return `${path === "" ? "the answer" : path} ${message}${formatDetail(params)}`;
}

/** Formats the part of a violation that ajv's message omits. */
function formatDetail(params: ErrorObject["params"]): string {
  const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = params as Record<string, unknown>;
  const detail = additionalProperty ?? unevaluatedProperty ?? allowedValues ?? allowedValue;
  return detail === undefined ? "" : `: ${JSON.stringify(detail)}`;
}

/** Returns the keys of a JSON Pointer; indexes of lists are numbers. */
function parsePointer(pointer: string, root: unknown): (string | number)[] {
  let holder = root;
  return pointer
    .split("/")
    .slice(1)
    .map((part) => {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      const key = Array.isArray(holder) ? Number(name) : name;
      holder = Array.isArray(holder) ? holder[Number(name)] : isPlainObject(holder) ? holder[name] : undefined;
      return key;
    });
}

function unusableSchema(reason: string, cause?: unknown): ConfigError {
  return new ConfigError(`schema is not a usable JSON Schema. ${reason}. Correct it.`, { field: "schema", cause });
}

function slowCheckError(): ConfigError {
  const remedy = "Write its patterns without nested repetition, and references so that they do not multiply.";
  return new ConfigError(`schema: the check takes too long on this answer. ${remedy}`, { field: "schema" });
}
