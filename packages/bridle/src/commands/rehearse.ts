import { ConfigError } from "@bridle/protocol";
import type { Rehearsal } from "@bridle/rehearsal";
import { z } from "zod";
import type { Cli } from "../cli/cli.ts";
import { defineCommand } from "../cli/command.ts";
import { exitCodes } from "../cli/exit-codes.ts";
import { UsageError } from "../cli/usage-error.ts";
import { programEnvironment, rehearsalVariables } from "../rehearse/program-environment.ts";
import { runProgram } from "../rehearse/run-program.ts";
import { tellRequests } from "../rehearse/tell-requests.ts";
import { watchInterruptions } from "../run/interruption.ts";
import { createPaint } from "../run/paint.ts";
import { readText } from "../run/read-text.ts";
import { sayReason } from "../run/view.ts";

export const rehearseCommand = defineCommand({
  description: `Serve a rehearsal script or a cassette to any program: a model server on this machine, in place of the APIs of Anthropic and OpenAI.
With a command after "--" that program runs on it, without your credentials. Else the variables to set are printed, and it serves until Ctrl-C.`,
  notes: `Exit codes:
  that of the command after "--", and 0 without one; 1 when a request did not fit the script
  (the reason on standard error), 2 usage, 3 configuration`,
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
    const rehearsal = await start(operand, port, cli);
    try {
      const code = rest.length > 0 ? await runOn(rehearsal, rest, cli) : await serve(rehearsal, operand, cli);
      return conclude(rehearsal, operand, code, cli);
    } finally {
      await rehearsal.close();
    }
  },
});

async function start(file: string, port: number | undefined, { cwd }: Cli): Promise<Rehearsal> {
  const { parseScript, startRehearsal } = await import("@bridle/rehearsal");
  const script = parseScript(await readText(file, cwd, "The script", "bridle rehearse"), file);
  try {
    return await startRehearsal({ script, ...(port !== undefined && { port }) });
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
    const reason = code === "EADDRINUSE" ? "is taken" : `cannot be listened on (${code})`;
    throw new ConfigError(`The port ${port} ${reason}. Name another after --port, or leave it out.`, {
      field: "--port",
      cause,
    });
  }
}

function runOn({ url }: Rehearsal, words: readonly string[], cli: Cli): Promise<number> {
  const { environment, withheld } = programEnvironment(cli.environment, url);
  if (withheld.length > 0) cli.stderr.write(`Not handed on: ${withheld.join(", ")}.\n`);
  return runProgram(words, environment, cli);
}

async function serve(rehearsal: Rehearsal, file: string, cli: Cli): Promise<number> {
  const { stdout, stderr, environment } = cli;
  const paint = createPaint(stderr, environment);
  const interruption = watchInterruptions(cli);
  stderr.write(`Serving ${file} on ${rehearsal.url} until Ctrl-C. A program finds it with these variables:\n`);
  for (const [name, value] of Object.entries(rehearsalVariables(rehearsal.url))) stdout.write(`${name}=${value}\n`);
  void tellRequests(rehearsal, (line, failed) => stderr.write(`${failed ? paint("red", line) : line}\n`));
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
  const count = failures.length === 1 ? "A request" : `${failures.length} requests, of which this was the first,`;
  sayReason(`${count} did not fit ${file}: ${first.message}`, cli);
  return exitCodes.otherwise;
}
