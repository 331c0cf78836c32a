import { dirname, join, relative } from "node:path";
import { claimOutput, createPrivateFolder } from "@bridle/app";
import { writeBundle } from "@bridle/app/bundles";
import { formatSessionMarkdown, viewSession } from "@bridle/app/sessions";
import type { EventLog } from "@bridle/protocol";
import type { ProjectCli } from "../../command/cli.ts";

/** Writes the bundle of a session, like `bridle bundle`, and returns a note about it. */
export async function bundleSession(id: string, file: string | undefined, cli: ProjectCli): Promise<string> {
  const { projectDir, namespace } = cli.project.options;
  const { out, force } = await chooseFile(file, join("bundles", `bridle-${id}.tar.gz`), cli);
  await writeBundle(id, { out, force, flag: "/bundle", projectDir, namespace }, cli);
  return `Written: ${out}. No credential was found in it. Read it before you share it.`;
}

/** Writes the conversation of a session as Markdown, and returns a note about it. */
export async function exportSession(
  id: string,
  file: string | undefined,
  { eventLog, cli }: { readonly eventLog: EventLog; readonly cli: ProjectCli },
): Promise<string> {
  if ((await eventLog.read({ sessionId: id, limit: 1 })).length === 0) return "There is nothing to export yet.";
  const { out, force } = await chooseFile(file, join("exports", `${id}.md`), cli);
  const output = await claimOutput(out, { cwd: cli.cwd, flag: "/export", force });
  await output.write(formatSessionMarkdown(await viewSession(eventLog, id)));
  return `Written: ${out}.`;
}

/** Returns the file that the user names, which must be new, or else a file in the project's own folder, which is replaced. */
async function chooseFile(
  file: string | undefined,
  own: string,
  { project, cwd }: ProjectCli,
): Promise<{ readonly out: string; readonly force: boolean }> {
  if (file !== undefined) return { out: file, force: false };
  const path = join(project.folder, own);
  createPrivateFolder(dirname(path));
  return { out: relative(cwd, path), force: true };
}
