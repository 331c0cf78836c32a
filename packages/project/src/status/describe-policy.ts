import { resolveMode } from "@bridle/core";
import { formatPosition } from "@bridle/protocol";
import type { Settings } from "../settings/settings.ts";
import type { Status } from "./status-schema.ts";

/** Describes the rules for the project's runs, if no option replaces them; null without rules. */
export function describePolicy({ policy, positions, configFile }: Settings): Status["policy"] {
  if (policy === undefined) return null;
  const { mode, unattended } = resolveMode(policy.mode ?? "normal");
  const position = positions.policy;
  return {
    mode,
    rules: policy.rules?.length ?? 0,
    disabled: [...(policy.disable ?? [])],
    from: position ? formatPosition(position) : (configFile ?? "bridle.yaml"),
    asks: !unattended,
  };
}
