import { requireIdleTimeout } from "@bridle/host-shared";
import { closedSettings, patchSettings, type Setting, toArguments } from "../boundary/closed-set.ts";
import { requirePinnedCodex } from "../boundary/codex-binary.ts";
import { closeCatalog, type ModelCatalog, readBundledCatalog } from "../boundary/model-catalog.ts";
import { opensPatches } from "../boundary/opened-tools.ts";
import { codexEnvironment, keyVariable } from "../environment/environment.ts";
import { withoutPrograms } from "../environment/without-programs.ts";
import type { DatabaseFiles } from "../home/empty-databases.ts";
import { createPrivateHome, requireLogin } from "../home/private-home.ts";
import type { ResolvedCodexOptions } from "../options.ts";
import { AppServer } from "./app-server.ts";
import { checkStart } from "./start-check.ts";

const defaultMaxRetries = 4;
const openaiAddress = "https://api.openai.com/v1";
let bundled: Promise<ModelCatalog> | undefined;

/** Returns the catalog of the installed Codex, which is read once. */
export function bundledCatalog(): Promise<ModelCatalog> {
  bundled ??= readBundledCatalog(requirePinnedCodex().binary).catch((error: unknown) => {
    bundled = undefined;
    throw error;
  });
  return bundled;
}

/** The name, in Codex's settings, of the provider that requests are sent to. */
export const providerName = "bridle";

export function retriesOf({ maxRetries = defaultMaxRetries }: ResolvedCodexOptions): number {
  return maxRetries;
}

/** Returns the catalog for a process, as text. */
export async function closedCatalog(opened: readonly string[] = []): Promise<string> {
  return JSON.stringify(closeCatalog(await bundledCatalog(), opened));
}

/**
 * Starts a process with the boundary's settings, and checks that it started correctly. No other module starts Codex for conversations. The
 * check's requests are sent at once, and Codex answers them in order.
 */
export async function startAppServer(
  options: ResolvedCodexOptions,
  opened: readonly string[],
  databases?: DatabaseFiles,
): Promise<AppServer> {
  const { binary } = requirePinnedCodex();
  const variables = codexEnvironment(options);
  const timeLimitMs = requireIdleTimeout(options.idleTimeoutMs);
  const loginFile = options.auth === "session" ? await requireLogin(options.environment) : undefined;
  const catalog = await closedCatalog(opened);
  const patchBinary = opensPatches({ builtins: opened }) ? binary : undefined;
  const home = createPrivateHome(options.environment, loginFile, { catalog, patchBinary, databases });
  const settings = processSettings(options, opened, home.catalogFile);
  const environment = withoutPrograms(variables, opened, home);
  const server = new AppServer({ command: binary, args: toArguments(settings), environment, home, timeLimitMs });
  try {
    await Promise.all([server.initialize(), checkStart(server, { auth: options.auth, settings })]);
    return server;
  } catch (error) {
    await server.close(0);
    throw error;
  }
}

/** Returns all settings of a process. */
export function processSettings(
  options: ResolvedCodexOptions,
  opened: readonly string[],
  catalogFile: string,
): Setting[] {
  return [["model_catalog_json", catalogFile], ...toolSettings(opened), ...providerSettings(options)];
}

function toolSettings(opened: readonly string[]): Setting[] {
  return [...closedSettings(), ...(opensPatches({ builtins: opened }) ? patchSettings : [])];
}

function providerSettings(options: ResolvedCodexOptions): Setting[] {
  const retries = retriesOf(options);
  const payer =
    options.auth === "session"
      ? { requires_openai_auth: true } // the login determines the address
      : { base_url: options.baseUrl ?? openaiAddress, env_key: keyVariable };
  const provider = {
    name: providerName,
    ...payer,
    wire_api: "responses",
    supports_websockets: false, // otherwise each conversation on a login first tries a web socket
    request_max_retries: retries,
    stream_max_retries: retries,
    stream_idle_timeout_ms: 2 * requireIdleTimeout(options.idleTimeoutMs), // so that Codex does not repeat the request to a silent service
  };
  return [
    ["model_provider", providerName],
    [`model_providers.${providerName}`, provider],
  ];
}
