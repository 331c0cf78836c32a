/** The prompt for light extraction: at most five facts from a passage, each with a quote. */
import { z } from "zod";
import { answerKey } from "../../models/answer-key.ts";
import type { AskedAbout, BatchKind, ModelQuestion } from "../../models/ask-questions.ts";
import { fenceNotice, fenceTexts } from "../../models/fence.ts";
import { candidateScores, statementKinds } from "../../sources/candidate.ts";
import type { TextPassage } from "../triage/passages.ts";
import { named } from "../triage/triage-prompt.ts";

/** Increase this number with every change of the prompt, so that all questions are asked again. */
const edition = 1;

const maxCandidates = 5;

const statementFields = {
  subject: z.string().describe("What it is about, as a short noun phrase in the words of the document."),
  statement: z
    .string()
    .describe(
      "One sentence that can be understood alone, in the words and the language of the document. Copy its sentence if that stands alone.",
    ),
  quote: z
    .string()
    .describe("The passage that says it, copied without a change. One continuous text, at least a whole sentence."),
  topic: z.string().describe("The page that it belongs on, in a word or two, such as fares."),
  category: z.enum(statementKinds),
  tables: z.array(z.string()).describe("Tables of the warehouse that it names. Usually empty."),
  since: z.string().nullish().describe("The day from which on it holds, such as 2026-03-01, if the document says so."),
};

/** A candidate in the format that a model writes and the store keeps. */
const writtenStatement = z.object({ ...statementFields, scores: candidateScores.optional() });
type WrittenStatement = z.output<typeof writtenStatement>;

const reply = z.object({
  candidates: z.array(
    z.object({
      passage: z.string().describe("The name of the passage, such as p1."),
      ...statementFields,
      durability: z.number().describe("From 0 to 1: will it still be true in half a year?"),
      authority: z.number().describe("From 0 to 1: does somebody say it who decides about it?"),
      reuse: z.number().describe("From 0 to 1: will others need it?"),
      novelty: z.number().describe("From 0 to 1: is it more than everybody knows?"),
      risk: z.number().describe("From 0 to 1: how bad would it be if it were wrong?"),
    }),
  ),
});

const system = `You copy facts from passages of a company's documents into a knowledge base about its data and its business rules.
Take at most ${maxCandidates} facts from each passage: definitions, rules, exceptions, units, caveats, processes and owners that will matter in half a year.
Take each fact once. Take nothing that a person only heard, guesses or plans, nothing about a single day, and no secret or contact.
Never add what the passage does not say, and change no number, no unit and no condition. A passage may have no fact.
${fenceNotice}`;

/** A passage for light extraction. */
export interface ExtractionQuestion extends ModelQuestion {
  readonly passage: TextPassage;
}

export function extractionQuestion(passage: TextPassage, model: string, about: AskedAbout): ExtractionQuestion {
  const { title, headings, text, tokens } = passage;
  return { key: answerKey("light", edition, model, title, headings, text), tokens, passage, ...about };
}

/** The stored answer about one passage. */
export const extractionAnswer = z.array(writtenStatement);

export const extractionKind: BatchKind<ExtractionQuestion, z.output<typeof reply>> = {
  role: "extract",
  stage: "light",
  system,
  schema: reply,
  batch: { tokens: 8000, questions: 24 },
  expectedOutputTokens: 200,
  prompt: (questions) =>
    `Copy the facts of these passages.\n\n${fenceTexts(questions.map(({ passage }, index) => named(passage, index)))}`,
  answers: (questions, { candidates }) =>
    questions.map((_, index) => {
      const own = candidates.filter(({ passage }) => passage === `p${index + 1}`).slice(0, maxCandidates);
      return own.map(
        ({ passage: _passage, durability, authority, reuse, novelty, risk, ...written }): WrittenStatement => {
          const scores = { durability, authority, reuse, novelty, risk };
          return { ...written, scores: clamp(scores) };
        },
      );
    }),
};

function clamp(scores: z.output<typeof candidateScores>): z.output<typeof candidateScores> {
  const entries = Object.entries(scores).map(([name, score]) => [name, Math.min(1, Math.max(0, score))]);
  return candidateScores.parse(Object.fromEntries(entries));
}
