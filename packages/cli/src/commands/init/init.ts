import {
  createProject,
  type Findings,
  type GivenChoices,
  providerNames,
  templateLabels,
  templateNames,
} from "@bridle/app/init";
import { z } from "zod";
import type { Cli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { ownCommand } from "../../command/own-command.ts";
import { Interruption, reportInterrupt } from "../../terminal/interruption.ts";
import { printJson } from "../../terminal/print-sentence.ts";
import { whileWaiting } from "../../terminal/waiting-line.ts";
import { formatInitReport } from "./report-text.ts";

const templates = templateNames.map((name) => `  ${name.padEnd(10)} ${templateLabels[name]}`).join("\n");

export const initCommand = defineCommand({
  description: `Create a project that is ready to run: an agent, its tools, its test cases, and a script to rehearse
it.
On a terminal, asks questions and suggests answers that it detects: a Claude Code login (checked with one short
request), the names of credentials in the environment, and Ollama on this machine. Options answer questions in advance.
Without a terminal, asks no questions.`,
  notes: `Templates:
${templates}

Exit codes:
  0 created, 2 usage, 3 configuration (existing files, a folder that cannot be written),
  130 interrupted (143 by SIGTERM, 129 by SIGHUP): nothing was created`,
  operand: { name: "dir", description: "the project folder (default: this one)" },
  flags: {
    yes: { flag: "--yes", description: "use the detected settings without asking", value: z.boolean() },
    template: {
      flag: "--template <template>",
      description: `the template: ${templateNames.join(", ")} (default: support)`,
      value: z.enum(templateNames),
    },
    provider: {
      flag: "--provider <provider>",
      description: `the provider of the model: ${providerNames.join(", ")} (default: the first that works)`,
      value: z.enum(providerNames),
    },
    model: {
      flag: "--model <model>",
      description: "the model, by alias or full id",
      value: z.string().min(1),
      expected: "a name",
    },
    name: {
      flag: "--name <name>",
      description: "the name of the agent (default: the template's)",
      value: z.string().trim().min(1),
      expected: "a name",
    },
    force: { flag: "--force", description: "overwrite existing files", value: z.boolean() },
    json: { flag: "--json", description: "print the result as JSON without asking", value: z.boolean() },
  },
  examples: ["bridle init desk", "bridle init desk --yes", "bridle init desk --template orders --provider anthropic"],
  async run({ operand: dir, flags: { yes, force = false, json, template, provider, model, name } }, cli) {
    const interruption = new Interruption(cli);
    const isAsking = cli.readLine !== undefined && !yes && !json;
    try {
      await createAndPrint({ dir, template, provider, model, name }, { force, isAsking, json, interruption }, cli);
      return exitCodes.natural;
    } catch (error) {
      if (interruption.interrupt) return reportInterrupt("Nothing was created. It was", interruption.interrupt, cli);
      if (!isCancelled(error)) throw error;
      cli.stderr.write("Nothing was created.\n");
      return exitCodes.SIGINT;
    } finally {
      interruption.dispose();
    }
  },
});

interface InitOptions {
  readonly force: boolean;
  readonly isAsking: boolean;
  readonly json: boolean | undefined;
  readonly interruption: Interruption;
}

async function createAndPrint(
  given: GivenChoices,
  { force, isAsking, json, interruption }: InitOptions,
  cli: Cli,
): Promise<void> {
  const { signal } = interruption;
  const questions = isAsking ? (await import("./questions.ts")).createQuestions(signal, cli.stderr) : undefined;
  const whileSearching = (search: () => Promise<Findings>) =>
    whileWaiting("looking for a login, keys and Ollama", cli, search);
  const created = await createProject(given, cli, { force, questions, signal, whileSearching });
  if (json) printJson(created.report, cli.stdout);
  else
    cli.stdout.write(
      formatInitReport(
        { ...created, wereShown: isAsking, command: cli.stdout.command ?? ownCommand(cli) },
        cli.stdout.columns,
      ),
    );
}

/** Recognizes the error by its name, because its class is only loaded with the questions. */
function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.name === "Cancelled";
}
