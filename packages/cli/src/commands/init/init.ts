import { resolve } from "node:path";
import { z } from "zod";
import { type Cli } from "../../command-line/cli.ts";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";
import { type Findings, findBackends, chooseFolder, chooseModel, type Given, hasToLook, projectFiles, providerNames, variablesMissing, templateLabels, templateNames, requireFreePlace, writeProject } from "@bridle/app/init";
import { type Questions } from "./questions.ts";
import { foundReport, type InitReport, reportText } from "./report-text.ts";
import { sayInterrupted, watchInterruptions } from "../../terminal/interruption.ts";
import { createWaiting } from "../../terminal/waiting.ts";

const templates = templateNames.map((name) => `  ${name.padEnd(10)} ${templateLabels[name]}`).join("\n");

export const initCommand = defineCommand({
  description: `Make a project that runs at once: an agent, its tools, its test cases, and a
script that rehearses it.
On a terminal it asks, and proposes what it found: a Claude Code login (asked
with one short request), credentials in the environment by name, and Ollama on
this machine. Options answer its questions; without a terminal nothing is asked.`,
  notes: `Templates:
${templates}

Exit codes:
  0 made, 2 usage, 3 configuration (files in the way, a folder that cannot be written),
  130 interrupted (143 by SIGTERM, 129 by SIGHUP): nothing was made`,
  operand: { name: "dir", description: "the folder of the project (default: this one)" },
  flags: {
    yes: { flag: "--yes", description: "ask nothing: take what was found", value: z.boolean() },
    template: {
      flag: "--template <template>",
      description: `what it begins with: ${templateNames.join(", ")} (default: support)`,
      value: z.enum(templateNames),
    },
    provider: {
      flag: "--provider <provider>",
      description: `where the model runs: ${providerNames.join(", ")}; without it, the first that works`,
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
    force: { flag: "--force", description: "write over files that are there", value: z.boolean() },
    json: { flag: "--json", description: "ask nothing, and print what was made as JSON", value: z.boolean() },
  },
  examples: ["bridle init desk", "bridle init desk --yes", "bridle init desk --template orders --provider anthropic"],
  async run({ operand: dir, flags: { yes, force = false, json, template, provider, model, name } }, cli) {
    const interruption = watchInterruptions(cli);
    const { signal } = interruption;
    const isAsking = cli.readLine !== undefined && !yes && !json;
    try {
      const questions = isAsking
        ? (await import("./questions.ts")).createQuestions(signal, cli.stderr)
        : undefined;
      const given: Given = { dir, template, provider, model, name };
      const made = await makeProject(given, { force, questions, signal }, cli);
      cli.stdout.write(json ? `${JSON.stringify(made.report, undefined, 2)}\n` : reportText(made, cli.stdout.columns));
      return exitCodes.natural;
    } catch (error) {
      if (interruption.interrupt) return sayInterrupted("Nothing was made: it was", interruption.interrupt, cli);
      if (!isCancelled(error)) throw error;
      cli.stderr.write("Nothing was made.\n");
      return exitCodes.SIGINT;
    } finally {
      interruption.dispose();
    }
  },
});

interface Making {
  readonly force: boolean;
  readonly questions: Questions | undefined;
  readonly signal: AbortSignal;
}

/** What can be refused is refused before anybody waits, and nothing is written before everything is known. */
async function makeProject(given: Given, { force, questions, signal }: Making, cli: Cli) {
  const shown = await chooseFolder(given, questions);
  const template = given.template ?? (await questions?.template()) ?? "support";
  const place = { folder: resolve(cli.cwd, shown), packageRoot: cli.packageRoot, environment: cli.environment };
  const draft = { template, provider: "claude-code", model: "", agent: given.name, ollama: "" } as const;
  await requireFreePlace({ folder: place.folder, shown, force, files: await projectFiles(draft, place) });
  const findings = hasToLook(given) ? await look(cli, signal) : undefined;
  signal.throwIfAborted();
  const chosen = await chooseModel(given, findings, questions, cli);
  const files = await projectFiles({ ...draft, ...chosen }, place);
  await writeProject({ folder: place.folder, shown, files, force, signal });
  const report: InitReport = {
    folder: place.folder,
    template,
    provider: chosen.provider,
    model: chosen.model,
    files: files.map(({ name }) => name),
    found: foundReport(findings),
    missing: [...variablesMissing(chosen.provider, cli.environment)],
  };
  return { report, findings, shown, wereShown: questions !== undefined };
}

async function look(cli: Cli, signal: AbortSignal): Promise<Findings> {
  const waiting = createWaiting(cli.stderr, cli.environment);
  waiting.restart("looking for a login, keys and Ollama");
  try {
    return await findBackends(cli, signal);
  } finally {
    waiting.stop();
  }
}

/** The class of it is loaded with the questions only. */
function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.name === "Cancelled";
}
