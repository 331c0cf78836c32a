import { join, relative } from "node:path";
import { type Environment } from "@bridle/project";
import { type Cli } from "../../command-line/cli.ts";
import { defineCommand } from "../../command-line/command.ts";
import { exitCodes } from "../../command-line/exit-codes.ts";
import { inTemporaryFolder } from "@bridle/app";
import { performRun } from "../run/perform-run.ts";
import { loadTools } from "@bridle/app/modules";

const question = "Which month of 2025 sold best, and what was in its largest order?";

const introduction = `A shop in SQLite, an agent with three tools, and the real Claude Code.
The model's words are scripted: no login is used and nothing is paid.
The process, the tools and every figure are real.

> ${question}

`;

export const demoCommand = defineCommand({
  description: "See an agent answer a question about a real database, by the real Claude Code with a scripted model.",
  flags: {},
  examples: ["bridle demo"],
  async run(_given, cli) {
    const toolsFile = join(cli.packageRoot, "demo", "tools.js");
    const tools = await loadTools(toolsFile, cli);
    cli.stdout.write(introduction);
    const code = await inTemporaryFolder("demo", (home) =>
      performRun(
        {
          prompt: question,
          tools,
          form: "text",
          rehearse: join(cli.packageRoot, "demo", "rehearsal.yaml"),
          projectDir: home,
        },
        { ...cli, environment: atHome(cli.environment, home) },
      ),
    );
    if (code === exitCodes.natural) cli.stdout.write(howToGoOn(toolsFile, cli));
    return code;
  },
});

/** The environment without anything that leads to the user's own home or settings. */
function atHome(environment: Environment, home: string): Environment {
  const kept = Object.entries(environment).filter(([name]) => !/^(XDG_|CLAUDE|ANTHROPIC_|BRIDLE_)/.test(name));
  return { ...Object.fromEntries(kept), HOME: home, USERPROFILE: home };
}

function howToGoOn(file: string, { environment, cwd }: Cli): string {
  const near = relative(cwd, file);
  const toolsFile = near.startsWith("..") ? file : near;
  // Where npm runs the command, it is not on the PATH.
  const command = environment.npm_command === undefined ? "bridle" : "npx bridle";
  const shown = /^[\w@%+=:,./-]+$/.test(toolsFile) ? toolsFile : JSON.stringify(toolsFile);
  return `
The same on your own Claude Code login, with a model that finds its own words:

  ${command} run --tools ${shown} "${question}"
`;
}
