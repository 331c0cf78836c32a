import { agentFields } from "@bridle/protocol";
import { z } from "zod";
import { applyPatch } from "../boundary/opened-tools.ts";
import { codexSettingsSchema } from "../settings/host-settings.ts";

/** Tools that users may look for but that stay closed, each with the reason. */
const closedTools: Readonly<Record<string, string>> = {
  exec_command: "Codex does not ask before it types into a running command",
  write_stdin: "Codex does not ask before it types into a running command",
  view_image: "it reads any file of this machine, and Codex does not ask",
  web_search: "it runs at the service, which does not ask",
};

const builtin = z.enum([applyPatch], {
  error: ({ input }) => {
    const name = String(input);
    const reason = Object.hasOwn(closedTools, name)
      ? `is ${name}, which stays closed: ${closedTools[name]}`
      : undefined;
    return `${reason ?? "cannot be opened"}. Of Codex's own tools, only ${applyPatch} can be opened, because Codex asks before each call.`;
  },
});

const { effort, summary } = codexSettingsSchema.shape;

/** The `codex` block of an agent file: the Codex tools that it opens, and its settings. By default, everything is closed. */
export const codexConfig = z
  .strictObject({
    builtins: z
      .array(builtin)
      .exactOptional()
      .describe(
        "Codex's own tools to open, by name: apply_patch, which changes files in the folder of the run. Default: none.",
      ),
    effort: effort
      .unwrap()
      .exactOptional()
      .describe("How much the model thinks. Codex's catalog lists the values of each model."),
    summary: summary.unwrap().exactOptional().describe("Whether the model summarises its reasoning, and how."),
    service_tier: agentFields.text("The service tier, such as priority, which determines the speed.").exactOptional(),
  })
  .describe("Only for Codex: its own tools, which pass the same rules as yours, and its settings.");

export type CodexBlockConfig = z.output<typeof codexConfig>;
