import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const bin = join(import.meta.dirname, "../../../bridle/bin/bridle.js");

/** Creates a temporary home folder and project, without variables of this machine in the environment. */
export interface Place {
  readonly home: string;
  readonly configDir: string;
  readonly project: string;
  readonly environment: Record<string, string>;
  remove(): Promise<void>;
}

/** Whether the tests' own projects are trusted, which is the case except in tests of trust. */
const trusting = { BRIDLE_TRUST: "all" };

export async function createPlace(): Promise<Place> {
  const root = await mkdtemp(join(tmpdir(), "bridle-command-"));
  const [home, project, bin] = [join(root, "home"), join(root, "project"), join(root, "bin")];
  const configDir = join(home, ".claude");
  await mkdir(configDir, { recursive: true });
  await mkdir(project);
  await mkdir(bin);
  await writeFile(join(bin, "bridle"), ""); // installed globally, so that sentences name commands as "bridle"
  const environment = {
    PATH: [bin, process.env.PATH ?? ""].join(delimiter),
    HOME: home,
    CLAUDE_CONFIG_DIR: configDir,
    LANG: "C.UTF-8",
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "", // shared by the tests, because compiling takes long
    OLLAMA_HOST: "127.0.0.1:1", // so that an Ollama server of this machine is not found
    ...trusting,
  };
  const place = { home, configDir, project, environment };
  async function remove(): Promise<void> {
    await untilGone(place, 10_000); // a process that is still ending writes into the folder
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
  return { ...place, remove };
}

export interface Command {
  readonly child: ChildProcess;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** The exit code, or the signal that ended the process. */
  readonly ended: Promise<number | string>;
  /** Resolves when standard output and standard error together contain the text. */
  shows(text: string): Promise<void>;
}

/** Starts the built command in its own process. */
export function startCommand(
  parameters: readonly string[],
  place: Place,
  extra: Record<string, string> = {},
  input?: string,
): Command {
  return start([bin, ...parameters], place, extra, input);
}

/** Waits until the command has ended. */
export async function finishCommand(command: Command) {
  const code = await command.ended;
  return { code, stdout: command.stdout(), stderr: command.stderr() };
}

/** Starts one of Bridle's programs from its sources, in the same environment as the command. */
export function startProgram(
  path: string,
  parameters: readonly string[],
  place: Place,
  extra: Record<string, string> = {},
  input?: string,
): Command {
  return start(["--conditions=@bridle/source", path, ...parameters], place, extra, input);
}

function start(
  words: readonly string[],
  { environment, project }: Place,
  extra: Record<string, string>,
  input: string | undefined,
): Command {
  const child = spawn(process.execPath, words, {
    cwd: project,
    env: { ...environment, ...extra },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  child.stdin?.end(input);
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | string>((resolve) =>
    child.once("close", (code, signal) => resolve(code ?? signal ?? "")),
  );
  async function shows(text: string): Promise<void> {
    const deadline = Date.now() + 60_000;
    while (!(stdout + stderr).includes(text)) {
      if (Date.now() > deadline) throw new Error(`"${text}" was not shown. Shown was:\n${stdout}\n${stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  return { child, stdout: () => stdout, stderr: () => stderr, ended, shows };
}

/**
 * Lists the pids of all processes that a command of this fixture has started (Linux): their environment contains this home folder or a
 * folder in it. A rehearsed Claude Code has another home folder, but its temporary folders are in this one.
 */
export async function processesOf({ home }: Pick<Place, "home">): Promise<number[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  const owned = await Promise.all(
    pids.map(async (pid) => ((await environmentOf(pid)).includes(`=${home}`) ? [pid] : [])),
  );
  return owned.flat();
}

async function environmentOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
}

/** Resolves when no process of the fixture is left, with the time that this took in milliseconds. */
export async function untilGone(place: Pick<Place, "home">, limitMs: number): Promise<number> {
  const start = Date.now();
  while ((await processesOf(place)).length > 0) {
    if (Date.now() - start > limitMs) throw new Error(`still there: ${await processesOf(place)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return Date.now() - start;
}
