import type { Environment } from "@bridle/project";

/**
 * The variables of this process that a program inherits. The first line is the MCP SDK's default on Linux and macOS, the second adds the
 * temporary folder and the text encoding, and the others are needed to start programs on Windows.
 */
const inherited = [
  "HOME",
  "LOGNAME",
  "PATH",
  "SHELL",
  "TERM",
  "USER",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "TMPDIR",
  "TZ",
  "APPDATA",
  "COMSPEC",
  "HOMEDRIVE",
  "HOMEPATH",
  "LOCALAPPDATA",
  "PATHEXT",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "TEMP",
  "TMP",
  "USERNAME",
  "USERPROFILE",
  "WINDIR",
];

/** Returns the variables that every program needs to start, without credentials. */
export function inheritedVariables(environment: Environment): Environment {
  return Object.fromEntries(
    inherited.flatMap((name) => (Object.hasOwn(environment, name) ? [[name, environment[name]]] : [])),
  );
}
