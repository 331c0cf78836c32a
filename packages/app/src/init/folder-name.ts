import { parse, sep } from "node:path";

/** Names that Windows reserves for devices, with any extension. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;
const maxBytes = 255;

/** Returns why a path cannot be a project folder on all systems where the project may be checked out, or `undefined` if it can. */
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
  if (odd !== undefined) return `${JSON.stringify(odd)} is not allowed in the name of a folder`;
  if (/[. ]$/.test(name)) return `"${name}" ends with a dot or a space`;
  if (name.startsWith("-")) return `"${name}" starts with a dash, like an option`;
  if (reserved.test(name)) return `"${name}" is the name of a device on Windows`;
  if (Buffer.byteLength(name) > maxBytes) return `a name has at most ${maxBytes} bytes`;
  return undefined;
}
