import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

export const templateNames = ["support", "orders", "extractor", "team"] as const;

export type TemplateName = (typeof templateNames)[number];

/** A description of each template's agent. */
export const templateLabels: Readonly<Record<TemplateName, string>> = {
  support: "answers from documents, and looks up orders",
  orders: "works with data, and asks a person before a refund",
  extractor: "turns texts into objects with a fixed schema",
  team: "lets two other agents find things out and book visits",
};

export interface NewProjectFile {
  /** The path relative to the project, with `/`. */
  readonly name: string;
  readonly text: string;
  /** Whether to replace an existing file without asking, because no content is lost. */
  readonly mayReplace?: boolean;
}

/** Lists the files of a template by name, without files that runs wrote there. */
export async function readTemplate(template: TemplateName, packageRoot: string): Promise<readonly NewProjectFile[]> {
  const folder = join(packageRoot, "templates", template);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const paths = files.filter((path) => !path.includes(`${sep}.bridle${sep}`));
  return Promise.all(
    paths.sort().map(async (path) => ({
      name: relative(folder, path).replaceAll(sep, "/"),
      text: await readFile(path, "utf8"),
    })),
  );
}

/** Replaces the name of the agent in the agent file. */
export function renameAgent({ name, text }: NewProjectFile, agent: string | undefined): NewProjectFile {
  if (name !== "agent.yaml" || agent === undefined) return { name, text };
  return { name, text: text.replace(/^name: .*$/m, () => `name: ${JSON.stringify(agent)}`) };
}
