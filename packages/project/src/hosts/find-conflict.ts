import { ConfigError, omitUndefined } from "@bridle/protocol";
import type { Settings } from "../settings/settings.ts";
import { hostOf } from "./host-registry.ts";
import { shownField } from "./requirements.ts";

/** Throws ConfigError for settings that the host's own rules forbid. The message does not quote an address, which may hold a password. */
export function refuseConflict(settings: Settings): void {
  const { provider, namespace, positions, absent } = settings;
  const has = (key: string) => provider[key] !== undefined || absent[`llm.provider.${key}`] !== undefined;
  const conflict = hostOf(provider.backend).findConflict?.(provider, { isNamespaced: namespace !== undefined, has });
  if (conflict === undefined) return;
  const field = `llm.provider.${conflict.key}`;
  throw new ConfigError(
    `${shownField(field, settings)} ${conflict.message}`,
    omitUndefined({ field, position: positions[field] }),
  );
}
