/** The prompt for a text that Bridle should remember. */
import { z } from "zod";
import { fenceNotice, fenceTexts } from "../models/fence.ts";
import type { IngestModels } from "../models/ingest-models.ts";
import { statementKinds } from "../sources/candidate.ts";
import type { RememberedStatement } from "./memory-file.ts";

const reply = z.object({
  facts: z
    .array(
      z.object({
        subject: z.string().describe("What it is about, as a short noun phrase in the words of the text."),
        statement: z.string().describe("One sentence that can be understood alone, in the words of the text."),
        quote: z.string().describe("The part of the text that says it, copied without a change."),
        topic: z.string().describe("The page that it belongs on, in a word or two, such as fares."),
        category: z.enum(statementKinds),
        tables: z.array(z.string()).describe("Tables of the warehouse that it names. Usually empty."),
        since: z
          .string()
          .nullish()
          .describe("The day from which on it holds, such as 2026-03-01, if the text says so."),
      }),
    )
    .max(8),
});

const system = `A person wants a fact about a company's data to be remembered. Copy the facts in the text, each once.
Add nothing that the text does not say, and change no number, no unit and no condition. ${fenceNotice}`;

/** Asks a model for the statements in a text. Rejects with a BridleError. */
export async function askForStatements(
  text: string,
  models: IngestModels,
  signal: AbortSignal,
): Promise<readonly RememberedStatement[]> {
  const prompt = `Copy the facts of this text.\n\n${fenceTexts([{ name: "p1", text }])}`;
  const call = {
    role: "extract",
    stage: "remember",
    system,
    prompt,
    schema: reply,
    expectedOutputTokens: 300,
    signal,
  } as const;
  const { object } = await models.object(call);
  return object.facts.flatMap(({ since, ...fact }): readonly RememberedStatement[] => {
    if ([fact.subject, fact.statement, fact.quote, fact.topic].some((part) => part.trim() === "")) return [];
    const day = z.iso.date().safeParse(since).data;
    return [{ ...fact, ...(day !== undefined && { since: day }) }];
  });
}

/** Returns the whole text as one statement, with its first words as the subject. */
export function statementWithoutModel(text: string): RememberedStatement {
  const [first = text] = text.split(/[.!?](?:\s|$)/);
  const verb =
    /\s(?:is|are|was|means?|counts?|costs?|has|have|includes?|excludes?|must|never|always|starts?|begins?|ends?|runs?)\s/i.exec(
      first,
    );
  const subject = (verb === null ? first.split(" ").slice(0, 6).join(" ") : first.slice(0, verb.index)).replace(
    /^(?:the|an?)\s/i,
    "",
  );
  return { subject: subject.slice(0, 120), statement: text, topic: "notes", category: "definition" };
}
