import type { AgentBlock, OpenedAgentBlock } from "@bridle/protocol";
import { applyPatch } from "../boundary/opened-tools.ts";
import type { CodexSettings } from "../settings/host-settings.ts";
import { type CodexBlockConfig, codexConfig } from "./codex-config.ts";

/** The `codex` block of an agent file. */
export const codexBlock: AgentBlock<CodexBlockConfig> = {
  key: "codex",
  schema: codexConfig,
  files: [],
  decidesCalls: () => false,
  effects: ({ builtins = [] }) =>
    builtins.length > 0 // a name may be a variable
      ? [{ kind: "runs", subject: `${applyPatch}: changes of any file of the folder that a run works on` }]
      : [],
  load: async () => ({ open: async (config) => openCodex(config) }),
};

/** Reads the tools and settings that a `codex` block opens. */
function openCodex({ builtins = [], effort, summary, service_tier: serviceTier }: CodexBlockConfig): OpenedAgentBlock {
  const hostSettings: CodexSettings = {
    ...(effort !== undefined && { effort }),
    ...(summary !== undefined && { summary }),
    ...(serviceTier !== undefined && { serviceTier }),
  };
  return { builtins: [...new Set(builtins)], hostSettings, offers: () => true, rules: [], warnings: [] };
}
