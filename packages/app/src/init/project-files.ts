import { existsSync } from "node:fs";
import { join } from "node:path";
import { agentJsonSchema } from "@bridle/agent";
import { configJsonSchema, type Environment } from "@bridle/project";
import { bridleYaml, type ChosenProvider } from "./bridle-yaml.ts";
import { type NewProjectFile, readTemplate, renameAgent, type TemplateName } from "./templates.ts";

export interface Wanted extends ChosenProvider {
  readonly template: TemplateName;
  /** The agent's name. Default: the template's. */
  readonly agent: string | undefined;
  /** The address of the Ollama server. */
  readonly ollama: string;
}

/** Returns all files of a new project. The folder may already contain some of them. */
export async function projectFiles(
  wanted: Wanted,
  target: { readonly folder: string; readonly packageRoot: string; readonly environment: Environment },
): Promise<readonly NewProjectFile[]> {
  const template = await readTemplate(wanted.template, target.packageRoot);
  return [
    { name: "bridle.yaml", text: bridleYaml(wanted, target.environment, wanted.ollama) },
    ...template.map((file) => renameAgent(file, wanted.agent)),
    ...createManifest(target.folder),
    ...createSchemaFiles(),
  ];
}

/** Returns `package.json`, unless the folder has one. */
function createManifest(folder: string): readonly NewProjectFile[] {
  return existsSync(join(folder, "package.json")) ? [] : [{ name: "package.json", text: manifest }];
}

/** Creates the schemas of the YAML files for editors, in the state folder, which tells git to ignore it. */
function createSchemaFiles(): readonly NewProjectFile[] {
  const schemas = { "agent.schema.json": agentJsonSchema(), "bridle.schema.json": configJsonSchema() };
  return Object.entries(schemas).map(([name, schema]) => ({
    name: `.bridle/${name}`,
    text: `${JSON.stringify(schema)}\n`,
    mayReplace: true,
  }));
}

/** Declares that `tools.ts` is an ES module. `npm install` may add to the file later. */
const manifest = `{
  "private": true,
  "type": "module"
}
`;
