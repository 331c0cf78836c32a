/** The part of a model API's definition that needs the AI SDK. */
import type { Host, HostConfig, ModelListing, ModelPrices } from "@bridle/protocol";
import { createModelApiBackend } from "../backend.ts";
import { listModels, modelTable } from "../models/list-models.ts";
import type { ModelApiId, ModelApiOptions } from "../settings/options.ts";
import { providerPackages } from "./provider-packages.ts";
import { rehearsedOptions } from "./rehearsed-options.ts";

/** The address for a backend that is created only to read its features. */
const nowhere = "http://127.0.0.1";

export function modelApi(id: ModelApiId): Host {
  const unreachable = rehearsedOptions(id, nowhere);
  return {
    create: (config, { prices }) => createModelApiBackend(toOptions(config, prices)),
    features: () => createModelApiBackend(unreachable).features,
    rehearsal: {
      needsFolder: false,
      keepsSessions: false,
      create: ({ url }) => createModelApiBackend(rehearsedOptions(id, url)),
    },
    async listModels(config, { prices, signal }): Promise<ModelListing> {
      const models = await listModels(toOptions(config, prices), signal);
      const isAsked = models.some(({ source }) => source === "host") || models.length === 0;
      return isAsked ? { models } : { models, reason: "Bridle reads no listing of this backend" };
    },
    packages: () => providerPackages(id),
    modelTable: () => modelTable(unreachable),
  };
}

/** Converts the keys of `llm.provider` to the backend's options. */
function toOptions({ backend, ...keys }: HostConfig, prices: ModelPrices): ModelApiOptions {
  return { id: backend, ...keys, prices } as ModelApiOptions; // the host's schema has checked the settings
}
