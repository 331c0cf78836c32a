import { type Check, failed, passed } from "./check.ts";

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
