import { ConfigError, isPlainObject } from "@bridle/protocol";
import { Ajv, type ErrorObject, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { inTime } from "../in-time.ts";
import type { Score } from "../text/score.ts";
import { formatPath } from "./path.ts";
import { answeredValue, type StructuredAnswer } from "./structured-answer.ts";

const options: Options = {
  allErrors: true,
  strictSchema: true, // a keyword that is misspelt would check nothing
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  logger: false,
};

/** Dialects, by what `$schema` says. */
const dialects: Readonly<Record<string, () => Ajv>> = {
  "json-schema.org/draft/2020-12/schema": () => new Ajv2020(options),
  "json-schema.org/draft-07/schema": () => new Ajv(options),
};

/** A check that takes longer is given up: a pattern such as `^(a+)+$`, or references that multiply, may take years. */
const checkMs = 2000;
/** An answer of a megabyte may have as many violations. */
const mostTold = 50;

/**
 * A check of answers by a JSON Schema: 1 where the answer's value fits, else 0 with the violations, of many the first 50, and their paths. The
 * schema is of draft 2020-12, or of draft-07 where its `$schema` says so. Formats are checked. Throws ConfigError for a
 * schema that cannot be used, such as one with a keyword that is not known, or a reference that leads elsewhere, and
 * for a check that takes over two seconds.
 */
export function createSchemaCheck(schema: unknown): (answer: StructuredAnswer) => Score {
  const fits = compile(schema);
  return (answer) => {
    const held = answeredValue(answer);
    if ("problem" in held) return { score: 0, reason: held.problem };
    const checked = inTime(() => fits(held.value), checkMs);
    if (checked === undefined) throw tooLong();
    if (checked.value) return { score: 1 };
    const violations = [...new Set(fits.errors?.map((error) => sayViolation(error, held.value)))];
    const more = violations.length > mostTold ? [`and ${violations.length - mostTold} more`] : [];
    return { score: 0, reason: [...violations.slice(0, mostTold), ...more].join("; ") };
  };
}

function compile(schema: unknown) {
  if (!isPlainObject(schema)) throw unusable("It is a mapping of keywords, such as { type: object }");
  const ajv = dialectOf(schema);
  addFormats.default(ajv);
  try {
    return ajv.compile(schema);
  } catch (cause) {
    throw unusable(cause instanceof Error ? cause.message : String(cause), cause);
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
    throw unusable(`$schema is ${JSON.stringify($schema)}; draft 2020-12 and draft-07 are known`);
  }
  return dialect();
}

/** Such as `order.items[0].id must be integer`. */
function sayViolation({ instancePath, message = "does not fit", params }: ErrorObject, value: unknown): string {
  const path = formatPath(pathOf(instancePath, value));
  return `${path === "" ? "the answer" : path} ${message}${sayDetail(params)}`;
}

/** Of what the message does not name. */
function sayDetail(params: ErrorObject["params"]): string {
  const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = params as Record<string, unknown>;
  const detail = additionalProperty ?? unevaluatedProperty ?? allowedValues ?? allowedValue;
  return detail === undefined ? "" : `: ${JSON.stringify(detail)}`;
}

/** The keys of a JSON Pointer; those of lists are numbers. */
function pathOf(pointer: string, root: unknown): (string | number)[] {
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

function unusable(reason: string, cause?: unknown): ConfigError {
  return new ConfigError(`schema is no JSON Schema that can be used. ${reason}. Mend it.`, { field: "schema", cause });
}

function tooLong(): ConfigError {
  const remedy = "Write its patterns without nested repetition, and references so that they do not multiply.";
  return new ConfigError(`schema: the check takes too long on this answer. ${remedy}`, { field: "schema" });
}
