import { z } from "zod";
import { agentOperand } from "../agent/agent-operand.ts";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";
import { type DocumentsStatus, documentsStatusSchema, documentsFlags, withDocuments } from "@bridle/app/documents";
import { formatStatus } from "./format-documents.ts";

export const documentsStatusCommand = defineCommand({
  description: "Show what the indexes of an agent's documents hold, and where they are kept. No document is read.",
  operand: agentOperand,
  flags: {
    ...documentsFlags,
    json: { flag: "--json", description: "print it as JSON", value: z.boolean() },
  },
  examples: ["bridle documents status", "bridle documents status desk/agent.yaml --json"],
  run: ({ operand, flags: { json = false, ...flags } }, cli) =>
    withDocuments(operand, flags, cli, async (all) => {
      const shown = await Promise.all(
        all.map(async ({ name, place, searchMode, status }): Promise<DocumentsStatus> => {
          const index = await status();
          return {
            ...{ tool: name, place, mode: searchMode },
            index: index ? { ...index, files: index.files.length } : null,
          };
        }),
      );
      cli.stdout.write(
        json
          ? `${JSON.stringify(documentsStatusSchema.parse({ documents: shown }), undefined, 2)}\n`
          : shown.map(formatStatus).join(""),
      );
      return exitCodes.natural;
    }),
});
