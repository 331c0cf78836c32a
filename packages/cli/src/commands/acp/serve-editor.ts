import { Readable } from "node:stream";
import { userName } from "@bridle/app/approvals";
import { openWorkspace, requireAgentsTrust } from "@bridle/app/serving";
import { type SessionModeName, serveAcp } from "@bridle/server/acp";
import type { ProjectCli } from "../../command/cli.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { Interruption } from "../../terminal/interruption.ts";
import { createStderrLogger } from "../../terminal/logger.ts";
import { printSentence } from "../../terminal/print-sentence.ts";
import { describeFault } from "../run/describe-fault.ts";
import { toEditor } from "./editor-output.ts";

export interface EditorOptions {
  readonly agents: readonly string[];
  readonly mode?: SessionModeName | undefined;
  readonly rehearse?: string | undefined;
  readonly isAnywhere: boolean;
}

/** Serves one editor until the editor disconnects, then stops the runs in progress. Standard output carries only the protocol. */
export async function serveEditor(options: EditorOptions, cli: ProjectCli): Promise<number> {
  const { agents, rehearse, mode, isAnywhere } = options;
  const interruption = new Interruption(cli);
  try {
    const workspace = await openWorkspace(cli, { agents, rehearse, logger: createStderrLogger(cli.stderr) });
    try {
      await requireAgentsTrust(workspace.agents, cli);
      const onWarning = (sentence: string) => printSentence(`Warning: ${sentence}`, cli.stderr);
      const streams = { ...streamsOf(cli), signal: interruption.signal };
      await serveAcp({ workspace, mode, isAnywhere, by: userName(), onWarning }, streams);
    } finally {
      await workspace.close();
    }
    if (interruption.fault) {
      printSentence(await describeFault(interruption.fault.error, cli), cli.stderr);
      return exitCodes.otherwise;
    }
    return interruption.interrupt === undefined ? exitCodes.natural : exitCodes[interruption.interrupt];
  } finally {
    interruption.dispose();
  }
}

function streamsOf({ stdin, stdout }: Pick<ProjectCli, "stdin" | "stdout">) {
  const input = stdin instanceof Readable ? stdin : Readable.from(stdin);
  return { input, output: toEditor(stdout) };
}
