import { join } from "node:path";
import { agentJsonSchema } from "@bridle/agent";
import { readTextFile } from "@bridle/core";
import { configJsonSchema, type Environment } from "@bridle/project";
import { ConfigError, systemErrorCode } from "@bridle/protocol";
import { bridleYaml, type ChosenProvider } from "./bridle-yaml.ts";
import { type NewProjectFile, readTemplate, renameAgent, type TemplateName } from "./templates.ts";

export interface Wanted extends ChosenProvider {
  readonly template: TemplateName;
  /** The agent's name. Default: the template's. */
  readonly agent: string | undefined;
  /** The address of Ollama. */
  readonly ollama: string;
}

/** All files of a new project. The folder may contain some of them already. */
export async function projectFiles(
  wanted: Wanted,
  target: { readonly folder: string; readonly packageRoot: string; readonly environment: Environment },
): Promise<readonly NewProjectFile[]> {
  const template = await readTemplate(wanted.template, target.packageRoot);
  return [
    { name: "bridle.yaml", text: bridleYaml(wanted, target.environment, wanted.ollama) },
    ...template.map((file) => renameAgent(file, wanted.agent)),
    ...(await createSharedFiles(target.folder)),
    ...createSchemaFiles(),
  ];
}

/** Files that the folder may contain already. They are kept, and only missing parts are added. */
async function createSharedFiles(folder: string): Promise<readonly NewProjectFile[]> {
  const [gitignore, packageJson] = await Promise.all([
    readIfExists(folder, ".gitignore"),
    readIfExists(folder, "package.json"),
  ]);
  return [
    { name: ".gitignore", text: withLine(gitignore ?? "", ".bridle/"), mayReplace: true },
    ...(packageJson === undefined ? [{ name: "package.json", text: manifest }] : []),
  ];
}

/** The schemas of the YAML files for editors, in the folder that git ignores. */
function createSchemaFiles(): readonly NewProjectFile[] {
  const schemas = { "agent.schema.json": agentJsonSchema(), "bridle.schema.json": configJsonSchema() };
  return Object.entries(schemas).map(([name, schema]) => ({
    name: `.bridle/${name}`,
    text: `${JSON.stringify(schema)}\n`,
    mayReplace: true,
  }));
}

async function readIfExists(folder: string, name: string): Promise<string | undefined> {
  return readTextFile(join(folder, name)).catch((cause: unknown) => {
    const code = systemErrorCode(cause);
    if (code === "ENOENT") return undefined;
    throw new ConfigError(`${name} cannot be read (${code}). Make it readable, or remove it.`, { cause });
  });
}

/** Declares that `tools.ts` is an ES module. `npm install` may add to the file later. */
const manifest = `{
  "private": true,
  "type": "module"
}
`;

/** Adds the line, unless the folder is ignored already in any spelling. */
function withLine(text: string, line: string): string {
  if (text.split(/\r?\n/).some((each) => /^\/?\.bridle\/?$/.test(each.trim()))) return text;
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`;
}
