import { loadHost } from "@bridle/project";
import manifest from "../../package.json" with { type: "json" };

/** The versions that a result on these backends, of the agent and of judges, depends on, by name. */
export async function versionsFor(backends: readonly string[]): Promise<Record<string, string>> {
  const hosts = await Promise.all([...new Set(backends)].map((backend) => loadHost({ backend })));
  const packages = hosts.map((host) => host.packages?.() ?? {});
  return Object.assign({ bridle: manifest.version, node: process.versions.node }, ...packages);
}
