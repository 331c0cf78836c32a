/** The settings that only Claude Code has. Each is off unless the caller sets it. */
import { isAbsolute } from "node:path";
import { ConfigError, type ConversationSpec, suggestion } from "@bridle/protocol";
import { z } from "zod";

const agentSchema = z.strictObject({
  description: z.string().min(1),
  prompt: z.string().min(1),
  /** Names of the run's tools and of opened host tools. Default: all of them. */
  tools: z.array(z.string()).optional(),
  model: z.string().min(1).optional(),
});

const settingsSchema = z.strictObject({
  /** How much the model thinks and writes, if the model supports this setting (see `effortIsHonoured`). */
  effort: z.enum(["low", "medium", "high", "xhigh", "max"]).optional(),
  /** A thinking budget in tokens, or false for no thinking. Newer models decide for themselves (see `thinkingIsHonoured`). */
  thinking: z.union([z.literal(false), z.strictObject({ budgetTokens: z.int().min(1024) })]).optional(),
  /** The model that answers if the first one is overloaded or unavailable. */
  fallbackModel: z.string().min(1).optional(),
  /** The absolute path of the folder in which the host works instead of the project folder. */
  workingDirectory: z.string().refine(isAbsolute, { error: "must be an absolute path" }).optional(),
  /** Subagents by name. They need the host tool Agent. */
  agents: z.record(z.string().regex(/^[A-Za-z0-9_-]+$/), agentSchema).optional(),
  /** The layers of Claude Code's own settings to load, with their CLAUDE.md and their hooks. */
  settingSources: z.array(z.enum(["user", "project", "local"])).optional(),
});

export type ClaudeCodeSettings = z.infer<typeof settingsSchema>;
export type SettingSource = NonNullable<ClaudeCodeSettings["settingSources"]>[number];

export const settingNames: readonly string[] = Object.keys(settingsSchema.shape);

/** Parses the settings of a conversation. Throws a ConfigError that names the invalid key. */
export function parseSettings({ hostSettings = {} }: Pick<ConversationSpec, "hostSettings">): ClaudeCodeSettings {
  const parsed = settingsSchema.safeParse(hostSettings);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join(".") ?? "";
  const hint = issue?.code === "unrecognized_keys" ? suggestion(issue.keys[0] ?? "", settingNames) : "";
  throw new ConfigError(`The setting ${path || "of Claude Code"} is invalid: ${issue?.message}.${hint}`, {
    field: `hostSettings.${path}`,
  });
}

/**
 * Whether a model obeys the thinking setting (observed on 2.1.330, in the requests). Models up to 4.5 obey budgets; later ones decide for
 * themselves. The newest models cannot switch thinking off. An alias is treated as the newest model.
 */
export function thinkingIsHonoured(model: string, thinking: NonNullable<ClaudeCodeSettings["thinking"]>): boolean {
  return thinking === false ? versionOf(model) <= 5 : versionOf(model) <= 4.5;
}

/** Whether the host sends the effort to a model (observed on 2.1.330, in the requests). */
export function effortIsHonoured(model: string): boolean {
  return versionOf(model) > 4.5;
}

/** Returns the version in a model's name. For an alias or an unknown form, returns the newest. */
function versionOf(model: string): number {
  const [, major = "99", minor = "0"] = /^claude-[a-z]+-(\d{1,2})(?:-(\d{1,2}))?(?:-\d{8})?$/.exec(model) ?? [];
  return Number(major) + Number(minor) / 10;
}
