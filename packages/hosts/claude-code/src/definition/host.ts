/** The part of Claude Code's definition that needs the Claude Agent SDK. */

import { withoutNetwork } from "@bridle/host-shared";
import { type Host, type ModelListing, omitUndefined } from "@bridle/protocol";
import { createClaudeCodeBackend } from "../backend.ts";
import { installedVersions, pinnedSdkVersion } from "../boundary/versions.ts";
import { listHostModels } from "../probes/list-models.ts";
import { hasOwnNames, modelAliases } from "../settings/model-names.ts";
import { hostToolInputs } from "../tools/host-tool-inputs.ts";
import { checkClaudeInstallation, checkClaudeSources, findMissingClaudeLogin, proveBoundaryHere } from "./checks.ts";
import type { ClaudeCodeConfig } from "./settings-form.ts";

export const claudeCode: Host<ClaudeCodeConfig> = {
  create({ auth, baseUrl, idleTimeoutMs, pool }, { environment }) {
    return createClaudeCodeBackend(omitUndefined({ auth, environment, baseUrl, idleTimeoutMs, pool }));
  },
  features: ({ auth }, { environment }) => createClaudeCodeBackend({ auth, environment }).features,
  rehearsal: {
    needsFolder: true,
    keepsSessions: true,
    create: ({ url, folder, environment, config }) =>
      createClaudeCodeBackend({
        auth: "api_key",
        ownModelNames: hasOwnNames(config),
        environment: { ...withoutNetwork(environment), ANTHROPIC_API_KEY: "rehearsal" },
        baseUrl: url,
        configDir: folder,
        pool: { maxProcesses: 1 },
      }),
  },
  async listModels({ auth, baseUrl }, { environment, signal }): Promise<ModelListing> {
    const named = await listHostModels(omitUndefined({ auth, environment, baseUrl }), signal);
    const ids = [...new Set(named.map(({ id, resolvesTo }) => resolvesTo ?? id))];
    const aliases = named.flatMap(({ id, resolvesTo }) =>
      resolvesTo !== undefined && modelAliases.some((alias) => alias === id) ? [[id, resolvesTo] as const] : [],
    );
    return { models: ids.map((id) => ({ id, source: "host" })), aliases: Object.fromEntries(aliases) };
  },
  builtinInputs: hostToolInputs,
  versions: () => ({ ...installedVersions(), pinnedSdk: pinnedSdkVersion }),
  packages() {
    const { sdk, claudeCode: program } = installedVersions();
    return { "claude-code": program, "@anthropic-ai/claude-agent-sdk": sdk };
  },
  describe: ({ pool = {} }) => ({ pool: pool && omitUndefined(pool) }),
  checks: {
    installation: checkClaudeInstallation,
    missingLogin: findMissingClaudeLogin,
    implicitSources: checkClaudeSources,
    boundary: proveBoundaryHere,
  },
};
