/** API keys that an agent file leaves out, as HoloDeck files do: they come from the provider's usual variable. */
import { type AssumedKey, embedderDefinition, isReachedByProject, type Project, type Settings } from "@bridle/project";
import { type FolderEffect, formatPosition, type UsualKey } from "@bridle/protocol";
import { findModelForm } from "../config/model.ts";
import type { AgentConfig } from "../config/schema.ts";
import type { AgentDefinition } from "./agent-definition.ts";
import { agentEmbeddings } from "./agent-embeddings.ts";
import { backendOf, modelProvider } from "./agent-model.ts";
import { namedModels } from "./named-models.ts";

/** Returns a sentence for each variable whose key is used although the file does not name the variable. */
export function assumedKeyWarnings(definition: AgentDefinition, project: Project): string[] {
  const configured = project.asConfigured();
  const ofOthers = namedModels(definition.config)
    .filter(({ field }) => field !== "model")
    .map(({ field, model }) => {
      const provider = modelProvider(definition, model, field);
      return configured.with({ provider }).settings.assumedKey;
    });
  const ofEmbeddings = project.assumedKeyOf(agentEmbeddings(definition));
  const used = [project.settings.assumedKey, ...ofOthers, ofEmbeddings].filter((key) => key !== undefined);
  return [...Map.groupBy(used, ({ variable }) => variable)].map(([variable, keys]) => describe(variable, keys));
}

function describe(variable: string, keys: readonly AssumedKey[]): string {
  const [first] = keys;
  const position = first === undefined ? "" : `${formatPosition(first.position)}: `;
  const holders = [...new Set(keys.map(({ holder }) => holder))].join(" and ");
  return `${position}the key for ${holders} is ${variable} of the environment, as in HoloDeck. To name it in the file, write api_key: \${${variable}}.`;
}

/** Returns the variables that the file would use, whether or not they are set: trust in a file does not depend on that. */
export function usualKeyEffects(config: AgentConfig, settings: Pick<Settings, "provider" | "absent">): FolderEffect[] {
  const ofModels = namedModels(config).flatMap(({ field, model }) => {
    if (isReachedByProject(settings, backendOf(model).backend)) return [];
    return keyEffects(findModelForm(model).usualKey, { field, given: model });
  });
  const { embedding_provider: embeddings } = config;
  if (embeddings === undefined) return ofModels;
  const { usualKey } = embedderDefinition(embeddings.provider).agent ?? {};
  return [...ofModels, ...keyEffects(usualKey, { field: "embedding_provider", given: embeddings })];
}

interface Holder {
  readonly field: string;
  readonly given: { readonly [key: string]: unknown };
}

function keyEffects(usualKey: UsualKey | undefined, { field, given }: Holder): FolderEffect[] {
  if (usualKey === undefined || given.api_key !== undefined) return [];
  if (given.endpoint !== undefined && !usualKey.isForAddress) return [];
  const subject = `the variable ${usualKey.variable}`;
  return [{ kind: "reads", subject, field: `${field}.api_key`, content: subject }];
}
