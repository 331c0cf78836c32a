import type { ServeProtocol } from "@bridle/app/serving";
import type { Logger } from "@bridle/protocol";
import { createApiRoutes } from "../api/routes.ts";
import type { Api } from "../http/api.ts";
import { openApiRoute } from "../openapi/openapi-route.ts";
import { streamRoutes } from "../streams/stream-routes.ts";

/** The APIs of protocols. Each is loaded only if it is served. */
const protocolApis: Readonly<Record<ServeProtocol, (effects: ApiEffects, place: ServedPlace) => Promise<Api>>> = {
  "ag-ui": async () => (await import("../protocols/ag-ui/ag-ui-routes.ts")).agUiApi,
  "ai-sdk": async () => (await import("../protocols/ai-sdk/chat-routes.ts")).aiSdkApi,
  a2a: async (effects, { version }) =>
    (await import("../protocols/a2a/a2a-api.ts")).createA2aApi({ version, ...effects }),
  openai: async (_, { showsReasoning = false }) =>
    (await import("../protocols/openai/openai-api.ts")).openAiApi({ showsReasoning }),
  mcp: async (effects) => (await import("../protocols/mcp/mcp-api.ts")).createMcpApi(effects),
};

interface ServedPlace {
  readonly version: string;
  /** The prefix of every path. */
  readonly basePath: string;
  /** The setting `serve.reasoning`: whether the model's reasoning is sent. */
  readonly showsReasoning?: boolean;
}

interface ApiEffects {
  readonly logger: Logger;
}

/** Opens the APIs of a server: Bridle's own, and those of `serve.protocols`. */
export async function openApis(
  protocols: readonly ServeProtocol[],
  place: ServedPlace,
  effects: ApiEffects,
): Promise<readonly Api[]> {
  const others = await Promise.all(protocols.map((id) => protocolApis[id](effects, place)));
  return [nativeApi(place), ...others];
}

/** Returns Bridle's own API, with its OpenAPI document. */
export function nativeApi({ version, basePath }: ServedPlace): Api {
  const routes = [...createApiRoutes(), ...streamRoutes];
  const base = "/api/v1";
  return { id: "native", base, routes: [...routes, openApiRoute({ routes, base: basePath + base, version })] };
}
