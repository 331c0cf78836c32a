import { defaultAgentFile, loadAgentFile, requireAgentFile } from "@bridle/app/agents";
import { withProject } from "@bridle/app/project";
import { defineCommand } from "../../command/command.ts";
import { agentOperand } from "../agent/agent-operand.ts";
import { testFlags } from "./test-options.ts";

const subCommands = ["history", "show", "compare"];

export const testCommand = defineCommand({
  description: `Run the test cases of an agent file and evaluate the results.
Tests ask no questions, and deny tools that make irreversible changes.
Results are stored for bridle test show, history and compare.`,
  notes: `Exit codes:
  0 all cases passed, 1 some did not pass, 2 usage, or no test cases,
  3 configuration, 4 authentication, 5 the backend failed, or the usage window
  is used up, 130 interrupted (143 by SIGTERM, 129 by SIGHUP): finished cases
  are stored, and --resume continues`,
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
    requireAgentFile(operand, cli, { command: "bridle test", subCommands });
    const definition = await loadAgentFile(operand ?? defaultAgentFile, cli);
    const { testAndPrint } = await import("./test-and-print.ts");
    return testAndPrint(definition, flags, await withProject(flags, cli));
  },
});
