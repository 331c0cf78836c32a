/** A verdict on each of several texts, and the results that are computed from verdicts. */
import { type Judge, omitUndefined } from "@bridle/protocol";
import { z } from "zod";
import { shorten } from "../scoring/excerpt.ts";
import { asMaterial, type Exhibit, numbered } from "./material.ts";

export interface JudgeVerdict {
  readonly text: string;
  readonly holds: boolean;
  readonly reason?: string | undefined;
}

export interface VerdictQuestion {
  /** The condition for a positive verdict, in a sentence that calls each text a `name`. */
  readonly question: string;
  /** The kind of the texts, such as `claim`. */
  readonly name: string;
  readonly texts: readonly string[];
  /** The material that the texts are compared with. */
  readonly against: readonly Exhibit[];
  readonly includeReason: boolean;
}

/** Judges lose count in long lists, so longer lists take several calls. */
const maxTextsPerCall = 40;

/** Calls the judge for a verdict on each text. Returns the verdicts in the order of the texts. */
export async function askVerdicts(
  judge: Judge,
  { texts, ...asked }: VerdictQuestion,
): Promise<readonly JudgeVerdict[]> {
  const verdicts: JudgeVerdict[] = [];
  for (let begin = 0; begin < texts.length; begin += maxTextsPerCall) {
    const some = texts.slice(begin, begin + maxTextsPerCall);
    verdicts.push(...(await askOnce(judge, { ...asked, texts: some }, begin + 1)));
  }
  return verdicts;
}

async function askOnce(judge: Judge, asked: VerdictQuestion, from: number): Promise<readonly JudgeVerdict[]> {
  const { question, name, texts, against, includeReason } = asked;
  const numbers = texts.map((_, index) => from + index);
  const { system, text } = asMaterial([...against, ...numbered(name, texts, from)]);
  const last = from + texts.length - 1;
  const prompt = [
    `${question} Give one verdict on each ${name}, by its number, from ${from} to ${last}.`,
    ...(includeReason ? ["Give the reason first, in a short sentence, and then whether the verdict holds."] : []),
    "",
    text,
  ].join("\n");
  const answer = await judge({ system, prompt, schema: verdictsSchema(numbers, includeReason) });
  const byNumber = new Map(answer.verdicts.map((verdict) => [verdict.number, verdict]));
  return texts.flatMap((each, index) => {
    const verdict = byNumber.get(from + index); // guaranteed by the schema
    return verdict === undefined ? [] : [omitUndefined({ text: each, holds: verdict.holds, reason: verdict.reason })];
  });
}

interface Verdicts {
  readonly verdicts: readonly {
    readonly number: number;
    readonly holds: boolean;
    readonly reason?: string | undefined;
  }[];
}

function verdictsSchema(numbers: readonly number[], includeReason: boolean): z.ZodType<Verdicts> {
  const number = z.number().describe("The number of the text that the verdict is on.");
  const reason = z.string().describe("Why, in a short sentence.");
  const holds = z.boolean().describe("Whether the verdict holds.");
  const verdict = includeReason ? z.strictObject({ number, reason, holds }) : z.strictObject({ number, holds });
  const verdicts = z.array<z.ZodType<Verdicts["verdicts"][number]>>(verdict).check(({ value, issues }) => {
    const message = findMismatch(
      value.map((each) => each.number),
      numbers,
    );
    if (message !== undefined) issues.push({ code: "custom", input: value, message });
  });
  return z.strictObject({ verdicts });
}

/** Explains how the numbers of the verdicts differ from the numbers of the texts. */
function findMismatch(answered: readonly number[], requested: readonly number[]): string | undefined {
  const twice = answered.find((number, index) => answered.indexOf(number) !== index);
  if (twice !== undefined) return `There are two verdicts on ${twice}.`;
  const unknown = answered.find((number) => !requested.includes(number));
  if (unknown !== undefined) return `There is a verdict on ${unknown}, which was not asked about.`;
  const missing = requested.find((number) => !answered.includes(number));
  return missing === undefined ? undefined : `There is no verdict on ${missing}.`;
}

/** Returns the share of positive verdicts; 0 without verdicts. */
export function shareHolding(verdicts: readonly JudgeVerdict[]): number {
  return verdicts.length === 0 ? 0 : verdicts.filter(({ holds }) => holds).length / verdicts.length;
}

const maxListed = 3;
const maxTextCharacters = 120;

/** Formats a summary with the first negative verdicts. `claim` is a phrase such as `claims are supported`. */
export function formatVerdicts(verdicts: readonly JudgeVerdict[], claim: string): string {
  const failing = verdicts.filter(({ holds }) => !holds);
  const listed = failing.slice(0, maxListed).map(formatVerdict);
  const more = failing.length > maxListed ? `, and ${failing.length - maxListed} more` : "";
  const rest = listed.length === 0 ? "" : ` Not so: ${listed.join(", ")}${more}.`;
  return `${verdicts.length - failing.length} of ${verdicts.length} ${claim}.${rest}`;
}

function formatVerdict({ text, reason = "" }: JudgeVerdict): string {
  const short = shorten(text.replace(/\s+/g, " ").trim(), maxTextCharacters);
  return `“${short}” (${reason.trim().replace(/\.$/, "")})`;
}

/** Returns the verdicts as JSON, for the evidence of a score. */
export function asEvidence(verdicts: readonly JudgeVerdict[]): { text: string; holds: boolean; reason?: string }[] {
  return verdicts.map(({ text, holds, reason }) => omitUndefined({ text, holds, reason }));
}
