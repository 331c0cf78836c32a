import { readServerStatus } from "@bridle/app/serving";
import type { ServeOptions, ServingInfo } from "@bridle/server";
import type { Cli, ProjectCli } from "../../command/cli.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { Interruption } from "../../terminal/interruption.ts";
import { createStderrLogger } from "../../terminal/logger.ts";
import { printJson, printSentence } from "../../terminal/print-sentence.ts";
import { describeFault } from "../run/describe-fault.ts";

interface PrintOptions {
  readonly json: boolean;
}

/** Serves until an interrupt, which is its regular end. */
export async function serveUntilInterrupt(
  options: ServeOptions,
  onListening: (info: ServingInfo) => void,
  cli: ProjectCli,
): Promise<number> {
  const { serveProject } = await import("@bridle/server");
  const interruption = new Interruption(cli);
  try {
    const { signal } = interruption;
    await serveProject(options, cli, { signal, logger: createStderrLogger(cli.stderr), onListening });
    if (interruption.fault === undefined) return exitCodes.natural;
    printSentence(await describeFault(interruption.fault.error, cli), cli.stderr);
    return exitCodes.otherwise;
  } finally {
    interruption.dispose();
  }
}

/**
 * Returns the address of the page, with the token in the fragment, which browsers do not send. Undefined for a Unix socket, which a browser
 * cannot open.
 */
export function pageLink({ url, publicUrl = url, token }: ServingInfo): string | undefined {
  return publicUrl.startsWith("unix:") ? undefined : `${publicUrl}/#token=${token}`;
}

export function printListening(info: ServingInfo, { json }: PrintOptions, { stdout, stderr }: Cli): void {
  if (json) return void printJson(info, stdout);
  const { url, publicUrl = url, token, tokenFile, agents, users, protocols } = info;
  stdout.write(`Serving ${agents.join(", ")} at ${publicUrl}\nToken: ${token}\n`);
  const link = pageLink(info);
  if (link !== undefined) stdout.write(`Page: ${link}\n`);
  if (protocols.length > 0) printSentence(`Protocols: ${protocols.join(", ")}.`, stdout);
  if (users.length > 0) printSentence(`Users: ${users.join(", ")}.`, stdout);
  const validity =
    tokenFile === undefined ? "The token is valid until the server ends" : `The token is in ${tokenFile}`;
  printSentence(`${validity}. End the server with Ctrl+C.`, stderr);
}

export async function printServerStatus({ json }: PrintOptions, cli: ProjectCli): Promise<number> {
  const status = await readServerStatus(cli);
  const { server } = status;
  if (json) printJson(status, cli.stdout);
  else if (server === null) printSentence("No server serves this project. Start one with bridle serve.", cli.stdout);
  else
    printSentence(
      `The process ${server.pid} serves this project at ${server.url} since ${server.started}.`,
      cli.stdout,
    );
  return server === null ? exitCodes.otherwise : exitCodes.natural;
}

/** Creates a token for `serve.users`: the hash is for the file, and the token is for the user. */
export async function printNewToken({ json }: PrintOptions, { stdout }: Pick<Cli, "stdout">): Promise<number> {
  const { newUserToken } = await import("@bridle/server");
  const created = newUserToken();
  if (json) printJson(created, stdout);
  else stdout.write(`Token: ${created.token}\ntokenHash: ${created.tokenHash}\n`);
  return exitCodes.natural;
}
