import { UsageError } from "@bridle/app";
import { type RememberedText, rememberText } from "@bridle/app/knowledge";
import { withProject } from "@bridle/app/project";
import { z } from "zod";
import type { ProjectCli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { jsonFlag, projectFlags } from "../../command/project-flags.ts";
import { Interruption } from "../../terminal/interruption.ts";
import { createStderrLogger } from "../../terminal/logger.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { agentFlags } from "../run/agent-flags.ts";
import { readPrompt } from "../run/read-prompt.ts";

export const contextRememberCommand = defineCommand({
  description: `Remember a text about the data. The model of the role "extract" finds its facts; without a model, the
text is kept as one statement. Secrets, personal information and instructions to an assistant are refused.
The next bridle context ingest writes the facts on a page, where they take precedence over all documents.`,
  operand: { name: "text", description: 'the text to remember; "-" reads it from standard input' },
  flags: {
    scope: {
      flag: "--scope <scope>",
      description:
        "project: for everyone, in context/memory.yaml; user: only for you, in every project (default: project)",
      value: z.enum(["project", "user"]),
    },
    since: {
      flag: "--since <day>",
      description: "the first day on which the text is valid, such as 2026-03-01",
      value: z.iso.date(),
      expected: "a day such as 2026-03-01",
    },
    verbatim: {
      flag: "--verbatim",
      description: "keep the text as one statement, without asking a model",
      value: z.boolean(),
    },
    backend: agentFlags.backend,
    auth: agentFlags.auth,
    rehearse: agentFlags.rehearse,
    json: jsonFlag,
    ...projectFlags,
  },
  examples: [
    'bridle context remember "Revenue never includes deposits."',
    'bridle context remember --since 2026-03-01 "The fiscal year starts in April."',
  ],
  notes: `Exit codes:
  0 remembered, or already known, 1 refused, 2 usage, 3 configuration`,
  async run({ operand, flags }, cli) {
    const { scope, since, verbatim: isVerbatim, backend, auth, rehearse, json, ...location } = flags;
    if (operand === undefined) throw new UsageError('The text is missing. Write bridle context remember "TEXT".');
    const text = await readPrompt(operand, cli.stdin);
    const opened = await withProject(location, cli);
    const interruption = new Interruption(cli);
    try {
      const remembered = await rememberText({ text, scope, since, isVerbatim }, { backend, auth, rehearse }, opened, {
        logger: createStderrLogger(cli.stderr),
        signal: interruption.signal,
        onWarning: (warning) => printSentence(warning, cli.stderr),
      });
      if (json) printJson(remembered, cli.stdout);
      else printRemembered(remembered, opened);
      return remembered.outcome === "refused" ? exitCodes.otherwise : exitCodes.natural;
    } finally {
      interruption.dispose();
    }
  },
});

function printRemembered({ outcome, ids, file, scope, statements, refused }: RememberedText, cli: ProjectCli): void {
  const next = scope === "user" ? "" : ' The next "bridle context ingest" writes it on its page.';
  if (outcome === "remembered") printSentence(`Remembered as ${ids.join(", ")} in ${file}.${next}`, cli.stdout);
  if (outcome === "known") printSentence(`This is remembered already, as ${ids.join(", ")}.`, cli.stdout);
  for (const { statement, topic, since } of statements)
    printSentence(`  ${statement} (${[`page ${topic}`, ...(since ? [`since ${since}`] : [])].join(", ")})`, cli.stdout);
  if (outcome === "refused") printSentence("Nothing is remembered.", cli.stderr);
  for (const reason of refused) printSentence(reason, cli.stderr);
}
