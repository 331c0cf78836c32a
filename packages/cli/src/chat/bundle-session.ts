import { type Cli } from "../command-line/cli.ts";
import { type ChatPlan } from "@bridle/app/runs";

/** Writes the bundle of a session, as `bridle bundle` does, and says where. */
export async function bundleSession(
  id: string,
  out: string | undefined,
  { cli, plan: { projectDir, namespace } }: { cli: Cli; plan: ChatPlan },
): Promise<string> {
  const { bundleCommand } = await import("../commands/bundle/bundle.ts");
  let written = "";
  const write = (text: string) => {
    written += text;
  };
  const quiet: Cli = {
    ...cli,
    cwd: cli.cwd,
    stdout: { write, isTTY: false, columns: undefined },
  };
  const flags = {
    ...(out !== undefined && { out }),
    ...(projectDir !== undefined && { projectDir }),
    ...(namespace !== undefined && { namespace }),
  };
  await bundleCommand.run({ operand: id, operands: [id], rest: [], flags }, quiet);
  return `Written: ${written.trim()}. No credential is in it; see what it tells with "bridle bundle --check".`;
}
