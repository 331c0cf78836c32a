import { parse, sep } from "node:path";

/** Names that Windows keeps for devices, whatever stands behind a dot. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;
const longestBytes = 255;

/** Why a path cannot be the folder of a project, on every system on which it may be checked out; undefined where it can. */
export function problemOfFolder(path: string): string | undefined {
  if (path.trim() === "") return "it is empty";
  const { root } = parse(path);
  const names = path
    .slice(root.length)
    .split(sep)
    .filter((name) => name !== "");
  for (const name of names) {
    const problem = name === "." || name === ".." ? undefined : problemOfName(name);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOfName(name: string): string | undefined {
  const [odd] = name.match(/[<>:"|?*\\\p{Cc}]/u) ?? [];
  if (odd !== undefined) return `${JSON.stringify(odd)} cannot stand in the name of a folder`;
  if (/[. ]$/.test(name)) return `"${name}" ends with a dot or a blank`;
  if (name.startsWith("-")) return `"${name}" begins with a dash, as an option does`;
  if (reserved.test(name)) return `"${name}" is the name of a device on Windows`;
  if (Buffer.byteLength(name) > longestBytes) return `a name has at most ${longestBytes} bytes`;
  return undefined;
}
