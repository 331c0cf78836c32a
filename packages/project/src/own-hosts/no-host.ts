import type { Host, HostDefinition } from "@bridle/protocol";
import { createNoBackend } from "./no-backend.ts";

const none: Host = {
  create: (_config, { configFile }) => createNoBackend(configFile),
  features: () => createNoBackend().features,
  listModels: async () => ({ models: [] }),
};

/** The host `none`, for a project that needs no model. */
export const noHost = {
  id: "none",
  title: "no host",
  settings: { shape: {} },
  needs: [],
  models: { default: "none", takesPrices: false },
  hasSampling: true,
  hasModels: false,
  load: async () => none,
} satisfies HostDefinition;
