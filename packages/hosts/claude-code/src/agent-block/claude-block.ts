import type { AgentBlock } from "@bridle/protocol";
import { type ClaudeConfig, claudeConfig } from "./claude-config.ts";
import { claudeCallRules, claudeEffects, claudeLoadedFiles } from "./claude-effects.ts";

/** The `claude` block of an agent file. */
export const claudeBlock: AgentBlock<ClaudeConfig> = {
  key: "claude",
  schema: claudeConfig,
  files: [{ path: ["working_directory"] }, { path: ["agents", "*", "prompt_file"], isBehaviour: true }],
  sameLimit: { key: "max_turns", field: ["execution", "max_steps"] },
  decidesCalls: (config) => config.permission_mode !== undefined,
  effects: claudeEffects,
  callRules: claudeCallRules,
  loadedFiles: claudeLoadedFiles,
  async load() {
    const { openClaude } = await import("./open-block.ts");
    return { open: openClaude };
  },
};
