import type { ClaudeEnvironment } from "../options.ts";
import type { SettingSource } from "../settings/host-settings.ts";
import { findImplicitSources } from "../settings/implicit-sources.ts";

/** Returns warnings about opened layers of Claude Code's settings and about the CLAUDE.md files that the model will see. */
export async function settingWarnings(
  settingSources: readonly SettingSource[],
  place: { projectDir: string; environment: ClaudeEnvironment },
): Promise<string[]> {
  if (settingSources.length === 0) return [];
  const found = await findImplicitSources({ ...place, auth: "session", settingSources });
  const told = found.filter(({ kind, inForce }) => inForce && kind === "instructions").map(({ path }) => path);
  return [
    `claude.setting_sources opens Claude Code's settings of ${settingSources.join(", ")}: their hooks run as commands on this machine, outside of the rules. Leave it out to keep them closed.`,
    ...(told.length > 0 ? [`claude.setting_sources sends the content of ${told.join(" and ")} to the model.`] : []),
  ];
}
