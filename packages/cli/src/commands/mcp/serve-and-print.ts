import { Readable, Writable } from "node:stream";
import {
  type ListeningServer,
  type ServeHttpSelection,
  serveToolsOnStdio,
  serveToolsOverHttp,
  type ToolServerSelection,
} from "@bridle/app/mcp";
import type { Cli, ProjectCli } from "../../command/cli.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { Interruption } from "../../terminal/interruption.ts";
import { createStderrLogger } from "../../terminal/logger.ts";
import { printSentence } from "../../terminal/print-sentence.ts";
import { describeFault } from "../run/describe-fault.ts";

type Effects = ReturnType<typeof effectsOf>;

/** Serves one client on standard input and output. Standard output carries only the protocol. */
export function serveOnStdio(selection: ToolServerSelection, cli: ProjectCli): Promise<number> {
  const input = cli.stdin instanceof Readable ? cli.stdin : Readable.from(cli.stdin);
  const output = new Writable({
    write(chunk, _encoding, done) {
      cli.stdout.write(String(chunk));
      done();
    },
  });
  return whileServing(cli, (effects) => serveToolsOnStdio(selection, cli, { ...effects, input, output }));
}

/** Listens until an interrupt, which is its regular end. */
export function serveHttp(selection: ServeHttpSelection, cli: ProjectCli): Promise<number> {
  const onListening = (server: ListeningServer) => printListening(server, cli);
  return whileServing(cli, (effects) => serveToolsOverHttp(selection, cli, { ...effects, onListening }));
}

async function whileServing(cli: Cli, serve: (effects: Effects) => Promise<void>): Promise<number> {
  const interruption = new Interruption(cli);
  try {
    await serve(effectsOf(cli, interruption.signal));
    if (interruption.fault) {
      printSentence(await describeFault(interruption.fault.error, cli), cli.stderr);
      return exitCodes.otherwise;
    }
    return interruption.interrupt === undefined ? exitCodes.natural : exitCodes[interruption.interrupt];
  } finally {
    interruption.dispose();
  }
}

function effectsOf({ stderr }: Pick<Cli, "stderr">, signal: AbortSignal) {
  return {
    signal,
    logger: createStderrLogger(stderr),
    onWarnings(warnings: readonly string[]) {
      for (const warning of warnings) printSentence(`Warning: ${warning}`, stderr);
    },
  };
}

function printListening({ url, tokenFile, isNewTokenFile, tokens, tools }: ListeningServer, { stdout }: Cli): void {
  const file = isNewTokenFile ? `The token is in the new file ${tokenFile}` : `The tokens are in ${tokenFile}`;
  printSentence(`Listening on ${url}. Tools: ${tools.join(", ") || "none"}.`, stdout);
  printSentence(`${file} (${tokens.join(", ")}). Send it in the header "Authorization: Bearer TOKEN".`, stdout);
}
