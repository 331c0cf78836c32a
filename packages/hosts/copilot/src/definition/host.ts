/** The part of Copilot's definition that needs its SDK. */
import { withoutNetwork } from "@bridle/host-shared";
import { type Host, type HostContext, type ModelListing, omitUndefined } from "@bridle/protocol";
import { CopilotBackend, createCopilotBackend } from "../backend.ts";
import { installedSdkVersion, pinnedCopilotSdk, sdkName } from "../boundary/versions.ts";
import { featuresFor } from "../features.ts";
import { checkCopilotInstallation, proveCopilotBoundary } from "./checks.ts";
import type { CopilotConfig } from "./settings-form.ts";

export const copilot: Host<CopilotConfig> = {
  create: (config, context) => createCopilotBackend(toOptions(config, context)),
  features: ({ auth }) => featuresFor(auth),
  rehearsal: {
    needsFolder: false,
    keepsSessions: false,
    create: ({ url, environment }) =>
      createCopilotBackend({
        environment: withoutNetwork(environment),
        baseUrl: `${url}/v1`,
        apiKey: "no-key-in-a-rehearsal",
      }),
  },
  listModels: async (config, context) => await listModels(new CopilotBackend(toOptions(config, context))),
  versions: () => ({ [sdkName]: installedSdkVersion(), pinnedSdk: pinnedCopilotSdk }),
  packages: () => ({ [sdkName]: installedSdkVersion() }),
  checks: { installation: checkCopilotInstallation, boundary: proveCopilotBoundary },
};

/** Lists the models that a login's plan includes. */
async function listModels(backend: CopilotBackend): Promise<ModelListing> {
  try {
    const found = await backend.listModels();
    if (!found) return { models: [], reason: "Copilot's runtime lists no models of a key's service" };
    const source = "host" as const;
    const models = found
      .filter(({ isOff }) => !isOff)
      .map(({ id, displayName, contextWindow }) => {
        const contextWindowSource = contextWindow === undefined ? undefined : source;
        return omitUndefined({ id, displayName, contextWindow, contextWindowSource, source });
      });
    return { models };
  } finally {
    await backend.close();
  }
}

function toOptions(
  { auth, gitHubToken, gitHubHost, api, wireApi, apiKey, baseUrl, contextWindow, idleTimeoutMs }: CopilotConfig,
  { environment, prices }: HostContext,
) {
  const common = { auth, contextWindow, idleTimeoutMs, environment, prices };
  const own = auth === "session" ? { gitHubToken, gitHubHost } : { api, wireApi, apiKey, baseUrl };
  return omitUndefined({ ...common, ...own });
}
