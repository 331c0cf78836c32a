import type { ServeProtocol } from "@bridle/app/serving";
import { createApiRoutes } from "../api/routes.ts";
import type { Api } from "../http/api.ts";
import { openApiRoute } from "../openapi/openapi-route.ts";
import { streamRoutes } from "../streams/stream-routes.ts";

/** Each is loaded only if it is served. */
const protocolApis: Readonly<Partial<Record<ServeProtocol, () => Promise<Api>>>> = {
  "ag-ui": async () => (await import("../protocols/ag-ui/ag-ui-routes.ts")).agUiApi,
  "ai-sdk": async () => (await import("../protocols/ai-sdk/chat-routes.ts")).aiSdkApi,
  openai: async () => (await import("../protocols/openai/openai-api.ts")).openAiApi(),
};

/** The APIs of a server: Bridle's own, and those of `serve.protocols`. */
export async function openApis(protocols: readonly ServeProtocol[], version: string): Promise<readonly Api[]> {
  const others = await Promise.all(protocols.flatMap((id) => protocolApis[id]?.() ?? []));
  return [nativeApi(version), ...others];
}

/** Bridle's own API, with its description. */
export function nativeApi(version: string): Api {
  const routes = [...createApiRoutes(), ...streamRoutes];
  const base = "/api/v1";
  return { id: "native", base, routes: [...routes, openApiRoute({ routes, base, version })] };
}
