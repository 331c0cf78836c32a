import { UsageError } from "@bridle/app";
import { searchDocuments, searchModes } from "@bridle/app/documents";
import { withProject } from "@bridle/app/project";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag } from "../../command/project-flags.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { agentOperand } from "../agent/agent-operand.ts";
import { documentsFlags, whileIndexing } from "./documents-flags.ts";
import { formatFound } from "./format-documents.ts";

export const documentsSearchCommand = defineCommand({
  description: "Search an agent's documents as its model would. Updates the index first.",
  operand: { name: "query", description: "the text to search for" },
  secondOperand: agentOperand,
  flags: {
    ...documentsFlags,
    topK: {
      flag: "--top-k <n>",
      description: "maximum number of passages to show (default: 5)",
      value: z.coerce.number().int().min(1).max(100),
      expected: "a whole number from 1 to 100",
    },
    mode: {
      flag: "--mode <mode>",
      description: `search mode, instead of the one in the file: ${searchModes.join(", ")}`,
      value: z.enum(searchModes),
    },
    json: jsonFlag,
  },
  examples: [
    'bridle documents search "How do I return an order?"',
    "bridle documents search A-1001 desk/agent.yaml --mode keyword --top-k 3 --json",
  ],
  notes: `Exit codes:
  0 searched, with or without results, 2 usage, 3 configuration,
  4 the embedding host refuses the credentials, 5 it fails,
  130 interrupted (143 by SIGTERM, 129 by SIGHUP)`,
  async run({ operands: [query, file], flags: { json, tool, projectDir, namespace, ...options } }, cli) {
    if (query === undefined || query.trim() === "") {
      throw new UsageError('The query is missing. Write it in quotes: bridle documents search "QUERY".');
    }
    return whileIndexing(cli, async (effects, progress) => {
      const context = await withProject({ projectDir, namespace }, cli);
      const onUpdated = (problems: readonly string[]) => {
        progress.stop();
        for (const problem of problems) printSentence(`Not searched: ${problem}`, cli.stderr);
      };
      const found = await searchDocuments({ ...options, file, tool, query }, context, { ...effects, onUpdated });
      if (json) printJson(found, cli.stdout);
      else cli.stdout.write(found.documents.map(formatFound).join("\n"));
      return exitCodes.natural;
    });
  },
});
