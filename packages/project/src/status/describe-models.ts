import { nearest } from "@bridle/protocol";
import { hostOf } from "../registries/host-registry.ts";
import type { Settings } from "../settings/settings.ts";
import type { Status } from "./status-schema.ts";

/** Describes the roles and their models. A model from the environment appears as the reference in the file. */
export function describeModels({ models, written, provider }: Settings): Status["models"] {
  const { models: names } = hostOf(provider.backend);
  return Object.entries(models).map(([role, model]) => {
    const shown = written[`llm.models.${role}`];
    const known = names.refusal?.(model, provider) === undefined;
    const near = known || shown !== undefined ? [] : nearest(model, names.aliases ?? []);
    return { role, model: shown ?? model, known, nearest: near };
  });
}
