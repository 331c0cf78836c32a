import { z } from "zod";
import type { Judge, JudgedFacts } from "./judge.ts";
import { asMaterial } from "./material.ts";

/** What an answer says, one thing each, as the judge takes it apart. `wanted` asks for it in a sentence. */
export async function listStatements(
  judge: Judge,
  { input, answer }: Pick<JudgedFacts, "input" | "answer">,
  wanted: string,
): Promise<string[]> {
  const { system, text } = asMaterial([
    ["input", input],
    ["answer", answer],
  ]);
  const prompt = [
    `${wanted} The input is there to understand the answer by: list nothing that only the input says.`,
    "Each is one short sentence in the language of the answer that can be understood on its own, with names in the place of pronouns. Add nothing, leave nothing out, and say nothing twice. Where there is none, give an empty list.",
    "",
    text,
  ].join("\n");
  const { statements } = await judge({ system, prompt, schema });
  return statements;
}

const schema = z.strictObject({
  statements: z
    .array(z.string().refine((text) => text.trim() !== "", "is empty"))
    .describe("In the order of the answer."),
});
