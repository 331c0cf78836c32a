import { searchModes } from "@bridle/agent";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";
import { UsageError } from "@bridle/app";
import { type FoundDocuments, foundDocumentsSchema, documentsFlags, withDocuments } from "@bridle/app/documents";
import { formatFound } from "./format-documents.ts";
import { saySentence } from "../../terminal/print-sentence.ts";
import { z } from "zod";

export const documentsSearchCommand = defineCommand({
  description: `Search the documents of an agent, as its model would. The index is brought up to date before.`,
  operand: { name: "query", description: "what to look for" },
  secondOperand: { name: "file", description: "the agent's file (default: agent.yaml)" },
  flags: {
    ...documentsFlags,
    topK: {
      flag: "--top-k <n>",
      description: "how many parts to show, at most (default: 5)",
      value: z.coerce.number().int().min(1).max(100),
      expected: "a whole number from 1 to 100",
    },
    mode: {
      flag: "--mode <mode>",
      description: `by words, by meaning or both, instead of what the file says: ${searchModes.join(", ")}`,
      value: z.enum(searchModes),
    },
    json: { flag: "--json", description: "print what was found as JSON", value: z.boolean() },
  },
  examples: [
    'bridle documents search "How do I return an order?"',
    "bridle documents search A-1001 desk/agent.yaml --mode keyword --top-k 3 --json",
  ],
  notes: `Exit codes:
  0 searched, whether or not anything was found, 2 usage, 3 configuration,
  4 the host of the embeddings refuses the credentials, 5 it does not answer as it should,
  130 interrupted (143 by SIGTERM, 129 by SIGHUP)`,
  async run({ operands: [query, file], flags: { topK, mode, json = false, ...flags } }, cli) {
    if (query === undefined || query.trim() === "")
      throw new UsageError('The query is missing. Say what to look for: bridle documents search "QUERY".');
    return withDocuments(file, flags, cli, async (all, { signal, progress }) => {
      const found: FoundDocuments[] = [];
      for (const { name, searchMode, open } of all) {
        const documents = await open();
        try {
          const { failed } = await documents.update({ signal, onProgress: progress.told });
          progress.stop();
          for (const { problem } of failed) saySentence(`Not searched: ${problem}`, cli.stderr);
          const options = { signal, ...(topK && { topK }), ...(mode && { mode }) };
          found.push({ tool: name, mode: mode ?? searchMode, hits: await documents.search(query, options) });
        } finally {
          await documents.close();
        }
      }
      cli.stdout.write(
        json
          ? `${JSON.stringify(foundDocumentsSchema.parse({ query, documents: found }), undefined, 2)}\n`
          : found.map(formatFound).join("\n"),
      );
      return exitCodes.natural;
    });
  },
});
