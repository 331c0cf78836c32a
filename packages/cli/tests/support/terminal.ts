import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const bin = join(import.meta.dirname, "../../../bridle/bin/bridle.js");

/** Whether this machine can run terminal tests. */
export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

export interface TerminalOptions {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The width in columns. With 0, the terminal does not report its width. Default: 80. */
  readonly columns?: number;
  readonly rows?: number;
}

/** Runs the command in a real terminal until the test ends. When the command exits, the terminal shows its exit status. */
export function openTerminal(words: readonly string[], options: TerminalOptions) {
  const { cwd, environment, columns = 80, rows = 24 } = options;
  const folder = mkdtempSync(join(tmpdir(), "bridle-terminal-")); // sockets need short paths
  const tmux = (...parameters: string[]) =>
    execFileSync("tmux", ["-f", "/dev/null", "-S", join(folder, "s"), ...parameters], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, LANG: "C.UTF-8" },
    });
  const variables = { TERM: "tmux-256color", LANG: "C.UTF-8", ...environment };
  const command = ["node", bin, ...words].map(quoted).join(" ");
  const assignments = Object.entries(variables).map(([name, value]) => quoted(`${name}=${value}`));
  const script = join(folder, "run.sh");
  const width = columns === 0 ? "stty cols 0\n" : "";
  // without a trap, a shell may end with the command that the same Ctrl-C ended
  writeFileSync(
    script,
    `trap : INT\n${width}cd ${quoted(cwd)}\nenv -i ${assignments.join(" ")} sh -c ${quoted(`echo $$ > ${quoted(join(folder, "pid"))}; exec ${command}`)}
echo "Ended with $?."; stty -a | grep -o -E -- '-?(icanon|echo)\\b' | tr '\\n' ' '; echo; exec sleep 1000\n`,
  );
  tmux("new-session", "-d", "-s", "t", "-x", String(columns || 80), "-y", String(rows), "sh", script);
  const pid = () => Number(readFileSync(join(folder, "pid"), "utf8"));
  onTestFinished(async () => {
    if (existsSync(join(folder, "pid"))) await end(pid());
    spawnSync("tmux", ["-S", join(folder, "s"), "kill-server"]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const screen = (history = false) => tmux("capture-pane", "-p", "-t", "t", ...(history ? ["-S", "-"] : [])).trimEnd();
  /** The screen with the escape sequences for colours. */
  const colours = () => tmux("capture-pane", "-p", "-e", "-t", "t");

  /** Resolves with the screen when it contains the text. */
  async function shows(text: string | RegExp, { history = false } = {}): Promise<string> {
    for (let tries = 0; tries < 300; tries += 1) {
      const shown = screen(history);
      if (typeof text === "string" ? shown.includes(text) : text.test(shown)) return shown;
      await new Promise((resolve) => setTimeout(resolve, 100)); // each check starts a process
    }
    throw new Error(`"${text}" was not shown. Shown was:\n${screen(true)}`);
  }

  return {
    screen,
    shows,
    colours,
    /** The command's process id. */
    pid,
    /** Types a string and presses Enter. */
    type(text: string) {
      tmux("send-keys", "-t", "t", "-l", text);
      tmux("send-keys", "-t", "t", "Enter");
    },
    key: (...names: string[]) => void tmux("send-keys", "-t", "t", ...names),
    /** Pastes a string in bracketed paste mode, so that the command can distinguish a paste from typing. */
    paste(text: string) {
      const file = join(folder, "paste");
      writeFileSync(file, text);
      tmux("load-buffer", file);
      tmux("paste-buffer", "-p", "-t", "t");
    },
    resize: (width: number, height: number) =>
      void tmux("resize-window", "-t", "t", "-x", String(width), "-y", String(height)),
  };
}

export type Terminal = ReturnType<typeof openTerminal>;

/**
 * Waits for the command, because its folder must not be removed while the command writes its last events. The command does not notice
 * immediately that its terminal is closed.
 */
async function end(pid: number): Promise<void> {
  if (isRunning(pid)) process.kill(pid, "SIGTERM");
  for (let tries = 0; tries < 600 && isRunning(pid); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 50));
  if (isRunning(pid)) process.kill(pid, "SIGKILL");
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
