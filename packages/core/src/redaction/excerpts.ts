import type { Excerpt } from "@bridle/protocol";
import { replaceFindings } from "./finding.ts";
import type { Redactor } from "./redactor.ts";

/** The characters before and after an excerpt that are searched with it. */
const around = 8192;

/** Redacts a text that shows parts of a longer text, including credentials that a part shows only in part. */
export function redactExcerpts(text: string, excerpts: readonly Excerpt[], redactor: Redactor): string {
  const parts: string[] = [];
  let at = 0;
  for (const excerpt of excerpts) {
    const shown = excerpt.whole.slice(excerpt.start, excerpt.end);
    const start = text.indexOf(shown, at);
    if (start < 0) continue;
    parts.push(redactor.text(text.slice(at, start)), redactExcerpt(excerpt, redactor));
    at = start + shown.length;
  }
  parts.push(redactor.text(text.slice(at)));
  return parts.join("");
}

function redactExcerpt({ whole, start, end }: Excerpt, { search, text }: Redactor): string {
  const shown = whole.slice(start, end);
  if (search === undefined) return text(shown);
  const from = Math.max(0, start - around);
  const { findings } = search(whole.slice(from, end + around));
  const within = findings.flatMap((finding) => {
    const part = { ...finding, start: Math.max(0, finding.start + from - start), end: finding.end + from - start };
    return part.end <= 0 || part.start >= shown.length ? [] : [{ ...part, end: Math.min(part.end, shown.length) }];
  });
  return replaceFindings(shown, within);
}
