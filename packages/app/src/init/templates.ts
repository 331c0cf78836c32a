import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

export const templateNames = ["support", "orders", "extractor"] as const;

export type TemplateName = (typeof templateNames)[number];

/** What the agent of each does. */
export const templateLabels: Readonly<Record<TemplateName, string>> = {
  support: "answers from documents, and looks orders up",
  orders: "acts on data, and asks a person before it refunds",
  extractor: "turns texts into objects of a fixed form",
};

export interface ProjectFile {
  /** Relative to the project, with `/`. */
  readonly name: string;
  readonly text: string;
  /** Whether one that is there is replaced without asking: it says nothing of its own, or all of it is kept. */
  readonly mayReplace?: boolean;
}

/** The files of a template, in the order of their names, as they come with the package; what a run there left is none. */
export async function readTemplate(template: TemplateName, packageRoot: string): Promise<readonly ProjectFile[]> {
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

/** The agent's file with another name of the agent. */
export function named({ name, text }: ProjectFile, agent: string | undefined): ProjectFile {
  if (name !== "agent.yaml" || agent === undefined) return { name, text };
  return { name, text: text.replace(/^name: .*$/m, () => `name: ${JSON.stringify(agent)}`) };
}
