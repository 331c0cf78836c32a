import type { Candidate, CandidateBody } from "../candidate.ts";

const maxStatementLength = 600;
const maxSubjectLength = 120;
const maxTopicLength = 80;

/** Creates a parser's candidate with its quote. */
export function projected(
  body: CandidateBody,
  evidence: {
    readonly source: string;
    readonly item: string;
    readonly quote: string;
    readonly start?: number | undefined;
  },
): Candidate {
  const { start, ...rest } = evidence;
  return { body, evidence: { ...rest, ...(start === undefined ? {} : { start }) }, origin: "projection" };
}

/** Returns whole sentences of a text as one line of at most 600 characters; empty if the text has no meaningful words. */
export function toStatement(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (line.length <= maxStatementLength) return saysSomething(line) ? line : "";
  const cut = line.slice(0, maxStatementLength);
  const end = Math.max(...[". ", "。", "! ", "? "].map((mark) => cut.lastIndexOf(mark)));
  return end > 40 ? cut.slice(0, end + 1).trim() : "";
}

/** Whether a line has at least two words, or a few letters in a script without spaces. */
function saysSomething(line: string): boolean {
  return /\p{L}\S*\s+\S*\p{L}/u.test(line) || /[\u3040-\u30ff\u4e00-\u9fff]{4}/.test(line);
}

export function toSubject(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, maxSubjectLength).trim();
}

export function toTopic(text: string): string {
  return text
    .replaceAll(/[\s_]+/g, " ")
    .trim()
    .slice(0, maxTopicLength)
    .trim();
}
