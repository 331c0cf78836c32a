import { ConfigError, suggestion } from "@bridle/protocol";

export const policyModes = ["read-only", "ask", "normal", "auto", "yolo"] as const;
export type PolicyMode = (typeof policyModes)[number];

/** The names that other tools use for these modes. */
const aliases = {
  manual: "normal",
  default: "normal",
  acceptAll: "yolo",
  bypassPermissions: "yolo",
  plan: "read-only",
  dontAsk: "normal",
} as const satisfies Record<string, PolicyMode>;

/** All names of modes, aliases included. */
export const policyModeNames = [...policyModes, ...(Object.keys(aliases) as (keyof typeof aliases)[])] as const;
export type PolicyModeName = (typeof policyModeNames)[number];

/** Returns the mode of a name. `dontAsk` also means that the user is not asked. Throws ConfigError for an unknown name. */
export function resolveMode(name: string): { mode: PolicyMode; unattended: boolean } {
  const known: Readonly<Record<string, PolicyMode>> = {
    ...Object.fromEntries(policyModes.map((mode) => [mode, mode])),
    ...aliases,
  };
  const mode = Object.hasOwn(known, name) ? known[name] : undefined;
  if (mode !== undefined) return { mode, unattended: name === "dontAsk" };
  const near = suggestion(name, policyModeNames);
  throw new ConfigError(`There is no policy mode "${name}". Known: ${policyModes.join(", ")}.${near}`, {
    field: "policy.mode",
  });
}
