import { formatPosition } from "@bridle/protocol";
import { readFeatures } from "../hosts/connect.ts";
import { findCredentials, type NamedCredential } from "../hosts/credentials.ts";
import { authField, authSentence } from "../hosts/requirements.ts";
import { hostOf } from "../registries/host-registry.ts";
import { positionOfModels, type Settings } from "../settings/settings.ts";
import { describeModels } from "../status/describe-models.ts";
import { ignoredCaching } from "../status/describe-status.ts";
import { type Check, failed, passed, skipped, warned } from "./check.ts";

export function checkBackend({ provider: { backend } }: Settings): Check {
  const identity = { id: "backend", title: "Backend", area: "configuration" } as const;
  return passed(
    identity,
    hostOf(backend).hasModels === false ? `${backend}: operations that need a model fail` : backend,
  );
}

export function checkModels(settings: Settings): Check {
  const identity = { id: "models", title: "Models", area: "configuration" } as const;
  const models = describeModels(settings);
  const { backend } = settings.provider;
  if (hostOf(backend).hasModels !== false && settings.models.default === undefined)
    return withoutDefault(identity, settings);
  const unknown = models.filter(({ known }) => !known);
  if (unknown.length === 0) return passed(identity, models.map(({ role, model }) => `${role}: ${model}`).join(", "));
  const detail = unknown
    .map(
      ({ role, model }) => `${formatRolePosition(role, settings)}${backend} knows no model "${model}" (role ${role}).`,
    )
    .join(" ");
  const near = [...new Set(unknown.flatMap(({ nearest }) => nearest))];
  const hint =
    near.length === 0
      ? `an alias such as ${hostOf(backend).models.default}, or a full id`
      : near.map((name) => `"${name}"`).join(" or ");
  return failed(identity, detail, `Write ${hint} in llm.models.`);
}

/** Reports that roles without a model have no default to use. */
function withoutDefault(identity: Parameters<typeof failed>[0], settings: Settings): Check {
  const position = positionOfModels(settings);
  const { default: model } = hostOf(settings.provider.backend).models;
  const prefix = position ? `${formatPosition(position)}: ` : "";
  return failed(
    identity,
    `${prefix}llm.models has no default. Roles that are missing in it use the default.`,
    model !== undefined
      ? `Add default: ${model}, or another model, to llm.models.`
      : `Add default to llm.models, with one of the models that "bridle models" lists.`,
  );
}

/** Formats the position of a role's model for the start of a sentence, as `file:line:column: `; empty if the file does not set it. */
function formatRolePosition(role: string, { positions }: Settings): string {
  const position = positions[`llm.models.${role}`];
  return position ? `${formatPosition(position)}: ` : "";
}

/** Checks the credentials. Shows only their names. */
export function checkCredentials(settings: Settings): Check {
  const identity = { id: "credentials", title: "Credentials", area: "configuration" } as const;
  const { present, missing, unused, typed } = findCredentials(settings);
  if (missing.length > 0) {
    const detail = missing.map((each) => missingSentence(each, settings)).join(" ");
    return failed(identity, detail, [...new Set(missing.map(({ remedy }) => remedy))].join(" "));
  }
  const { provider } = settings;
  const host = hostOf(provider.backend);
  if (host.hasModels === false && present.length === 0) return skipped(identity, "The project has no backend.");
  const words = host.withoutCredentials?.(provider);
  const found = present.map(named).join(", ") || (words ?? "none");
  const auth = host.auth ? `auth: ${host.auth.modeOf(provider)}, ` : "";
  const rest = unused.length === 0 ? "" : `; ${unused.join(" and ")} is set but not used`;
  if (present.length === 0 && typed.length === 0 && words !== undefined)
    return skipped(identity, `${auth}${found}: not checked here${rest}`); // its credentials were not examined
  if (typed.length === 0) return passed(identity, `${auth}${found}${rest}`);
  const warning = `; ${typed.join(" and ")} is in the file itself, in plain text`;
  return warned(
    identity,
    `${auth}${found}${rest}${warning}`,
    `Put it into the environment, and write \${NAME} in the file.`,
  );
}

function missingSentence({ field, variables }: NamedCredential, settings: Settings): string {
  const position = settings.positions[field];
  const prefix = position ? `${formatPosition(position)}: ` : "";
  if (field === authField) return authSentence(settings, variables);
  if (variables.length === 0) return `${prefix}${field} is missing.`;
  return `${prefix}${field} needs ${variables.join(" and ")}, which the environment does not have.`;
}

function named({ field, variables }: NamedCredential): string {
  if (field === authField) return `from ${variables.join(" and ")}`; // the text before it names the auth mode
  return variables.length === 0 ? field : `${field} from ${variables.join(" and ")}`;
}

export async function checkPromptCaching(settings: Settings): Promise<Check> {
  const identity = { id: "prompt-caching", title: "Prompt caching", area: "configuration" } as const;
  const ignored = ignoredCaching(settings.promptCaching, await readFeatures(settings));
  if (ignored.length === 0) return passed(identity, "as configured");
  const remedy = "Remove these fields from llm.promptCaching, or leave them for another backend.";
  return warned(identity, `${settings.provider.backend} ignores ${ignored.join(", ")}`, remedy);
}
