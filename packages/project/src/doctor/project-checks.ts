import { findImplicitSources, missingVariables, unusedCredentials } from "@bridle/claude-code";
import { formatPosition } from "@bridle/core";
import { createBackend } from "../backends.ts";
import type { Settings } from "../settings.ts";
import { describeModels } from "../status/describe-models.ts";
import { ignoredCaching } from "../status/describe-status.ts";
import { type Check, failed, passed, skipped } from "./check.ts";

export function checkBackend({ backend }: Settings): Check {
  const identity = { id: "backend", title: "Backend", area: "configuration" } as const;
  return passed(identity, backend === "none" ? "none: operations that need a model fail" : backend);
}

export function checkModels(settings: Settings): Check {
  const identity = { id: "models", title: "Models", area: "configuration" } as const;
  const models = describeModels(settings);
  if (settings.backend !== "none" && settings.models.default === undefined) return withoutDefault(identity, settings);
  const unknown = models.filter(({ known }) => !known);
  if (unknown.length === 0) return passed(identity, models.map(({ role, model }) => `${role}: ${model}`).join(", "));
  const detail = unknown
    .map(({ role, model }) => `${placeOf(role, settings)}${settings.backend} knows no model "${model}" (role ${role}).`)
    .join(" ");
  const near = [...new Set(unknown.flatMap(({ nearest }) => nearest))];
  const hint =
    near.length === 0 ? "an alias such as sonnet, or a full id" : near.map((name) => `"${name}"`).join(" or ");
  return failed(identity, detail, `Write ${hint} in llm.models.`);
}

/** What a run of a role that is not bound would meet. */
function withoutDefault(identity: Parameters<typeof failed>[0], { positions }: Settings): Check {
  const position = positions["llm.models"];
  const place = position ? `${formatPosition(position)}: ` : "";
  return failed(
    identity,
    `${place}llm.models has no default, which every role without a model of its own uses.`,
    "Add default: sonnet, or another model, to llm.models.",
  );
}

/** The start of a sentence about a model that the file sets. */
function placeOf(role: string, { positions }: Settings): string {
  const position = positions[`llm.models.${role}`];
  return position ? `${formatPosition(position)}: ` : "";
}

/** Credentials by name only. */
export function checkCredentials({ backend, auth, environment }: Settings): Check {
  const identity = { id: "credentials", title: "Credentials", area: "configuration" } as const;
  if (backend === "none") return skipped(identity, "The project has no backend.");
  const missing = missingVariables(auth, environment);
  if (missing.length > 0) {
    return failed(
      identity,
      `auth: ${auth} needs ${missing.join(" and ")}, which the environment does not have.`,
      "Set it, or choose another auth mode in bridle.yaml.",
    );
  }
  const unused = unusedCredentials(auth, environment);
  const found = auth === "session" ? "the login of Claude Code itself" : "the environment has what it needs";
  const rest = unused.length === 0 ? "" : `; ${unused.join(" and ")} is set and will not be used`;
  return passed(identity, `auth: ${auth}, ${found}${rest}`);
}

export function checkPromptCaching(settings: Settings): Check {
  const identity = { id: "prompt-caching", title: "Prompt caching", area: "configuration" } as const;
  const ignored = ignoredCaching(settings.promptCaching, createBackend(settings).features);
  if (ignored.length === 0) return passed(identity, "as configured");
  const remedy = "Remove these fields from llm.promptCaching, or leave them for another backend.";
  return passed(identity, `${settings.backend} ignores ${ignored.join(", ")}`, remedy);
}

/** What the machine and the project bring along, and whether the boundary keeps it out. */
export async function checkImplicitSources({ backend, projectDir, environment, auth }: Settings): Promise<Check> {
  const identity = { id: "implicit-sources", title: "Implicit sources", area: "backend" } as const;
  if (backend === "none") return skipped(identity, "The project has no backend.");
  const sources = await findImplicitSources({ projectDir, environment, auth });
  const managed = sources.filter(({ kind }) => kind.startsWith("managed-"));
  const kept = sources.filter(({ inForce }) => !inForce).map(({ path }) => path);
  const keptOut = kept.length === 0 ? "nothing to keep out" : `kept out: ${kept.join(", ")}`;
  if (managed.length === 0) return passed(identity, `no managed policy; ${keptOut}`);
  const inForce = `managed policy applies to every run: ${managed.map(({ path }) => path).join(", ")}`;
  return passed(
    identity,
    `${inForce}; ${keptOut}`,
    "Managed policy is the administrator's to change, and cannot be switched off.",
  );
}
