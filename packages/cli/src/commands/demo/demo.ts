import { relative } from "node:path";
import { inTemporaryFolder } from "@bridle/app";
import { type Demo, openDemo } from "@bridle/app/demo";
import { withProject } from "@bridle/app/project";
import type { Cli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { ownCommand } from "../../command/own-command.ts";
import { runAndPrint } from "../run/run-and-print.ts";

export const demoCommand = defineCommand({
  description:
    "Watch an agent answer a question about a real database, with the real Claude Code and a scripted model.",
  flags: {},
  examples: ["bridle demo"],
  async run(_given, cli) {
    const demo = await openDemo(cli);
    cli.stdout.write(formatIntroduction(demo));
    const code = await inTemporaryFolder("demo", (home) =>
      runDemo(demo, home, { ...cli, environment: demo.environment(home) }),
    );
    if (code === exitCodes.natural) cli.stdout.write(formatNextStep(demo, cli));
    return code;
  },
});

async function runDemo(demo: Demo, home: string, cli: Cli): Promise<number> {
  return runAndPrint(demo.plan, "text", await withProject({ projectDir: home }, cli));
}

function formatIntroduction({ question }: Demo): string {
  return `A shop in SQLite, an agent with three tools, and the real Claude Code.
The model's words are scripted, so this needs no login and costs nothing.
The process, the tools and every figure are real.

> ${question}

`;
}

function formatNextStep({ question, toolsFile }: Demo, cli: Cli): string {
  const near = relative(cli.cwd, toolsFile);
  const file = near.startsWith("..") ? toolsFile : near;
  const shown = /^[\w@%+=:,./-]+$/.test(file) ? file : JSON.stringify(file);
  return `
Ask a real model the same question, on your own Claude Code login:

  ${cli.stdout.command ?? ownCommand(cli)} run --tools ${shown} "${question}"
`;
}
