import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { ConfigError, suggestion } from "@bridle/protocol";
import { agentOperand, defaultAgentFile } from "../agent/agent-operand.ts";
import { loadAgentFile } from "../agent/load-agent-file.ts";
import { defineCommand } from "../cli/command.ts";
import { testFlags } from "../test/options.ts";

export const testCommand = defineCommand({
  description: `Test an agent: run the cases of its file, and judge what came of them.
Nobody is asked meanwhile, and tools that change what cannot be brought back are
denied. Results are kept: bridle test show, history and compare read them.`,
  notes: `Exit codes:
  0 all cases passed, 1 some did not, 2 usage (also where there is no case),
  3 configuration, 4 authentication, 5 the backend failed (also a used-up
  usage window), 130 interrupted (143 by SIGTERM, 129 by SIGHUP): what ended is
  kept, and --resume goes on`,
  operand: agentOperand,
  flags: testFlags,
  examples: [
    "bridle test",
    "bridle test --rehearse rehearsal.yaml",
    'bridle test desk/agent.yaml --case "finds an order" --trials 5',
    "bridle test --parallel 8 --report junit --output results.xml",
    "bridle test --resume",
  ],
  async run({ operand, flags }, cli) {
    requireFile(operand, cli.cwd);
    const definition = await loadAgentFile(operand ?? defaultAgentFile, cli);
    const { performTests } = await import("../test/perform-tests.ts");
    return performTests(definition, flags, cli);
  },
});

const subCommands = ["history", "show", "compare"];

/** What is not there is said with what may have been meant: another file, or another command. */
function requireFile(file: string | undefined, cwd: string): void {
  if (existsSync(resolve(cwd, file ?? defaultAgentFile))) return;
  if (file === undefined) {
    throw new ConfigError(
      `There is no ${defaultAgentFile} here. Name the agent's file, as in "bridle test desk/agent.yaml", or make one with "bridle init".`,
    );
  }
  const near = suggestion(file, subCommands).replace(/"(\w+)"/, '"bridle test $1"');
  throw new ConfigError(`${file} does not exist.${near} Name the file of an agent.`);
}
