import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { readTextFile } from "@bridle/core";
import type { Environment } from "@bridle/project";
import { ConfigError, isSecretName, type NamedSecret, systemErrorCode } from "@bridle/protocol";
import type { McpToolConfig } from "./mcp-config.ts";

/**
 * The variables of this process that a server inherits. The first line is the SDK's default on Linux and macOS, the second
 * adds the folder of temporary files and the encoding of text, the rest is needed to start programs on Windows.
 */
const inherited = [
  ...["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"],
  ...["LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TZ"],
  ...["APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES"],
  ...["SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR"],
];

/** The variables of a server. `env` overrides `env_file`, which overrides inherited variables. Throws ConfigError. */
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
  const text = await readTextFile(file).catch((cause: unknown) => {
    const code = systemErrorCode(cause);
    const problem = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    throw new ConfigError(
      `The env_file of the MCP server ${server} ${problem}: ${file}. Correct the path, or remove it.`,
      {
        field: "env_file",
        cause,
      },
    );
  });
  return parseEnv(text);
}

/** The credentials in `env_file`. None if the file cannot be read, which `serverEnvironment` reports. */
export async function readEnvFileSecrets(
  { env_file: envFile }: Pick<McpToolConfig, "env_file">,
  baseDir: string,
): Promise<readonly NamedSecret[]> {
  if (envFile === undefined) return [];
  const text = await readTextFile(resolve(baseDir, envFile)).catch(() => "");
  return Object.entries(parseEnv(text)).flatMap(([name, value = ""]) =>
    value !== "" && isSecretName(name) ? [{ name: `env_file: ${name}`, value }] : [],
  );
}
