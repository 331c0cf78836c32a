import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import type { EnvironmentValue } from "@bridle/project";
import type { AgentConfig } from "../config/schema.ts";
import { isCredential } from "./sensitive-fields.ts";

/** The credentials in files of variables for servers: what a server repeats of them gets onto no record. */
export async function envFileValues({ tools = [] }: AgentConfig, baseDir: string): Promise<EnvironmentValue[]> {
  const read = tools.map(async (tool, index) => {
    if (tool.type !== "mcp" || tool.env_file === undefined) return [];
    const text = await readFile(resolve(baseDir, tool.env_file), "utf8").catch(() => ""); // whoever opens the server says so
    return Object.entries(parseEnv(text)).flatMap(([name, value = ""]) =>
      value !== "" && isCredential(["env", name]) ? [{ value, shown: `(tools.${index}.env_file: ${name})` }] : [],
    );
  });
  return (await Promise.all(read)).flat();
}
