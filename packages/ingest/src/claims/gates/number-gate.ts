import { statedNumbers, unsupportedNumbers } from "../numbers-in.ts";
import type { Gate } from "./gate.ts";

/** Requires that each number in a statement is in its quote, or was measured by a SQL statement of the work unit. */
export const numberGate: Gate = {
  name: "number",
  check({ candidate: { origin }, wording, quote, span, cited, measured }) {
    if (origin === "projection" || wording === "") return undefined;
    const headings = [cited.item.title, ...cited.headingsAt(span.start)].join("\n");
    const support = new Set([...statedNumbers(quote), ...statedNumbers(headings), ...measured]);
    const [missing] = unsupportedNumbers(wording, support);
    return missing === undefined
      ? undefined
      : `The number ${missing} is neither in the quote nor in a result of a statement that you ran. Quote the passage with it.`;
  },
};
