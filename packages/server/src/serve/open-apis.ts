import type { ProjectContext } from "@bridle/app";
import type { ServeProtocol } from "@bridle/app/serving";
import type { Api } from "../http/api.ts";

/** The APIs of a server: Bridle's own, and those of `serve.protocols`. Each is loaded only if it is served. */
export async function openApis(protocols: readonly ServeProtocol[], _context: ProjectContext): Promise<readonly Api[]> {
  return [
    { id: "native", base: "/api/v1", routes: [] },
    ...protocols.map((id) => ({ id, base: `/${id}`, routes: [] })),
  ];
}
