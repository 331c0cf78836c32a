/** The parts of an answer as they stand on a command line. All throw UsageError for what has no meaning. */
import { approvalDecisions, suggestion } from "@bridle/protocol";
import { z } from "zod";
import { UsageError } from "../cli/usage-error.ts";
import { readText } from "../run/read-text.ts";

type Decision = (typeof approvalDecisions)[number];

export function checkDecision(word: string | undefined): Decision {
  const known = approvalDecisions.find((each) => each === word);
  if (known !== undefined) return known;
  const said = word === undefined ? "The decision is missing" : `The decision is "${word}"`;
  throw new UsageError(
    `${said}, and has to be one of ${approvalDecisions.join(", ")}.${suggestion(word ?? "", approvalDecisions)}`,
  );
}

/** The input as JSON, or that in the file after `@`. */
export async function readInput(value: string, cwd: string): Promise<unknown> {
  const isFile = value.startsWith("@");
  const text = isFile ? await readText(value.slice(1), cwd, "The file of the input", "--input") : value;
  return parseJson(text, isFile ? `The file ${value.slice(1)}` : "--input");
}

const pattern = z.record(z.string(), z.string());

/** `field=expression`, or a JSON object of several. */
export function readPattern(value: string): Record<string, string> {
  if (value.startsWith("{")) {
    const parsed = pattern.safeParse(parseJson(value, "--when"));
    if (parsed.success) return parsed.data;
    throw new UsageError("--when is no object of fields and regular expressions. Write field=expression.");
  }
  const at = value.indexOf("=");
  if (at < 1) throw new UsageError(`--when is ${JSON.stringify(value)}, and has to be field=expression.`);
  return { [value.slice(0, at)]: value.slice(at + 1) };
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${what} is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
