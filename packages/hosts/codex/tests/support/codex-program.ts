/** Writes a program that starts the real Codex, but not exactly as Bridle requests. Tests replace the installed program with it. */
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { installedCodex } from "../../src/boundary/codex-binary.ts";

export interface ProgramChange {
  /** Arguments to replace, by their whole text. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** Variables to set. */
  readonly variables?: Readonly<Record<string, string>>;
  /** A folder that only this Codex sees as `/etc`. Linux only. */
  readonly etc?: string;
}

/** Writes the program into the folder, and returns its path. */
export async function writeCodexProgram(folder: string, change: ProgramChange): Promise<string> {
  const path = join(folder, "codex");
  const cases = Object.entries(change.arguments ?? {}).map(([from, to]) => `    '${from}') arg='${to}' ;;`);
  const lines = [
    "#!/bin/sh",
    "count=$#",
    'for arg in "$@"; do',
    '  case "$arg" in',
    ...cases,
    "    *) ;;",
    "  esac",
    '  set -- "$@" "$arg"',
    "done",
    "shift $count",
    ...Object.entries(change.variables ?? {}).map(([name, value]) => `export ${name}='${value}'`),
    ...(change.etc === undefined ? [] : ["export PATH=/usr/sbin:/usr/bin:/sbin:/bin"]), // the process gets no search path
    `exec ${mountOf(change)}'${installedCodex().binary}' "$@"`,
  ];
  await writeFile(path, `${lines.join("\n")}\n`);
  await chmod(path, 0o755);
  return path;
}

/** Returns a command that mounts the folder. A separate namespace needs no special permissions. */
function mountOf({ etc }: ProgramChange): string {
  if (etc === undefined) return "";
  const mount = 'PATH=/usr/bin:/bin mount --bind "$0" /etc && exec "$@"'; // the process may get an empty PATH
  return `/usr/bin/env PATH="$PATH" /usr/bin/unshare --map-root-user --mount /bin/sh -c '${mount}' '${etc}' `;
}
