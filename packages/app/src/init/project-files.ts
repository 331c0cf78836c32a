import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { agentJsonSchema } from "@bridle/agent";
import { configJsonSchema, type Environment } from "@bridle/project";
import { bridleYaml, type ChosenProvider } from "./bridle-yaml.ts";
import { named, type ProjectFile, readTemplate, type TemplateName } from "./templates.ts";

export interface Wanted extends ChosenProvider {
  readonly template: TemplateName;
  /** The agent's name; undefined: the template's. */
  readonly agent: string | undefined;
  /** The address of Ollama. */
  readonly ollama: string;
}

/** All files of a new project in a folder, which may have some of them already. */
export async function projectFiles(
  wanted: Wanted,
  place: { readonly folder: string; readonly packageRoot: string; readonly environment: Environment },
): Promise<readonly ProjectFile[]> {
  const template = await readTemplate(wanted.template, place.packageRoot);
  return [
    { name: "bridle.yaml", text: bridleYaml(wanted, place.environment, wanted.ollama) },
    ...template.map((file) => named(file, wanted.agent)),
    ...(await sharedFiles(place.folder)),
    ...schemaFiles(),
  ];
}

/** What a folder may have already: it is kept, and only what is missing is added. */
async function sharedFiles(folder: string): Promise<readonly ProjectFile[]> {
  const [gitignore, packageJson] = await Promise.all([textOf(folder, ".gitignore"), textOf(folder, "package.json")]);
  return [
    { name: ".gitignore", text: withLine(gitignore ?? "", ".bridle/"), mayReplace: true },
    ...(packageJson === undefined ? [{ name: "package.json", text: manifest }] : []),
  ];
}

/** The forms of the YAML files for editors, as they are in this version; in the folder that git ignores. */
function schemaFiles(): readonly ProjectFile[] {
  const schemas = { "agent.schema.json": agentJsonSchema(), "bridle.schema.json": configJsonSchema() };
  return Object.entries(schemas).map(([name, schema]) => ({
    name: `.bridle/${name}`,
    text: `${JSON.stringify(schema)}\n`,
    mayReplace: true,
  }));
}

async function textOf(folder: string, name: string): Promise<string | undefined> {
  return readFile(join(folder, name), "utf8").catch(() => undefined);
}

/** Says that `tools.ts` is an ES module, also when `npm install` adds to it later. */
const manifest = `{
  "private": true,
  "type": "module"
}
`;

/** Whatever way it is ignored by already. */
function withLine(text: string, line: string): string {
  if (text.split(/\r?\n/).some((each) => /^\/?\.bridle\/?$/.test(each.trim()))) return text;
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`;
}
