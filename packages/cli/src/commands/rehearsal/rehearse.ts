import { UsageError } from "@bridle/app";
import { openRehearsal, programEnvironment, type Rehearsal, rehearsalVariables } from "@bridle/app/rehearsal";
import { z } from "zod";
import type { Cli } from "../../command/cli.ts";
import { defineCommand } from "../../command/command.ts";
import { exitCodes } from "../../command/exit-codes.ts";
import { printReason } from "../../run-view/run-view.ts";
import { Interruption } from "../../terminal/interruption.ts";
import { createPaint } from "../../terminal/paint.ts";
import { printRequests } from "./print-requests.ts";
import { runProgram } from "./run-program.ts";

export const rehearseCommand = defineCommand({
  description: `Serve a rehearsal script or a cassette to any program, from a model server on this machine that
replaces the APIs of Anthropic and OpenAI.
With a command after "--", runs that program against the server, without your credentials. Otherwise, prints the
variables to set and serves until Ctrl-C.`,
  notes: `Exit codes:
  the code of the command after "--", or 0 without one; 1 if a request did not match the script
  (see standard error), 2 usage, 3 configuration`,
  operand: { name: "file", description: "a rehearsal script, or a cassette of bridle record" },
  rest: "command...",
  flags: {
    port: {
      flag: "--port <n>",
      description: "the port to serve on (default: a free one)",
      value: z.coerce.number().int().min(1).max(65_535),
      expected: "a whole number from 1 to 65535",
    },
  },
  examples: [
    "bridle rehearse order.yaml",
    "bridle rehearse order.yaml --port 4040",
    "bridle rehearse order.yaml -- npm test",
  ],
  async run({ operand, rest, flags: { port } }, cli) {
    if (operand === undefined) throw new UsageError("The script is missing. Name its file: bridle rehearse order.yaml");
    const rehearsal = await openRehearsal(operand, port, cli);
    try {
      const code = rest.length > 0 ? await runOn(rehearsal, rest, cli) : await serve(rehearsal, operand, cli);
      return conclude(rehearsal, operand, code, cli);
    } finally {
      await rehearsal.close();
    }
  },
});

function runOn({ url }: Rehearsal, words: readonly string[], cli: Cli): Promise<number> {
  const { environment, withheld } = programEnvironment(cli.environment, url);
  if (withheld.length > 0) cli.stderr.write(`Not passed to the program: ${withheld.join(", ")}.\n`);
  return runProgram(words, environment, cli);
}

async function serve(rehearsal: Rehearsal, file: string, cli: Cli): Promise<number> {
  const { stdout, stderr, environment } = cli;
  const paint = createPaint(stderr, environment);
  const interruption = new Interruption(cli);
  stderr.write(`Serving ${file} on ${rehearsal.url} until Ctrl-C. Set these variables for a program:\n`);
  for (const [name, value] of Object.entries(rehearsalVariables(rehearsal.url))) stdout.write(`${name}=${value}\n`);
  void printRequests(rehearsal, (line, failed) => stderr.write(`${failed ? paint("red", line) : line}\n`));
  await aborted(interruption.signal);
  interruption.dispose();
  return exitCodes.natural;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function conclude({ failures }: Rehearsal, file: string, code: number, cli: Cli): number {
  const [first] = failures;
  if (first === undefined) return code;
  const subject = failures.length === 1 ? "A request" : `${failures.length} requests, beginning with this one,`;
  printReason(`${subject} did not fit ${file}: ${first.message}`, cli);
  return exitCodes.otherwise;
}
