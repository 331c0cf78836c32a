import { ConfigError, type HostConfig, omitUndefined, type SourcePosition } from "@bridle/protocol";
import { hostOf } from "../registries/host-registry.ts";
import type { ProviderSource } from "./given-provider.ts";
import { shownField } from "./shown-field.ts";

interface Ruled {
  readonly provider: HostConfig;
  readonly providerSource?: ProviderSource | undefined;
  readonly namespace?: string | undefined;
  readonly positions: Readonly<Record<string, SourcePosition>>;
  readonly absent: Readonly<Record<string, readonly string[]>>;
}

/** Throws ConfigError for settings that the host's own rules forbid. The message quotes no address, which may contain a password. */
export function refuseConflict(settings: Ruled): void {
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
