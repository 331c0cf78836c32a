import { excerpt } from "../scoring/excerpt.ts";

/** An answer as text and, with `response_format`, as an object. */
export interface StructuredAnswer {
  readonly answer: string;
  /** The answer as an object. If set, the text is ignored. */
  readonly object?: unknown;
}

/**
 * Reads the value in an answer: its object, else its text as JSON, else the JSON in its only fenced block. If the text has several blocks,
 * exactly one must be marked `json`; that block counts. If the answer has no value, returns the reason.
 */
export function readAnswerValue({ answer, object }: StructuredAnswer): { value: unknown } | { problem: string } {
  if (object !== undefined) return { value: object };
  const whole = parseJson(answer);
  if (whole !== undefined) return whole;
  const blocks = [...answer.matchAll(/^[ \t]*```([^\n`]*)\n(.*?)^[ \t]*```/gms)];
  const marked = blocks.filter(([, mark]) => mark?.trim().toLowerCase() === "json");
  const [block, ...more] = marked.length > 0 ? marked : blocks;
  if (block === undefined) return { problem: `the answer is not JSON: ${excerpt(answer)}` };
  if (more.length > 0)
    return { problem: `the answer has ${more.length + 1} fenced blocks, so it is unclear which one is the JSON` };
  return parseJson(block[2] ?? "") ?? { problem: `the block in the answer is not JSON: ${excerpt(block[2] ?? "")}` };
}

/** Parses a JSON text; `undefined` for other text. */
export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
