/** Creates folders as a clone of a stranger's repository leaves them, and runs commands in them. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how a file refers to the environment
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createRuntime } from "@bridle/project";
import { afterAll, beforeAll } from "vitest";
import { type CliResult, runCli } from "../../src/command/cli-for-tests.ts";

/** The requests that arrived at ADDRESS. */
export const requests: string[] = [];
let top = "";
let address = "";

/** Starts the server at ADDRESS, and removes all clones at the end. */
export function useClones(): void {
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    response.writeHead(500).end("{}");
  });
  beforeAll(async () => {
    top = mkdtempSync(join(tmpdir(), "bridle-clone-"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    writeFileSync(join(top, "private.md"), "top-secret-text");
    writeFileSync(join(top, "answer.json"), '{ "type": "object", "description": "top-secret-schema" }');
  });
  afterAll(() => {
    server.close();
    rmSync(top, { recursive: true });
  });
}

export type Files = Readonly<Record<string, string>>;

export interface Clone {
  readonly cwd: string;
  readonly home: string;
  /** Whether code from the clone ran. */
  ran(): boolean;
}

let count = 0;
export function clone(files: Files): Clone {
  count += 1;
  const [cwd, home] = [join(top, `${count}`, "clone"), join(top, `${count}`, "home")];
  mkdirSync(home, { recursive: true });
  const marker = join(top, `${count}`, "ran");
  for (const [name, text] of Object.entries({ "bridle.yaml": "", ...files })) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text.replaceAll("MARKER", marker).replaceAll("ADDRESS", address));
  }
  return { cwd, home, ran: () => existsSync(marker) };
}

const secrets = { SHOP_TOKEN: "top-secret-value", ANTHROPIC_API_KEY: "top-secret-key" };

export function run(
  words: string,
  { cwd, home }: Clone,
  more: { typed?: readonly string[]; ci?: boolean; variables?: Readonly<Record<string, string>> } = {},
): Promise<CliResult> {
  const environment = {
    PATH: process.env.PATH ?? "",
    HOME: home,
    ...secrets,
    ...(more.ci && { BRIDLE_TRUST: "all" }),
    ...more.variables,
  };
  const typed = more.typed ? { typed: more.typed } : {};
  const absolute = words.split(" ").map((word) => (word === "script.yaml" ? join(cwd, word) : word));
  return runCli(absolute, { cwd, environment, hasTrust: true, createRuntime, ...typed });
}

export const cases = "test_cases: [{ name: one, input: Hi }]";
export const agent = (lines = "") => `name: desk\ninstructions: { inline: Be kind. }\n${lines}\n${cases}\n`;
export const touching = `import { writeFileSync } from "node:fs"; writeFileSync("MARKER", ""); export const f = () => 1;`;
export const rehearsal = { "script.yaml": "rehearsal: 1\nturns: [{ steps: [{ say: Hello. }] }]\n" };
