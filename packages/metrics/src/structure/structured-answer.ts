import { excerpt } from "../text/excerpt.ts";

/** What an agent answered. */
export interface StructuredAnswer {
  readonly answer: string;
  /** What a run with a schema gave; the answer is then not looked at. */
  readonly object?: unknown;
}

/**
 * The value that an answer holds: its object, else its text as JSON, else the JSON in the text's only fenced block (of
 * several the only one that is marked as json). Otherwise why there is none.
 */
export function answeredValue({ answer, object }: StructuredAnswer): { value: unknown } | { problem: string } {
  if (object !== undefined) return { value: object };
  const whole = jsonIn(answer);
  if (whole !== undefined) return whole;
  const blocks = [...answer.matchAll(/^[ \t]*```([^\n`]*)\n(.*?)^[ \t]*```/gms)];
  const marked = blocks.filter(([, mark]) => mark?.trim().toLowerCase() === "json");
  const [block, ...more] = marked.length > 0 ? marked : blocks;
  if (block === undefined) return { problem: `the answer is no JSON: ${excerpt(answer)}` };
  if (more.length > 0) return { problem: `the answer has ${more.length + 1} blocks, and it is not said which counts` };
  return jsonIn(block[2] ?? "") ?? { problem: `the block in the answer is no JSON: ${excerpt(block[2] ?? "")}` };
}

/** The value that a text is as JSON; `undefined` of text of another kind. */
export function jsonIn(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
