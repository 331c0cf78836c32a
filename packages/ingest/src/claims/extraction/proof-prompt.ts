/** The prompt for checking paraphrases: does the quote support the statement? */
import { estimateReplyTokens } from "@bridle/context";
import { z } from "zod";
import { answerKey } from "../../models/answer-key.ts";
import type { AskedAbout, BatchKind, ModelQuestion } from "../../models/ask-questions.ts";
import { fenceNotice, fenceTexts } from "../../models/fence.ts";

/** Increase this number with every change of the prompt, so that all questions are asked again. */
const edition = 1;

/** A statement with the quote that should support it. */
export interface ProofQuestion extends ModelQuestion {
  readonly quote: string;
  /** The title and the headings above the quote. */
  readonly place: string;
  readonly statement: string;
}

export const proofAnswer = z.object({ says: z.boolean() });

const reply = z.object({
  pairs: z.array(
    z.object({
      pair: z.string().describe("The name of the pair, such as p1."),
      says: z.enum(["yes", "no"]).describe("yes only if whoever reads the quote must agree with the whole statement."),
    }),
  ),
});

const system = `You check whether quotes say what statements claim. You are strict.
Answer yes only if the statement follows from the quote alone, with every number, condition and exception, and adds nothing to it.
Answer no if it is more general, more precise, about something else, or only likely. A translation that says the same is yes.
${fenceNotice}`;

export function proofQuestion(
  asked: Pick<ProofQuestion, "quote" | "place" | "statement">,
  model: string,
  about: AskedAbout,
): ProofQuestion {
  const { quote, place, statement } = asked;
  const tokens = estimateReplyTokens(quote + place + statement) + 30;
  return { key: answerKey("verify", edition, model, quote, place, statement), tokens, ...asked, ...about };
}

export const proofKind: BatchKind<ProofQuestion, z.output<typeof reply>> = {
  role: "reconcile",
  stage: "verify",
  system,
  schema: reply,
  batch: { tokens: 6000, questions: 30 },
  expectedOutputTokens: 15,
  prompt: (questions) => `Check these pairs.\n\n${fenceTexts(questions.map(toFenced))}`,
  answers: (questions, { pairs }) =>
    questions.map((_, index): z.output<typeof proofAnswer> | undefined => {
      const found = pairs.find(({ pair }) => pair === `p${index + 1}`);
      return found && { says: found.says === "yes" };
    }),
};

function toFenced(
  { quote, place, statement }: ProofQuestion,
  index: number,
): { readonly name: string; readonly text: string } {
  return { name: `p${index + 1}`, text: `Document: ${place}\nQuote: ${quote}\nStatement: ${statement}` };
}
