import { requireAgentFile } from "@bridle/app/agents";
import { withProject } from "@bridle/app/project";
import { policyModes } from "@bridle/app/runs";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { projectFlags } from "../../command/project-flags.ts";
import { serveEditor } from "./serve-editor.ts";

export const acpCommand = defineCommand({
  description: `Serve agents to an editor that speaks the Agent Client Protocol (ACP), such as Zed: on standard input and output.
The editor starts the command. Its sessions are those of \`bridle chat\` and of the server, and all of it is in the event log.`,
  operand: {
    name: "file",
    description: "the agent's file; several are offered as a choice (default: those of the project, else its model)",
    isRepeated: true,
  },
  flags: {
    mode: {
      flag: "--mode <mode>",
      description: `how much to ask before a tool runs, until the editor chooses: ${policyModes.join(", ")}`,
      value: z.enum(policyModes),
    },
    rehearse: {
      flag: "--rehearse <script>",
      description: "replace the model by a script: no login and no cost, everything else is real",
      value: z.string().min(1),
      expected: "a file",
    },
    ...projectFlags,
  },
  examples: ["bridle acp", "bridle acp desk/agent.yaml --mode ask", "bridle acp --project-dir ~/desk"],
  notes: `Exit codes:
  0 the editor has left, 1 a tool failed outside of its call, 2 usage,
  3 configuration, 130 interrupted (143 by SIGTERM, 129 by SIGHUP)`,
  async run({ operands: agents, flags }, cli) {
    for (const file of agents) requireAgentFile(file, cli, { command: "bridle acp", subCommands: [] });
    const context = await withProject(flags, cli);
    const { mode, rehearse, projectDir } = flags;
    return serveEditor({ agents, mode, rehearse, isAnywhere: projectDir !== undefined }, context);
  },
});
