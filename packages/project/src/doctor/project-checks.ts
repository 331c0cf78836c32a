import { findImplicitSources } from "@bridle/claude-code";
import { formatPosition } from "@bridle/protocol";
import { featuresOf } from "../backends.ts";
import { hasClaude } from "../config/provider.ts";
import { findCredentials, type NamedCredential } from "../credentials.ts";
import { positionOfModels, type Settings } from "../settings/settings.ts";
import { describeModels } from "../status/describe-models.ts";
import { ignoredCaching } from "../status/describe-status.ts";
import { type Check, failed, passed, skipped, warned } from "./check.ts";

export function checkBackend({ provider: { backend } }: Settings): Check {
  const identity = { id: "backend", title: "Backend", area: "configuration" } as const;
  return passed(identity, backend === "none" ? "none: operations that need a model fail" : backend);
}

export function checkModels(settings: Settings): Check {
  const identity = { id: "models", title: "Models", area: "configuration" } as const;
  const models = describeModels(settings);
  const { backend } = settings.provider;
  if (backend !== "none" && settings.models.default === undefined) return withoutDefault(identity, settings);
  const unknown = models.filter(({ known }) => !known);
  if (unknown.length === 0) return passed(identity, models.map(({ role, model }) => `${role}: ${model}`).join(", "));
  const detail = unknown
    .map(({ role, model }) => `${placeOf(role, settings)}${backend} knows no model "${model}" (role ${role}).`)
    .join(" ");
  const near = [...new Set(unknown.flatMap(({ nearest }) => nearest))];
  const hint =
    near.length === 0 ? "an alias such as sonnet, or a full id" : near.map((name) => `"${name}"`).join(" or ");
  return failed(identity, detail, `Write ${hint} in llm.models.`);
}

/** What a run of a role that is not bound would meet. */
function withoutDefault(identity: Parameters<typeof failed>[0], settings: Settings): Check {
  const position = positionOfModels(settings);
  const place = position ? `${formatPosition(position)}: ` : "";
  return failed(
    identity,
    `${place}llm.models has no default, which every role without a model of its own uses.`,
    hasClaude(settings.provider)
      ? "Add default: sonnet, or another model, to llm.models."
      : `Add default to llm.models, with one of the models that "bridle models" lists.`,
  );
}

/** The start of a sentence about a model that the file sets. */
function placeOf(role: string, { positions }: Settings): string {
  const position = positions[`llm.models.${role}`];
  return position ? `${formatPosition(position)}: ` : "";
}

/** Credentials by name only. */
export function checkCredentials(settings: Settings): Check {
  const identity = { id: "credentials", title: "Credentials", area: "configuration" } as const;
  const { present, missing, unused, typed } = findCredentials(settings);
  if (missing.length > 0) {
    const detail = missing.map((each) => missingSentence(each, settings)).join(" ");
    return failed(identity, detail, [...new Set(missing.map(({ remedy }) => remedy))].join(" "));
  }
  const { provider } = settings;
  if (provider.backend === "none" && present.length === 0) return skipped(identity, "The project has no backend.");
  const found = present.map(named).join(", ") || withoutAny(settings);
  const auth = provider.backend === "claude-code" ? `auth: ${provider.auth}, ` : "";
  const rest = unused.length === 0 ? "" : `; ${unused.join(" and ")} is set and will not be used`;
  if (typed.length === 0) return passed(identity, `${auth}${found}${rest}`);
  const warning = `; ${typed.join(" and ")} stands in the file itself, for everyone who reads it`;
  return warned(
    identity,
    `${auth}${found}${rest}${warning}`,
    `Put it into the environment, and write \${NAME} in the file.`,
  );
}

function missingSentence({ field, variables }: NamedCredential, { provider, positions }: Settings): string {
  const position = positions[field];
  const place = position ? `${formatPosition(position)}: ` : "";
  if (field === "llm.provider.auth" && provider.backend === "claude-code") {
    return `auth: ${provider.auth} needs ${variables.join(" and ")}, which the environment does not have.`;
  }
  if (variables.length === 0) return `${place}${field} is missing.`;
  return `${place}${field} needs ${variables.join(" and ")}, which the environment does not have.`;
}

function withoutAny({ provider }: Settings): string {
  if (provider.backend === "openai-compatible") return "none, and the server may want none";
  return "the login of Claude Code itself";
}

function named({ field, variables }: NamedCredential): string {
  if (field === "llm.provider.auth") return `from ${variables.join(" and ")}`; // the auth mode stands before it
  return variables.length === 0 ? field : `${field} from ${variables.join(" and ")}`;
}

export async function checkPromptCaching(settings: Settings): Promise<Check> {
  const identity = { id: "prompt-caching", title: "Prompt caching", area: "configuration" } as const;
  const ignored = ignoredCaching(settings.promptCaching, await featuresOf(settings));
  if (ignored.length === 0) return passed(identity, "as configured");
  const remedy = "Remove these fields from llm.promptCaching, or leave them for another backend.";
  return warned(identity, `${settings.provider.backend} ignores ${ignored.join(", ")}`, remedy);
}

/** What the machine and the project bring along, and whether the boundary keeps it out. */
export async function checkImplicitSources({ provider, projectDir, environment }: Settings): Promise<Check> {
  const identity = { id: "implicit-sources", title: "Implicit sources", area: "backend" } as const;
  if (provider.backend !== "claude-code") return skipped(identity, "Only Claude Code brings any along.");
  const sources = await findImplicitSources({ projectDir, environment, auth: provider.auth });
  const managed = sources.filter(({ kind }) => kind.startsWith("managed-"));
  const kept = sources.filter(({ inForce }) => !inForce).map(({ path }) => path);
  const keptOut = kept.length === 0 ? "nothing to keep out" : `kept out: ${kept.join(", ")}`;
  if (managed.length === 0) return passed(identity, `no managed policy; ${keptOut}`);
  const inForce = `managed policy applies to every run: ${managed.map(({ path }) => path).join(", ")}`;
  return warned(
    identity,
    `${inForce}; ${keptOut}`,
    "Managed policy is the administrator's to change, and cannot be switched off.",
  );
}
