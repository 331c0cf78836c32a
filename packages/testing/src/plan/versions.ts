import { loadHost } from "@bridle/project";
import manifest from "../../package.json" with { type: "json" };

/** The versions that a result depends on, by name. */
export async function versionsFor(backend: string): Promise<Record<string, string>> {
  const host = await loadHost({ backend });
  return { bridle: manifest.version, node: process.versions.node, ...host.packages?.() };
}
