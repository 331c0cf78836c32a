import { type AnyTool, defineTool, type ToolOutput } from "@bridle/protocol";
import { z } from "zod";
import { modelParts, statementKinds } from "../../sources/candidate.ts";
import type { UnitProposals } from "./unit-proposals.ts";

const cited = {
  passage: z.string().describe("The name of the passage with the quote, such as p1."),
  quote: z
    .string()
    .describe("Copied from the passage without a change: one continuous text, at least a whole sentence."),
};

/** The tools only add to the unit's proposals. The program checks and writes them. */
const annotations = { readOnly: true } as const;

/** Creates the tools with which a unit makes proposals. */
export function proposalTools(proposals: UnitProposals): readonly AnyTool[] {
  return [claimTool(proposals), descriptionTool(proposals), joinTool(proposals), modelPartTool(proposals)];
}

function claimTool(proposals: UnitProposals): AnyTool {
  return defineTool({
    name: "propose_claim",
    description: "Propose one fact for a page: a definition, rule, exception, unit, caveat, process or owner.",
    annotations,
    input: z.object({
      ...cited,
      subject: z.string().describe("What it is about, as a short noun phrase."),
      statement: z.string().describe("One sentence that can be understood alone, in the words of the document."),
      topic: z.string().describe("The page that it belongs on, in a word or two, such as fares."),
      category: z.enum(statementKinds),
      tables: z.array(z.string()).optional().describe("Identifiers of tables that it is about."),
      since: z
        .string()
        .optional()
        .describe("The day from which on it holds, such as 2026-03-01, if the document says so."),
    }),
    execute: ({ passage, quote, ...body }, { signal }) =>
      reply(proposals.propose({ kind: "statement", ...body }, passage, quote, signal)),
  });
}

function descriptionTool(proposals: UnitProposals): AnyTool {
  return defineTool({
    name: "propose_description",
    description: "Propose what a table or column is, in one or two sentences of the document.",
    annotations,
    input: z.object({
      ...cited,
      subject: z.string().describe("connection.schema.table, or with a column."),
      text: z.string(),
    }),
    execute: ({ passage, quote, subject, text }, { signal }) =>
      reply(proposals.propose({ kind: "description", subject, text }, passage, quote, signal)),
  });
}

function joinTool(proposals: UnitProposals): AnyTool {
  return defineTool({
    name: "propose_join",
    description: "Propose how two tables belong together. The data are asked whether it is so.",
    annotations,
    input: z.object({
      ...cited,
      from: z.array(z.string()).min(1).describe("The columns with the reference: connection.schema.table.column."),
      to: z.array(z.string()).min(1).describe("The columns that they refer to, in the same order."),
    }),
    execute: ({ passage, quote, from, to }, { signal }) =>
      reply(proposals.propose({ kind: "join", from, to }, passage, quote, signal)),
  });
}

function modelPartTool(proposals: UnitProposals): AnyTool {
  return defineTool({
    name: "propose_model_part",
    description:
      "Propose a measure, dimension, segment or metric of a metric model. It is compiled, and run against the warehouse.",
    annotations,
    input: z.object({
      ...cited,
      model: z.string().describe("The name of the model, such as bookings."),
      table: z.string().describe("connection.schema.table of the model."),
      part: z.enum(modelParts),
      name: z.string().describe("The name of the entry, such as gross_fare."),
      entry: z
        .record(z.string(), z.unknown())
        .describe(
          "The entry as a model file has it, such as { agg: sum, expr: amount_cents, filters: [...], description: ... }.",
        ),
    }),
    execute: ({ passage, quote, ...body }, { signal }) =>
      reply(proposals.propose({ kind: "model-part", ...body }, passage, quote, signal)),
  });
}

async function reply(proposed: ReturnType<UnitProposals["propose"]>): Promise<ToolOutput> {
  const { isAccepted, text } = await proposed;
  return { markdown: text, isError: !isAccepted };
}
