import { type Grounding, groundStatement } from "../ground-statement.ts";
import { statedNumbers } from "../numbers-in.ts";
import { statementWords } from "../statement-words.ts";
import type { Gate, GatedCandidate } from "./gate.ts";

/** Requires that the quote supports the candidate. */
export const groundingGate: Gate = {
  name: "not_in_source",
  check(candidate) {
    const grounding = groundCandidate(candidate);
    return grounding.kind === "unfounded" ? grounding.reason : undefined;
  },
};

/** Finds out how the quote supports a candidate. A parser's candidate is supported by definition. */
export function groundCandidate({
  candidate,
  wording,
  quote,
  around,
  span,
  cited,
  measured,
}: GatedCandidate): Grounding {
  const { body, origin } = candidate;
  if (origin === "projection") return { kind: "verbatim" };
  const headings = [cited.item.title, ...cited.headingsAt(span.start)];
  if (body.kind === "join") return groundNames([...body.from, ...body.to], [quote, ...headings]);
  if (body.kind === "model-part") return groundNames([body.name, wording], [quote, ...headings]);
  const numbers = Array.from(statedNumbers(wording)).filter((number) => measured.has(number));
  return groundStatement(wording, { quote, around, headings: [...headings, ...numbers] });
}

/**
 * Checks an entry, which may be worded differently from the document: at least half of the words in the entry's name and description must
 * be in the quote or its headings.
 */
function groundNames(names: readonly string[], texts: readonly string[]): Grounding {
  const wordsOf = (text: string) =>
    statementWords(text.replaceAll(/[_.]/g, " ").replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2"));
  const supporting = new Set(texts.flatMap(wordsOf));
  const words = [...new Set(names.flatMap(wordsOf))];
  const shared = words.filter((word) => supporting.has(word)).length;
  if (words.length > 0 && shared * 2 >= words.length) return { kind: "close" };
  return {
    kind: "unfounded",
    reason: "The quote has few of its words. Quote the passage that defines it, and name it as there.",
  };
}
