import { readFileSync } from "node:fs";
import type { ModelApiId } from "../settings/options.ts";

/** The AI SDK package of each backend. */
const packageNames: Readonly<Record<ModelApiId, string>> = {
  anthropic: "@ai-sdk/anthropic",
  openai: "@ai-sdk/openai",
  "openai-compatible": "@ai-sdk/openai-compatible",
  gateway: "@ai-sdk/gateway",
  vertex: "@ai-sdk/google-vertex",
  bedrock: "@ai-sdk/amazon-bedrock",
};

/** Returns the installed version of the backend's package, by the package's name; empty if it is not installed. */
export function providerPackages(id: ModelApiId): Readonly<Record<string, string>> {
  const name = packageNames[id];
  const version = versionOf(name);
  return version === undefined ? {} : { [name]: version };
}

function versionOf(name: string): string | undefined {
  try {
    return readVersion(name, new URL(import.meta.resolve(name)));
  } catch {
    return undefined; // the backend's first request reports which package to install
  }
}

/** Reads a package's version. Its module may be in a subfolder, which may have a manifest without a name. */
function readVersion(name: string, from: URL): string | undefined {
  for (let folder = new URL(".", from); folder.pathname !== "/"; folder = new URL("..", folder)) {
    const manifest = readManifest(new URL("package.json", folder));
    if (manifest?.name === name) return manifest.version;
  }
  return undefined;
}

function readManifest(url: URL): { name?: string; version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(url, "utf8"));
  } catch {
    return undefined;
  }
}
