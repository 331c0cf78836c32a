import { suggestion } from "@bridle/protocol";
import { z } from "zod";
import { RequestProblem } from "../problem.ts";

/** One error in the input. Errors of a body have a `pointer` (RFC 6901), and errors of a query a `parameter`. */
interface InputError {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly message: string;
}

/** Parses a query. Each parameter may occur only once. @throws RequestProblem with all errors. */
export function parseQuery<T>(parameters: URLSearchParams, schema: z.ZodType<T> | undefined): T {
  const names = [...new Set(parameters.keys())];
  const twice = names.filter((name) => parameters.getAll(name).length > 1);
  if (twice.length > 0) {
    throw invalid(
      twice.map((name) => ({ parameter: name.slice(0, 100), message: "occurs twice" })),
      "query",
    );
  }
  const values = Object.fromEntries(parameters);
  const parsed = (schema ?? z.strictObject({})).safeParse(values);
  if (parsed.success) return parsed.data as T;
  throw invalid(
    explain(parsed.error, schema).map(({ path, message }) => ({ parameter: path.map(String).join("."), message })),
    "query",
  );
}

/** Parses a body. @throws RequestProblem with all errors. */
export function parseBody<T>(body: unknown, schema: z.ZodType<T> | undefined): T {
  const parsed = (schema ?? z.strictObject({}).optional()).safeParse(body);
  if (parsed.success) return parsed.data as T;
  throw invalid(
    explain(parsed.error, schema).map(({ path, message }) => ({ pointer: toPointer(path), message })),
    "body",
  );
}

function invalid(errors: readonly InputError[], where: "query" | "body"): RequestProblem {
  const shown = errors.slice(0, 20);
  const [first] = shown;
  const subject = first?.pointer || first?.parameter || where;
  return new RequestProblem(422, "invalid-input", `The ${where} is wrong. ${subject}: ${first?.message}.`, {
    errors: shown,
  });
}

interface Explained {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function explain({ issues }: z.ZodError, schema: z.ZodType | undefined): Explained[] {
  return issues.flatMap((issue) => {
    if (issue.code !== "unrecognized_keys") return [{ path: issue.path, message: plain(issue.message) }];
    return issue.keys.map((key) => ({
      path: [...issue.path, key.slice(0, 100)],
      message: `is unknown here.${suggestion(key.slice(0, 100), fieldsAt(schema, issue.path))}`.replace(/[.]$/, ""),
    }));
  });
}

function plain(message: string): string {
  return `${message.charAt(0).toLowerCase()}${message.slice(1)}`.replace(/[.]$/, "");
}

/** Lists the fields of the object at a path of a schema, as long as the path leads through objects. */
function fieldsAt(schema: z.ZodType | undefined, path: readonly PropertyKey[]): string[] {
  let at: unknown = schema;
  for (const key of path) at = shapeOf(at)?.[String(key)];
  return Object.keys(shapeOf(at) ?? {});
}

function shapeOf(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault) {
    return shapeOf(schema.unwrap());
  }
  return schema instanceof z.ZodObject ? schema.shape : undefined;
}

function toPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
