import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import type { Environment } from "@bridle/project";
import { ConfigError } from "@bridle/protocol";
import type { McpToolConfig } from "./mcp-config.ts";

/**
 * What a program needs to start and to find its files; nothing else of ours reaches a server. The first line is the
 * SDK's own default set on Linux and macOS, the second adds where temporary files go and how text is read, the rest is
 * what programs on Windows do not start without.
 */
const inherited = [
  ...["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"],
  ...["LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ"],
  ...["APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES"],
  ...["SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR"],
];

/** The variables of a server: what it needs to start, those of `env_file`, those of `env`. Throws ConfigError. */
export async function serverEnvironment(
  { name, env, env_file: envFile, config }: Pick<McpToolConfig, "name" | "env" | "env_file" | "config">,
  { environment, baseDir }: { environment: Environment; baseDir: string },
): Promise<Environment> {
  return {
    ...pick(environment, inherited),
    ...(envFile !== undefined && (await readVariables(resolve(baseDir, envFile), name))),
    ...env,
    ...(config && { MCP_CONFIG: JSON.stringify(config) }),
  };
}

function pick(environment: Environment, names: readonly string[]): Environment {
  return Object.fromEntries(
    names.flatMap((name) => (Object.hasOwn(environment, name) ? [[name, environment[name]]] : [])),
  );
}

async function readVariables(file: string, server: string): Promise<Environment> {
  const text = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === "ENOENT" ? "does not exist" : `cannot be read (${cause.code})`;
    throw new ConfigError(`The env_file of the MCP server ${server} ${why}: ${file}. Mend the path, or remove it.`, {
      field: "env_file",
      cause,
    });
  });
  return parseEnv(text);
}
