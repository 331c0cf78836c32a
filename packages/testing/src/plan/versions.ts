import { loadHost } from "@bridle/project";
import manifest from "../../package.json" with { type: "json" };

/** Returns the versions that affect results on these backends, of the agent and of judges, by name. */
export async function versionsFor(backends: readonly string[]): Promise<Record<string, string>> {
  const hosts = await Promise.all([...new Set(backends)].map((backend) => loadHost({ backend })));
  const packages = hosts.map((host) => host.packages?.() ?? {});
  return Object.assign({ bridle: manifest.version, node: process.versions.node }, ...packages);
}
