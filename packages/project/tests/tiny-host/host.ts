import type { Host, HostConfig } from "@bridle/protocol";
import { createTinyBackend, tinyFeatures } from "./backend.ts";

export const tiny: Host = {
  create: ({ token, baseUrl }: HostConfig) =>
    createTinyBackend({ url: String(baseUrl ?? "https://tiny.example"), token: String(token) }),
  features: () => tinyFeatures,
  rehearsal: {
    needsFolder: false,
    keepsSessions: false,
    create: ({ url }) => createTinyBackend({ url, token: "rehearsal" }),
  },
  listModels: async () => ({ models: [{ id: "tiny-1", source: "host" }] }),
  versions: () => ({ tiny: "1.2.3" }),
  checks: { installation: () => ({ ok: true, detail: "tiny 1.2.3" }) },
};
