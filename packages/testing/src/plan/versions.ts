import { installedVersions } from "@bridle/project";
import manifest from "../../package.json" with { type: "json" };

/** The versions that a result depends on, by name. */
export function versionsFor(backend: string): Record<string, string> {
  return { bridle: manifest.version, node: process.versions.node, ...(backend === "claude-code" && hostVersions()) };
}

function hostVersions(): Record<string, string> {
  const { sdk, claudeCode } = installedVersions();
  return { "claude-code": claudeCode, "@anthropic-ai/claude-agent-sdk": sdk };
}
