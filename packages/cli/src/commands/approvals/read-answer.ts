/** Reads the parts of an answer from the command line. All functions throw UsageError for values without a meaning. */
import { readText, UsageError } from "@bridle/app";
import { approvalDecisions } from "@bridle/app/approvals";
import { getErrorMessage, suggestion } from "@bridle/protocol";
import { z } from "zod";

type Decision = (typeof approvalDecisions)[number];

export function checkDecision(word: string | undefined): Decision {
  const known = approvalDecisions.find((each) => each === word);
  if (known !== undefined) return known;
  const expected = `expected one of ${approvalDecisions.join(", ")}`;
  if (word === undefined) throw new UsageError(`The decision is missing: ${expected}.`);
  throw new UsageError(`The decision: ${expected}, got "${word}".${suggestion(word, approvalDecisions)}`);
}

/** Reads the input as JSON, or from the JSON file after `@`. */
export async function readInput(value: string, cwd: string): Promise<unknown> {
  const isFile = value.startsWith("@");
  const text = isFile ? await readText(value.slice(1), cwd, "The file of the input", "--input") : value;
  return parseJson(text, isFile ? `The file ${value.slice(1)}` : "--input");
}

const pattern = z.record(z.string(), z.string());

/** Reads `field=expression`, or a JSON object with several fields. */
export function readPattern(value: string): Record<string, string> {
  if (value.startsWith("{")) {
    const parsed = pattern.safeParse(parseJson(value, "--when"));
    if (parsed.success) return parsed.data;
    throw new UsageError("--when: expected an object of fields and regular expressions. Write field=expression.");
  }
  const at = value.indexOf("=");
  if (at < 1) throw new UsageError(`--when: expected field=expression, got ${JSON.stringify(value)}.`);
  return { [value.slice(0, at)]: value.slice(at + 1) };
}

function parseJson(text: string, subject: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${subject} is not valid JSON: ${getErrorMessage(error)}`);
  }
}
