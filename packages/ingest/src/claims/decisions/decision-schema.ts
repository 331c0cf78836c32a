/** `context/decisions.yaml`: users' decisions about facts, which ingest follows. */
import { z } from "zod";

const text = z.string().trim().min(1, "is empty. Write the text, or remove the line");

const made = {
  by: text.exactOptional().describe("The author of the decision."),
  at: text.exactOptional().describe("The date of the decision, such as 2026-03-04."),
  reason: text.exactOptional().describe("The reason for the decision."),
};

const pin = z
  .strictObject({
    statement: text.describe("The correct statement."),
    subject: text.exactOptional().describe("The subject of the statement. Default: the subject of the fact."),
    topic: text.exactOptional().describe("The topic of its page. Default: the topic of the fact."),
    over: z.array(text).exactOptional().describe("Statements that are wrong because this one is correct."),
    ...made,
  })
  .describe(
    "A statement that a person chose. It holds regardless of the documents, even if none of them states it any more.",
  );

const both = z
  .strictObject({ statements: z.array(text).min(2).describe("Statements that are all correct."), ...made })
  .describe("Statements that do not contradict each other, regardless of the answers of models.");

const removed = z
  .strictObject({
    statement: text.exactOptional().describe("A statement to keep off the pages."),
    page: text.exactOptional().describe("The page of the statement. Without a statement: a page that was removed."),
    model: text
      .exactOptional()
      .describe("A model without an entry that was removed. Without an entry: the whole model."),
    entry: text.exactOptional().describe("The entry of the model, such as measures.revenue."),
    description: text.exactOptional().describe("The table or column of the removed description."),
    join: text.exactOptional().describe("The join that was removed, as columns → columns."),
    edited: z.literal(true).exactOptional().describe("A person replaced it with another text."),
    ...made,
  })
  .refine((each) => [each.statement, each.page, each.model, each.description, each.join].some(Boolean), {
    error: "must name a statement, page, model, description or join",
  })
  .describe("Something that ingest wrote and a person removed. Ingest does not write it again.");

export const decisionsSchema = z.strictObject({
  pins: z.array(pin).exactOptional(),
  both: z.array(both).exactOptional(),
  removed: z.array(removed).exactOptional(),
});

export type Pin = z.output<typeof pin>;
export type BothHold = z.output<typeof both>;
export type RemovedThing = z.output<typeof removed>;
export type Decisions = z.output<typeof decisionsSchema>;

export const decisionKeys = {
  file: Object.keys(decisionsSchema.shape),
  pins: Object.keys(pin.shape),
  both: Object.keys(both.shape),
  removed: Object.keys(removed.shape),
} as const satisfies Record<string, readonly string[]>;

/** The path of the decisions file, relative to the project. */
export const decisionsFile = "context/decisions.yaml";
