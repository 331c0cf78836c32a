import { installedVersions, pinnedSdkVersion } from "@bridle/claude-code";
import type { BackendName } from "../config/provider.ts";
import { type Check, failed, passed, skipped } from "./check.ts";
import { findHostBinary } from "./host-binary.ts";

const oldestNode = [22, 18] as const;

export function checkNode(version: string = process.versions.node): Check {
  const identity = { id: "node", title: "Node.js", area: "configuration" } as const;
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isRecent = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  return isRecent
    ? passed(identity, version)
    : failed(
        identity,
        `${version} is older than ${oldestNode.join(".")}.`,
        "Install a newer one from https://nodejs.org.",
      );
}

/** The versions are read from the packages; the boundary checks the process itself at every start. */
export function checkHost(backend: BackendName, find: typeof findHostBinary = findHostBinary): Check {
  const identity = { id: "host", title: "Claude Code", area: "backend" } as const;
  if (backend !== "claude-code") return skipped(identity, `The backend ${backend} does not need it.`);
  const remedy = "Run npm install again, without --omit=optional.";
  try {
    const { sdk, claudeCode } = installedVersions();
    const versions = `Claude Code ${claudeCode}, from @anthropic-ai/claude-agent-sdk ${sdk}`;
    if (sdk !== pinnedSdkVersion) {
      const pinned = `npm install @anthropic-ai/claude-agent-sdk@${pinnedSdkVersion}`;
      return failed(
        identity,
        `${versions}; Bridle's boundary is known to hold on ${pinnedSdkVersion} only.`,
        `Run ${pinned}.`,
      );
    }
    if (find() === undefined) return failed(identity, `${versions}; its binary for this system is missing.`, remedy);
    return passed(identity, versions);
  } catch (error) {
    return failed(identity, error instanceof Error ? error.message : String(error), remedy);
  }
}
