import type { Gate } from "./gate.ts";

/** Limits the size of a candidate, because people read pages and every agent pays for reading them. */
const max = { words: 90, list: 6 };

export const sizeGate: Gate = {
  name: "size",
  check({ candidate: { body }, wording, quote, span, cited }) {
    const { original } = cited.text;
    const line = original.slice(original.lastIndexOf("\n", span.start) + 1, span.end);
    const isHeading = /^\s*#{1,6}\s/.test(line) && !quote.includes("\n");
    if (body.kind === "statement" && isHeading) return "It is a heading. State the content of the text below it.";
    if (wording.split(/\s+/).length > max.words)
      return `It has more than ${max.words} words. State one fact in one sentence.`;
    if ((wording.match(/\n/g)?.length ?? 0) >= max.list) return "It is a list. State one fact in one sentence.";
    return undefined;
  },
};
