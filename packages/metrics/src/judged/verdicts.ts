/** One verdict on each of several texts, and what is made of them. */
import { z } from "zod";
import { shortened } from "../text/excerpt.ts";
import type { Judge } from "./judge.ts";
import { asMaterial, type Exhibit, numbered } from "./material.ts";

export interface Verdict {
  readonly text: string;
  readonly holds: boolean;
  readonly reason?: string;
}

export interface Asked {
  /** What has to be so for a verdict to hold, as a sentence about `name`s. */
  readonly question: string;
  /** What the texts are, such as `claim`. */
  readonly name: string;
  readonly texts: readonly string[];
  /** What they are held against. */
  readonly against: readonly Exhibit[];
  readonly includeReason: boolean;
}

/** Judges lose count in long lists: more are asked about in several calls. */
const mostAtOnce = 40;

/** A verdict on each of the texts, in their order. */
export async function askEach(judge: Judge, { texts, ...asked }: Asked): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  for (let begin = 0; begin < texts.length; begin += mostAtOnce) {
    const some = texts.slice(begin, begin + mostAtOnce);
    verdicts.push(...(await askSome(judge, { ...asked, texts: some }, begin + 1)));
  }
  return verdicts;
}

async function askSome(judge: Judge, asked: Asked, from: number): Promise<readonly Verdict[]> {
  const { question, name, texts, against, includeReason } = asked;
  const numbers = texts.map((_, index) => from + index);
  const { system, text } = asMaterial([...against, ...numbered(name, texts, from)]);
  const last = from + texts.length - 1;
  const prompt = [
    `${question} Give one verdict on each ${name}, by its number, from ${from} to ${last}.`,
    ...(includeReason ? ["Give the reason first, in a short sentence, and then whether it holds."] : []),
    "",
    text,
  ].join("\n");
  const answer = await judge({ system, prompt, schema: verdictsSchema(numbers, includeReason) });
  const byNumber = new Map(answer.verdicts.map((verdict) => [verdict.number, verdict]));
  return texts.flatMap((each, index) => {
    const verdict = byNumber.get(from + index);
    if (verdict === undefined) return []; // the schema has seen to it that there is one
    const { holds, reason } = verdict;
    return [{ text: each, holds, ...(reason !== undefined && { reason }) }];
  });
}

interface Verdicts {
  readonly verdicts: readonly { readonly number: number; readonly holds: boolean; readonly reason?: string }[];
}

function verdictsSchema(numbers: readonly number[], includeReason: boolean): z.ZodType<Verdicts> {
  const number = z.number().describe("The number of what is judged.");
  const reason = z.string().describe("Why, in a short sentence.");
  const holds = z.boolean().describe("Whether it is so.");
  const verdict = includeReason ? z.strictObject({ number, reason, holds }) : z.strictObject({ number, holds });
  const verdicts = z.array<z.ZodType<Verdicts["verdicts"][number]>>(verdict).check(({ value, issues }) => {
    const message = mismatch(
      value.map((each) => each.number),
      numbers,
    );
    if (message !== undefined) issues.push({ code: "custom", input: value, message });
  });
  return z.strictObject({ verdicts });
}

/** How the numbers that were answered differ from those that were asked about. */
function mismatch(given: readonly number[], asked: readonly number[]): string | undefined {
  const twice = given.find((number, index) => given.indexOf(number) !== index);
  if (twice !== undefined) return `There are two verdicts on ${twice}.`;
  const unasked = given.find((number) => !asked.includes(number));
  if (unasked !== undefined) return `There is a verdict on ${unasked}, which was not asked about.`;
  const missing = asked.find((number) => !given.includes(number));
  return missing === undefined ? undefined : `There is no verdict on ${missing}.`;
}

/** The share of verdicts that hold; 0 where there are none. */
export function shareOf(verdicts: readonly Verdict[]): number {
  return verdicts.length === 0 ? 0 : verdicts.filter(({ holds }) => holds).length / verdicts.length;
}

const mostToldAtOnce = 3;
const mostTextTold = 120;

/** In words, with the first of those that do not hold. `what` is such as `claims are supported`. */
export function sayVerdicts(verdicts: readonly Verdict[], what: string): string {
  const failing = verdicts.filter(({ holds }) => !holds);
  const told = failing
    .slice(0, mostToldAtOnce)
    .map(
      ({ text, reason }) => `“${shortened(text.replace(/\s+/g, " ").trim(), mostTextTold)}” (${trimmed(reason ?? "")})`,
    );
  const more = failing.length > mostToldAtOnce ? `, and ${failing.length - mostToldAtOnce} more` : "";
  const not = told.length === 0 ? "" : ` Not so: ${told.join(", ")}${more}.`;
  return `${verdicts.length - failing.length} of ${verdicts.length} ${what}.${not}`;
}

function trimmed(reason: string): string {
  return reason.trim().replace(/\.$/, "");
}

/** Verdicts as evidence. */
export function asEvidence(verdicts: readonly Verdict[]): { text: string; holds: boolean; reason?: string }[] {
  return verdicts.map((verdict) => ({ ...verdict }));
}
