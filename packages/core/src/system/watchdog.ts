/**
 * Ends the child processes of this process when it dies for any reason.
 *
 * A shell in a separate process group reads a pipe that only this process has open. When this process dies, the pipe closes and the shell
 * ends the registered processes. Pid and start time must both match, so a reused pid is never touched. If a process has a family's mark,
 * the shell also ends the processes that it started, even if they have left its group.
 */
import type { ChildProcess } from "node:child_process";
import { familyVariable, type ProcessFamily } from "./process-family.ts";
import { readStartTime } from "./process-identity.ts";
import { spawnProgram } from "./programs/start-programs.ts";

export interface Watchdog {
  /** Registers a process. Call it directly after the spawn, before the event loop could have reaped the process. */
  watch(pid: number, family?: ProcessFamily): void;
  release(pid: number): void;
}

/** A script that reads `watch PID START MARK` and `release PID`, one per line. At the end of its input it ends the registered processes. */
export const watchdogScript = `
alive=""
while read -r action pid start mark; do
  rest=""
  for entry in $alive; do [ "\${entry%%:*}" = "$pid" ] || rest="$rest $entry"; done
  alive="$rest"
  [ "$action" = watch ] && alive="$alive $pid:\${mark:--}:$start"
done
started() {
  if [ -r "/proc/$1/stat" ]; then
    read -r stat < "/proc/$1/stat" || return
    set -- \${stat##*) }
    echo "\${20}"
  else
    ps -o lstart= -p "$1" 2>/dev/null | sed 's/^ *//; s/ *$//; s/  */_/g'
  fi
}
finish() {
  for entry in $alive; do
    pid="\${entry%%:*}"
    rest="\${entry#*:}"
    [ "$(started "$pid")" = "\${rest#*:}" ] && kill "-$1" "-$pid" 2>/dev/null
    [ "\${rest%%:*}" = - ] || family "$1" "\${rest%%:*}"
  done
}
family() {
  for environment in $(grep -ls "${familyVariable}=$2" /proc/[0-9]*/environ 2>/dev/null); do
    member="\${environment#/proc/}"
    kill "-$1" "\${member%/environ}" 2>/dev/null
  done
}
[ -n "$alive" ] || exit 0
finish TERM
sleep 1
finish KILL
`;

/** Creates a watchdog with one shell for all children of this process. The shell starts with the first child and ends with the last. */
export function createWatchdog(shell = "/bin/sh"): Watchdog {
  const watched = new Map<number, string>(); // the shell's information about each process
  let guard: ChildProcess | undefined;

  function start(): ChildProcess {
    const child = spawnProgram("watchdog", [shell, ["-c", watchdogScript]], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
      env: { PATH: process.env.PATH },
    });
    child.on("error", () => {});
    child.stdin?.on("error", () => {});
    child.on("exit", (_code, signal) => {
      if (guard === child) guard = signal === null ? undefined : start(); // the shell was killed from outside
    });
    child.unref();
    unrefStream(child.stdin);
    for (const [pid, identity] of watched) child.stdin?.write(`watch ${pid} ${identity}\n`);
    return child;
  }

  function dismiss(): void {
    guard?.stdin?.end();
    guard = undefined;
  }

  return {
    watch(pid, family) {
      const startTime = readStartTime(pid);
      if (startTime === undefined) return;
      guard ??= start();
      const identity = `${startTime} ${family?.mark ?? ""}`;
      watched.set(pid, identity);
      guard.stdin?.write(`watch ${pid} ${identity}\n`);
    },
    release(pid) {
      if (watched.delete(pid)) guard?.stdin?.write(`release ${pid}\n`);
      if (watched.size === 0) dismiss();
    },
  };
}

/** Lets the process end although the pipe is open. The shell detects the end by the closed pipe. */
function unrefStream(stream: unknown): void {
  if (typeof stream === "object" && stream !== null && "unref" in stream && typeof stream.unref === "function")
    stream.unref();
}
