/** What of Claude Code a caller may set or open beyond what every host has. Each is closed unless it is named. */
import { isAbsolute } from "node:path";
import { ConfigError, type ConversationSpec, suggestion } from "@bridle/protocol";
import { z } from "zod";

const agentSchema = z.strictObject({
  description: z.string().min(1),
  prompt: z.string().min(1),
  /** Names of the run's tools and opened host tools. Missing: all of them. */
  tools: z.array(z.string()).optional(),
  model: z.string().min(1).optional(),
});

const settingsSchema = z.strictObject({
  /** How much the model thinks and writes, where it can be told. */
  effort: z.enum(["low", "medium", "high", "xhigh", "max"]).optional(),
  /** A budget in tokens, or false for none. Newer models decide by themselves (see `thinkingIsHonoured`). */
  thinking: z.union([z.literal(false), z.strictObject({ budgetTokens: z.int().min(1024) })]).optional(),
  /** The model that answers where the first is overloaded or not there. */
  fallbackModel: z.string().min(1).optional(),
  /** An absolute path: where the host works instead of the project folder. */
  workingDirectory: z.string().refine(isAbsolute, { error: "has to be an absolute path" }).optional(),
  /** Subagents by name; opened together with the host tool Agent. */
  agents: z.record(z.string().regex(/^[A-Za-z0-9_-]+$/), agentSchema).optional(),
  /** Layers of Claude Code's own settings to load, with their CLAUDE.md and their hooks. */
  settingSources: z.array(z.enum(["user", "project", "local"])).optional(),
});

export type ClaudeCodeSettings = z.infer<typeof settingsSchema>;
export type SettingSource = NonNullable<ClaudeCodeSettings["settingSources"]>[number];

export const settingNames: readonly string[] = Object.keys(settingsSchema.shape);

/** The settings of a conversation. Throws ConfigError that names the key. */
export function settingsOf({ hostSettings = {} }: Pick<ConversationSpec, "hostSettings">): ClaudeCodeSettings {
  const parsed = settingsSchema.safeParse(hostSettings);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join(".") ?? "";
  const hint = issue?.code === "unrecognized_keys" ? suggestion(issue.keys[0] ?? "", settingNames) : "";
  throw new ConfigError(`The setting ${path || "of Claude Code"} cannot be used: ${issue?.message}.${hint}`, {
    field: `hostSettings.${path}`,
  });
}

/**
 * Whether a model thinks as it is told (observed on 2.1.330, by what was sent): budgets are for models up to 4.5, all
 * later ones decide how much; the newest cannot be told to think not at all. An alias stands for the newest model.
 */
export function thinkingIsHonoured(model: string, thinking: NonNullable<ClaudeCodeSettings["thinking"]>): boolean {
  return thinking === false ? versionOf(model) <= 5 : versionOf(model) <= 4.5;
}

/** Whether the effort reaches a model (observed on 2.1.330, by what was sent). */
export function effortIsHonoured(model: string): boolean {
  return versionOf(model) > 4.5;
}

/** Of an alias, and of what cannot be told, the newest. */
function versionOf(model: string): number {
  const [, major = "99", minor = "0"] = /^claude-[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?:-\d{8})?$/.exec(model) ?? [];
  return Number(major) + Number(minor) / 10;
}
