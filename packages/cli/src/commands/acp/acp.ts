import { requireAgentFile } from "@bridle/app/agents";
import { withProject } from "@bridle/app/project";
import { policyModes } from "@bridle/app/runs";
import { z } from "zod";
import { defineCommand } from "../../command/command.ts";
import { projectFlags } from "../../command/project-flags.ts";
import { serveEditor } from "./serve-editor.ts";

export const acpCommand = defineCommand({
  description: `Serve agents over standard input and output to an editor that supports the Agent Client Protocol (ACP),
such as Zed.
The editor starts this command. It shares its sessions with \`bridle chat\` and the server, and records everything in
the event log.`,
  operand: {
    name: "file",
    description:
      "the agent file; the editor can choose between several (default: the project's agents, otherwise its model)",
    isRepeated: true,
  },
  flags: {
    mode: {
      flag: "--mode <mode>",
      description: `when to ask before a tool runs, until the editor changes it: ${policyModes.join(", ")}`,
      value: z.enum(policyModes),
    },
    rehearse: {
      flag: "--rehearse <script>",
      description: "replace the model with a script: no login, no cost, everything else is real",
      value: z.string().min(1),
      expected: "a file",
    },
    ...projectFlags,
  },
  examples: ["bridle acp", "bridle acp desk/agent.yaml --mode ask", "bridle acp --project-dir ~/desk"],
  notes: `Exit codes:
  0 the editor disconnected, 1 a tool failed outside its call, 2 usage,
  3 configuration, 130 interrupted (143 by SIGTERM, 129 by SIGHUP)`,
  async run({ operands: agents, flags }, cli) {
    for (const file of agents) requireAgentFile(file, cli, { command: "bridle acp", subCommands: [] });
    const context = await withProject(flags, cli);
    const { mode, rehearse, projectDir } = flags;
    return serveEditor({ agents, mode, rehearse, isAnywhere: projectDir !== undefined }, context);
  },
});
