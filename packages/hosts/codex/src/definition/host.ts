/** The part of Codex's definition that needs its package. */
import { withoutNetwork } from "@bridle/host-shared";
import { type Host, type ModelListing, omitUndefined } from "@bridle/protocol";
import { createCodexBackend } from "../backend.ts";
import { installedCodex, pinnedCodexVersion } from "../boundary/codex-binary.ts";
import { catalogModels } from "../boundary/model-catalog.ts";
import { codexFeatures } from "../features.ts";
import { bundledCatalog } from "../process/start-server.ts";
import { checkCodexInstallation, checkCodexSources, findMissingCodexLogin, proveCodexBoundaryHere } from "./checks.ts";
import type { CodexConfig } from "./settings-form.ts";

export const codex: Host<CodexConfig> = {
  create({ auth, baseUrl, idleTimeoutMs }, { environment, prices }) {
    return createCodexBackend(omitUndefined({ auth, environment, baseUrl, idleTimeoutMs, prices }));
  },
  features: () => codexFeatures,
  rehearsal: {
    needsFolder: true,
    keepsSessions: true,
    create: ({ url, environment }) =>
      createCodexBackend({
        auth: "api_key",
        baseUrl: `${url}/backend-api/codex`, // with the windows of a ChatGPT account,
        environment: { ...withoutNetwork(environment), OPENAI_API_KEY: "rehearsal" },
      }),
  },
  async listModels(): Promise<ModelListing> {
    const models = catalogModels(await bundledCatalog());
    const listed = models.map(({ id, displayName, contextWindow }) => {
      const source = "host" as const;
      const contextWindowSource = contextWindow === undefined ? undefined : source;
      return omitUndefined({ id, displayName, contextWindow, contextWindowSource, source });
    });
    return { models: listed };
  },
  versions: () => ({ codex: installedCodex().version, pinnedCodex: pinnedCodexVersion }),
  packages: () => ({ "@openai/codex": installedCodex().version }),
  checks: {
    installation: checkCodexInstallation,
    missingLogin: findMissingCodexLogin,
    implicitSources: checkCodexSources,
    boundary: proveCodexBoundaryHere,
  },
};
