import { join, resolve } from "node:path";
import { inTemporaryFolder } from "@bridle/app";
import { type ContextDemo, writeContextDemo } from "@bridle/app/demo";
import { withProject } from "@bridle/app/project";
import { trustEverything } from "@bridle/app/trust";
import { listJoins, scanContext, showTable } from "@bridle/app/warehouses";
import { z } from "zod";
import type { Cli, ProjectCli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { ownCommand, quoted } from "../../command/own-command.ts";
import { Interruption, reportInterrupt } from "../../terminal/interruption.ts";
import { stdoutPage } from "../../terminal/stdout-page.ts";
import { askAndPrint } from "../ask/ask-and-print.ts";
import { evaluateAndPrint } from "./evaluate-and-print.ts";
import { formatJoin } from "./format-joins.ts";
import { formatScan } from "./format-scan.ts";
import { formatShownTable } from "./format-table.ts";
import { runIngestDemo } from "./ingest/demo-ingest.ts";

export const contextDemoCommand = defineCommand({
  description: `Watch Bridle scan a warehouse and answer a question about it, with a database without declared keys,
the real Claude Code and a scripted model. Needs no login.`,
  flags: {
    output: {
      flag: "--output <folder>",
      description: "keep the project in this folder to try other commands on it (default: a temporary folder)",
      value: z.string().min(1),
      expected: "a folder",
    },
    ingest: {
      flag: "--ingest",
      description: "turn a wiki, a dbt project, LookML and a query log into pages, models and joins instead",
      value: z.boolean(),
      excludes: ["eval"],
    },
    eval: {
      flag: "--eval",
      description: "then evaluate the agent on the project's questions with known answers",
      value: z.boolean(),
    },
  },
  examples: [
    "bridle context demo",
    "bridle context demo --ingest",
    "bridle context demo --eval",
    "bridle context demo --output roaster",
  ],
  run: ({ flags: { output, eval: isEvaluated = false, ingest = false } }, cli) =>
    inTemporaryFolder("context-demo", async (home) => {
      if (ingest) return runIngestDemo(output, home, cli);
      const folder = output === undefined ? join(home, "roaster") : resolve(cli.cwd, output);
      const demo = await writeContextDemo(folder, cli);
      const isolated = { ...cli, environment: demo.environment(home), trust: trustEverything };
      const opened = await withProject({ projectDir: folder }, isolated);
      const asked = await runDemo(demo, opened);
      const code = isEvaluated && asked === exitCodes.natural ? await runQuestions(demo, opened) : asked;
      if (output !== undefined) await demo.trust();
      if (code === exitCodes.natural) cli.stdout.write(formatNextStep(output, demo, cli));
      return code;
    }),
});

const introduction = `A coffee roaster in SQLite: thirteen tables, and not one declared key.

$ bridle context scan
`;

async function runDemo(demo: ContextDemo, cli: ProjectCli): Promise<number> {
  const page = stdoutPage(cli);
  const interruption = new Interruption(cli);
  try {
    cli.stdout.write(introduction);
    const effects = { signal: interruption.signal, onProgress: () => {}, onReport: () => {} };
    const { scans } = await scanContext({}, cli, effects);
    cli.stdout.write(scans.map((scan) => formatScan(scan, page)).join(""));
    cli.stdout.write("\n$ bridle context show customers\n");
    cli.stdout.write(formatShownTable(await showTable("customers", cli), page));
    cli.stdout.write("\n$ bridle context joins --table order_lines\n");
    const { joins } = await listJoins({ table: "order_lines" }, cli);
    cli.stdout.write(joins.map((join) => formatJoin(join, page)).join(""));
  } catch (error) {
    if (interruption.interrupt === undefined) throw error;
    return reportInterrupt("The demo was", interruption.interrupt, cli);
  } finally {
    interruption.dispose();
  }
  cli.stdout.write(`\n$ bridle ask ${JSON.stringify(demo.question)}\n\n`);
  return askAndPrint({ prompt: demo.question, rehearse: demo.rehearse }, false, cli);
}

/** Asks the questions with known answers, so that the command can report how many answers of the model were correct. */
function runQuestions({ answers }: ContextDemo, cli: ProjectCli): Promise<number> {
  cli.stdout.write("\n$ bridle context eval\n\n");
  return evaluateAndPrint({ rehearse: answers }, cli);
}

function formatNextStep(output: string | undefined, { question }: ContextDemo, cli: Cli): string {
  const command = cli.stdout.command ?? ownCommand(cli);
  const folder = output ?? "roaster";
  const first = output === undefined ? `  ${command} context demo --output ${folder}\n` : "";
  return `
Everything but the model's words is real. Ask a real model, on your own
Claude Code login:

${first}  cd ${quoted(folder)} && ${command} ask ${JSON.stringify(question)}
  ${command} context eval
`;
}
