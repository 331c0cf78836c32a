import { writeBundle } from "@bridle/app/bundles";
import type { ProjectCli } from "../command-line/cli.ts";

/** Writes the bundle of a session, like `bridle bundle`, and returns a note about it. */
export async function bundleSession(id: string, out: string | undefined, cli: ProjectCli): Promise<string> {
  const { projectDir, namespace } = cli.project.options;
  const file = await writeBundle(id, { out, projectDir, namespace }, cli);
  return `Written: ${file}. It contains no credentials. "bridle bundle --check" shows its contents.`;
}
