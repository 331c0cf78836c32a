import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { readTextFile } from "@bridle/core";
import type { Environment } from "@bridle/project";
import { ConfigError, isSecretName, type NamedSecret, systemErrorCode } from "@bridle/protocol";
import { inheritedVariables } from "../../processes/inherited-variables.ts";
import { pythonCache } from "../../processes/python-cache.ts";
import type { McpToolConfig } from "./mcp-config.ts";

/** Returns the variables of a server. `env` overrides `env_file`, which overrides inherited variables. Throws ConfigError. */
export async function serverEnvironment(
  { name, env, env_file: envFile, config }: Pick<McpToolConfig, "name" | "env" | "env_file" | "config">,
  { environment, baseDir }: { environment: Environment; baseDir: string },
): Promise<Environment> {
  return {
    ...inheritedVariables(environment),
    ...pythonCache(environment),
    ...(envFile !== undefined && (await readVariables(resolve(baseDir, envFile), name))),
    ...env,
    ...(config && { MCP_CONFIG: JSON.stringify(config) }),
  };
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

/** Returns the credentials in `env_file`. Empty if the file cannot be read, which `serverEnvironment` reports. */
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
