import { defaultAgentFile, loadAgentFile, requireAgentFile } from "@bridle/app/agents";
import { withProject } from "@bridle/app/project";
import { defineCommand } from "../../command/command.ts";
import { agentOperand } from "../agent/agent-operand.ts";
import { testFlags } from "./test-options.ts";

const subCommands = ["history", "show", "compare"];

export const testCommand = defineCommand({
  description: `Test an agent: run the cases of its file, and evaluate the results.
Nothing is asked during tests, and tools that change something for good are denied.
Results are stored: bridle test show, history and compare read them.`,
  notes: `Exit codes:
  0 all cases passed, 1 some did not pass, 2 usage (also if there are no cases),
  3 configuration, 4 authentication, 5 the backend failed (also a used-up
  usage window), 130 interrupted (143 by SIGTERM, 129 by SIGHUP): finished
  cases are stored, and --resume continues`,
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
