import { startBoundaryError } from "@bridle/host-shared";
import { authAnswer, configAnswer, hooksAnswer, serversAnswer, skillsAnswer } from "../messages/messages.ts";
import type { CodexAuthMode } from "../options.ts";
import type { AppServer } from "../process/app-server.ts";

/** What a login may be, in Codex's words. With `api_key`, the process has no login at all. */
const loginMethods: Readonly<Record<CodexAuthMode, readonly (string | undefined)[]>> = {
  session: ["chatgpt", "apikey"],
  api_key: [undefined],
};

/** Throws BoundaryError unless a started process knows of no setting, server, skill or hook. It asks without a network. */
export async function checkStart(server: AppServer, auth: CodexAuthMode): Promise<void> {
  const cwds = [server.home.workingFolder];
  const [{ data: servers }, { data: skills }, { data: hooks }, { layers }, { authMethod }] = await Promise.all([
    server.request("mcpServerStatus/list", { detail: "toolsAndAuthOnly" }, serversAnswer),
    server.request("skills/list", { cwds }, skillsAnswer),
    server.request("hooks/list", { cwds }, hooksAnswer),
    server.request("config/read", { includeLayers: true, cwd: server.home.workingFolder }, configAnswer),
    server.request("getAuthStatus", { includeToken: false, refreshToken: false }, authAnswer),
  ]);
  const method = authMethod ?? undefined;
  const differences = [
    ...servers.map(({ name }) => `MCP server ${name} is configured`),
    ...skills.flatMap((entry) => entry.skills.map(({ name, path }) => `skill ${name ?? path} is known`)),
    ...hooks.flatMap((entry) => entry.hooks.map(() => "a hook is configured")),
    ...(layers ?? []).filter(isForeign).map(({ name }) => `settings of the layer ${name.type} are in effect`),
    ...(loginMethods[auth].includes(method) ? [] : [`the login is ${method ?? "none"}, not of auth: ${auth}`]),
  ];
  if (differences.length > 0) throw startBoundaryError("Codex", differences);
}

/** The administrator's layers cannot be kept out: the event log names them. Others are empty or ours. */
function isForeign({ name, config }: { name: { type: string }; config: unknown }): boolean {
  if (
    [
      "sessionFlags",
      "mdm",
      "system",
      "legacyManagedConfigTomlFromFile",
      "legacyManagedConfigTomlFromMdm",
      "enterpriseManaged",
    ].includes(name.type)
  )
    return false;
  return typeof config === "object" && config !== null && Object.keys(config).length > 0;
}
