/** The part of Copilot's definition that needs its SDK. */
import { withoutNetwork } from "@bridle/host-shared";
import { type Host, type HostContext, omitUndefined } from "@bridle/protocol";
import { createCopilotBackend } from "../backend.ts";
import { installedSdkVersion, pinnedCopilotSdk, sdkName } from "../boundary/versions.ts";
import { copilotFeatures } from "../features.ts";
import { checkCopilotInstallation, proveCopilotBoundary } from "./checks.ts";
import type { CopilotConfig } from "./settings-form.ts";

export const copilot: Host<CopilotConfig> = {
  create: (config, context) => createCopilotBackend(toOptions(config, context)),
  features: () => copilotFeatures,
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
  listModels: async () => ({ models: [], reason: "Copilot's runtime lists no models of a key's service" }),
  versions: () => ({ [sdkName]: installedSdkVersion(), pinnedSdk: pinnedCopilotSdk }),
  packages: () => ({ [sdkName]: installedSdkVersion() }),
  checks: { installation: checkCopilotInstallation, boundary: proveCopilotBoundary },
};

function toOptions(
  { api, wireApi, apiKey, baseUrl, contextWindow, idleTimeoutMs }: CopilotConfig,
  { environment, prices }: HostContext,
) {
  return omitUndefined({ api, wireApi, apiKey, baseUrl, contextWindow, idleTimeoutMs, environment, prices });
}
