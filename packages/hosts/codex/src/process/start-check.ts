import { startBoundaryError } from "@bridle/host-shared";
import type { Setting } from "../boundary/closed-set.ts";
import { configDifferences, featureDifferences } from "../boundary/effective-config.ts";
import {
  authAnswer,
  configAnswer,
  featuresAnswer,
  hooksAnswer,
  serversAnswer,
  skillsAnswer,
} from "../messages/messages.ts";
import type { CodexAuthMode } from "../options.ts";
import type { AppServer } from "./app-server.ts";

/** The login methods that are accepted in each mode, by Codex's names. In `api_key` mode, the process has no login at all. */
export const loginMethods: Readonly<Record<CodexAuthMode, readonly (string | undefined)[]>> = {
  session: ["chatgpt", "apikey"],
  api_key: [undefined],
};

/** The login mode and the settings with which a process was started. */
export interface ExpectedStart {
  readonly auth: CodexAuthMode;
  readonly settings: readonly Setting[];
}

/**
 * Throws BoundaryError unless a started process has exactly the requested settings, and knows no server, skill, hook or plugin. The check
 * needs no network. The servers are listed last, because listing starts the configured servers (observed on 0.169.0).
 */
export async function checkStart(server: AppServer, { auth, settings }: ExpectedStart): Promise<void> {
  const cwds = [server.home.workingFolder];
  const [{ data: skills }, { data: hooks }, configuration, { data: features }, { authMethod }] = await Promise.all([
    server.request("skills/list", { cwds }, skillsAnswer),
    server.request("hooks/list", { cwds }, hooksAnswer),
    server.request("config/read", { includeLayers: true, cwd: server.home.workingFolder }, configAnswer),
    server.request("experimentalFeature/list", { limit: 1000 }, featuresAnswer),
    server.request("getAuthStatus", { includeToken: false, refreshToken: false }, authAnswer),
  ]);
  const method = authMethod ?? undefined;
  requireNone([
    ...skills.flatMap((entry) => entry.skills.map(({ name, path }) => `skill ${name ?? path} is known`)),
    ...hooks.flatMap((entry) => entry.hooks.map(() => "a hook is configured")),
    ...configDifferences(configuration, settings),
    ...featureDifferences(features, settings),
    ...(loginMethods[auth].includes(method) ? [] : [`the login is ${method ?? "none"}, not of auth: ${auth}`]),
  ]);
  const { data: servers } = await server.request("mcpServerStatus/list", { detail: "toolsAndAuthOnly" }, serversAnswer);
  requireNone(servers.map(({ name }) => `MCP server ${name} is configured`));
}

function requireNone(differences: readonly string[]): void {
  if (differences.length > 0) throw startBoundaryError("Codex", differences);
}
