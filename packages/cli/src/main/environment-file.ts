import type { Cli } from "../command/cli.ts";
import type { Command, Flags, Given } from "../command/command.ts";
import { printSentence } from "../terminal/print-sentence.ts";

/**
 * Sets the variables in the project's `.env` for a command that works in a project, and prints their names. A namespace gets none of them,
 * because they belong to this user.
 */
export async function withEnvironmentFile(cli: Cli, { flags }: Command, given: Given<Flags>): Promise<Cli> {
  const { envFile, namespace, projectDir } = given.flags;
  if (flags.envFile === undefined || envFile === false || namespace !== undefined) return cli;
  const [{ readEnvironmentFile, describeEnvironmentFile }, { override }] = await Promise.all([
    import("@bridle/app/project"),
    import("@bridle/protocol"),
  ]);
  const { cwd, environment, trust } = cli;
  const found = await readEnvironmentFile({
    cwd,
    environment,
    trust,
    projectDir: typeof projectDir === "string" ? projectDir : undefined,
  });
  if (found === undefined) return cli;
  const { file, variables } = found;
  cli.setVariables(variables);
  const remedy = file.fault === null ? "" : ` Run "bridle trust" if you trust it, or add --no-env-file.`;
  if (file.fault !== null || file.read.length > 0 || file.refused.length > 0) {
    printSentence(`${capitalize(describeEnvironmentFile({ ...file, set: [] }))}.${remedy}`, cli.stderr);
  }
  return override(cli, { environmentFile: file });
}

function capitalize(text: string): string {
  return text.startsWith("read") ? `R${text.slice(1)}` : text;
}
