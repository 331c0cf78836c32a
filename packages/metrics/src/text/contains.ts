import { ConfigError } from "@bridle/protocol";
import { excerpt } from "./excerpt.ts";
import type { Score } from "./score.ts";

/**
 * 1 where the text, or each text of a list, stands somewhere in the answer, else 0. Upper and lower case differ; any white
 * space counts as one space, and letters with accents are compared in one form (NFC). Throws ConfigError where there is
 * nothing to look for: every answer would pass.
 */
export function contains(answer: string, value: string | readonly string[]): Score {
  const wanted = typeof value === "string" ? [value] : value;
  if (wanted.length === 0 || wanted.some((text) => text.trim() === "")) {
    throw new ConfigError("value is empty, which every answer contains. Write the text that is looked for.", {
      field: "value",
    });
  }
  const text = comparable(answer);
  const missing = wanted.filter((each) => !text.includes(comparable(each)));
  if (missing.length === 0) return { score: 1 };
  return { score: 0, reason: missing.map((each) => reasonFor(each, text)).join("; ") };
}

function reasonFor(missing: string, text: string): string {
  const reason = `${excerpt(missing)} is not in the answer`;
  const otherCase = text.toLowerCase().includes(comparable(missing).toLowerCase());
  return otherCase ? `${reason}, but with other upper and lower case it is` : reason;
}

const comparable = (text: string) => text.normalize("NFC").trim().replaceAll(/\s+/g, " ");
