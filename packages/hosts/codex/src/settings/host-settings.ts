/** The settings that only Codex has. */
import { ConfigError, type ConversationSpec, suggestion } from "@bridle/protocol";
import { z } from "zod";

export const codexSettingsSchema = z.strictObject({
  /** How much the model thinks. The catalog lists the values that each model accepts. */
  effort: z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max", "ultra"]).optional(),
  /** Whether the model summarises its reasoning, and how. */
  summary: z.enum(["auto", "concise", "detailed", "none"]).optional(),
  /** How fast the service answers, such as `priority`. */
  serviceTier: z.string().min(1).optional(),
});

export type CodexSettings = z.infer<typeof codexSettingsSchema>;
export const codexSettingNames: readonly string[] = Object.keys(codexSettingsSchema.shape);

/** Parses the settings of a conversation. Throws a ConfigError that names the invalid key. */
export function parseCodexSettings({ hostSettings = {} }: Pick<ConversationSpec, "hostSettings">): CodexSettings {
  const parsed = codexSettingsSchema.safeParse(hostSettings);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join(".") ?? "";
  const hint = issue?.code === "unrecognized_keys" ? suggestion(issue.keys[0] ?? "", codexSettingNames) : "";
  throw new ConfigError(`The setting ${path || "of Codex"} is invalid: ${issue?.message}.${hint}`, {
    field: `hostSettings.${path}`,
  });
}
