/** Describes in sentences where a model file differs from the schema. */
import { isPlainObject, nearest, suggestion } from "@bridle/protocol";
import type { z } from "zod";
import { keysOfModel } from "../models/model-schema.ts";
import type { ModelDocument } from "./model-document.ts";
import type { ModelPath, ModelProblem } from "./model-problem.ts";

export function schemaProblems(document: ModelDocument, issues: readonly z.core.$ZodIssue[]): readonly ModelProblem[] {
  return issues.flatMap((issue) => problemsOf(document, closest(issue)));
}

/** Chooses the alternative whose faults are inside the value. */
function closest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union") return issue;
  const inner = issue.errors.find((issues) =>
    issues.every((each) => each.path.length > 0 || each.code === "unrecognized_keys"),
  );
  const [first] = inner ?? [];
  return first ? closest({ ...first, path: [...issue.path, ...first.path] }) : issue;
}

function problemsOf(document: ModelDocument, issue: z.core.$ZodIssue): readonly ModelProblem[] {
  if (issue.code === "unrecognized_keys") {
    const names = keysOfModel(issue.path, document.read());
    return issue.keys.map((key) => ({
      message: `Unknown key "${key}".${suggestion(key, names) || ` Known here: ${names.join(", ")}.`}`,
      position: document.at([...issue.path, key]),
      nearest: nearest(key, names),
    }));
  }
  const near = nearestValues(issue);
  const message = `${subjectOf(issue.path)} ${complaint(issue)}`;
  return [{ message, position: document.at(issue.path), nearest: near }];
}

function subjectOf(path: ModelPath): string {
  return path.length === 0 ? "The file" : path.map(String).join(".");
}

function complaint(issue: z.core.$ZodIssue): string {
  if (issue.input === undefined && issue.code === "invalid_type") return "is missing. Write it.";
  const values = valuesOf(issue);
  if (values.length > 0) {
    const given = givenText(issue);
    const start = given === undefined ? "" : `is "${given}", and `;
    return `${start}must be one of ${values.join(", ")}.${suggestion(given ?? "", values)}`;
  }
  if (issue.code === "invalid_type")
    return `must be ${typeNames[issue.expected] ?? `a ${issue.expected}`}. Correct the value.`;
  return issue.message.endsWith(".") ? issue.message : `${issue.message}.`;
}

const typeNames: Readonly<Record<string, string>> = {
  object: "a mapping",
  array: "a list",
  string: "a text",
};

function nearestValues(issue: z.core.$ZodIssue): readonly string[] | undefined {
  const values = valuesOf(issue);
  const given = givenText(issue);
  return values.length > 0 && given !== undefined ? nearest(given, values) : undefined;
}

/** Returns the string that the schema refuses. For an unknown `type`, the issue's input is the mapping that contains the string. */
function givenText({ input, path }: z.core.$ZodIssue): string | undefined {
  const value = isPlainObject(input) ? input[String(path.at(-1))] : input;
  return typeof value === "string" ? value : undefined;
}

function valuesOf(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === "invalid_value") return issue.values.map(String);
  return issue.code === "invalid_union" && "options" in issue && Array.isArray(issue.options)
    ? issue.options.map(String)
    : [];
}
