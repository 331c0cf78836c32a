import { z } from "zod";
import type { Judge } from "./judge.ts";
import { asMaterial } from "./material.ts";

/** What a text says, one thing each, as the judge takes it apart. */
export async function listStatements(judge: Judge, name: string, text: string, wanted: string): Promise<string[]> {
  const { system, text: material } = asMaterial([[name, text]]);
  const prompt = [
    wanted,
    `Each is one short sentence in the language of the ${name} that can be understood on its own, with names in the place of pronouns. Add nothing, leave nothing out, and say nothing twice. Where there is none, give an empty list.`,
    "",
    material,
  ].join("\n");
  const { statements } = await judge({ system, prompt, schema });
  return statements;
}

const schema = z.strictObject({
  statements: z
    .array(z.string().refine((text) => text.trim() !== "", "is empty"))
    .describe("In the order of the text."),
});
