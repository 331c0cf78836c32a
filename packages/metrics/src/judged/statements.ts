import type { Judge } from "@bridle/protocol";
import { z } from "zod";
import type { JudgedFacts } from "./judge.ts";
import { asMaterial } from "./material.ts";

/** Calls the judge to list the single statements of an answer. `instruction` is the sentence that requests the list. */
export async function listStatements(
  judge: Judge,
  { input, answer }: Pick<JudgedFacts, "input" | "answer">,
  instruction: string,
): Promise<string[]> {
  const { system, text } = asMaterial([
    ["input", input],
    ["answer", answer],
  ]);
  const prompt = [
    `${instruction} The input only helps you to understand the answer: list nothing that only the input says.`,
    "Write each one as a short sentence in the language of the answer that can be understood without context, with names instead of pronouns. Add nothing, leave nothing out, and repeat nothing. If there is none, return an empty list.",
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
