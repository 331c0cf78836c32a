import { ChildProcess } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { importOptional, ProcessFamily, type Watchdog } from "@bridle/core";
import { makeTemporaryFolder, setReferenced, watchdogOfThisProcess } from "@bridle/host-shared";
import { BackendCrashError, type HostEnvironment, isBridleError } from "@bridle/protocol";
import type { CopilotClient } from "@github/copilot-sdk";
import { type RuntimeFolders, runtimeFolders } from "../boundary/environment.ts";
import { clientOptions } from "../boundary/session-options.ts";
import { findRuntime, missingSdkError, requirePinnedCopilotSdk, sdkName } from "../boundary/versions.ts";
import { requireAccount } from "../login/account.ts";
import type { GitHubLogin } from "../login/stored-login.ts";

/** One process of Copilot's runtime, which serves all conversations of a backend, and its private folders. */
export class RuntimeProcess {
  readonly client: CopilotClient;
  readonly folders: RuntimeFolders;
  readonly #child: ChildProcess;
  readonly #watchdog: Watchdog = watchdogOfThisProcess();
  readonly #exit = Promise.withResolvers<BackendCrashError>();
  #isEnding = false;

  private constructor(client: CopilotClient, folders: RuntimeFolders, family: ProcessFamily) {
    this.client = client;
    this.folders = folders;
    const child = childOf(client);
    this.#child = child;
    if (child.pid !== undefined) this.#watchdog.watch(child.pid, family);
    child.once("exit", (code, signal) => this.#onExit(code, signal));
    process.on("beforeExit", this.#onBeforeExit);
  }

  /**
   * Starts the runtime, with a login if there is one. Throws ConfigError if the runtime is not installed, BackendCrashError if it does not
   * start, and AuthenticationError if GitHub refuses the login.
   */
  static async start(environment: HostEnvironment, login?: GitHubLogin): Promise<RuntimeProcess> {
    requirePinnedCopilotSdk();
    const path = findRuntime();
    const { CopilotClient, RuntimeConnection } = await importOptional(
      [sdkName],
      () => import("@github/copilot-sdk"),
      (_problem, cause) => missingSdkError(cause),
    );
    const folders = runtimeFolders(await makeTemporaryFolder("copilot", "Copilot's runtime"));
    const { root: _root, ...own } = folders;
    await Promise.all(Object.values(own).map((folder) => mkdir(folder, { mode: 0o700 })));
    const family = new ProcessFamily();
    const options = clientOptions(environment, folders, login);
    const client = new CopilotClient({
      ...options,
      env: { ...options.env, ...family.variables },
      connection: RuntimeConnection.forStdio({ path }),
    });
    try {
      await client.start();
      if (login) await requireAccount(client, login);
      return new RuntimeProcess(client, folders, family);
    } catch (cause) {
      await client.forceStop().catch(() => {});
      await removeFolder(folders.root);
      if (isBridleError(cause)) throw cause;
      throw new BackendCrashError(`Copilot's runtime did not start: ${describe(cause)}`, { cause });
    }
  }

  /** If the process ends before `end` is called, resolves with the error for its conversations. */
  get crash(): Promise<BackendCrashError> {
    return this.#exit.promise;
  }

  get isRunning(): boolean {
    return !this.#isEnding && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Ends the process and removes its folders. May be called more than once. */
  async end(): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    process.off("beforeExit", this.#onBeforeExit);
    await this.client.forceStop().catch(() => {});
    await removeFolder(this.folders.root);
  }

  /** Sets whether a conversation is open. If none is, the process does not keep this program alive. */
  setInUse(isInUse: boolean): void {
    // the SDK leaves a timer of 30 seconds running after a start (observed on 1.0.14)
    const timer: unknown = Reflect.get(this.client, "cliStartTimeout");
    setReferenced([this.#child, ...this.#child.stdio], isInUse);
    setReferenced([timer], false);
  }

  /** Called when the program has no work left but has not closed its backend. */
  readonly #onBeforeExit = () => void this.end();

  #onExit(code: number | null, signal: string | null): void {
    if (this.#child.pid !== undefined) this.#watchdog.release(this.#child.pid);
    if (this.#isEnding) return;
    const how = signal === null ? `with code ${code}` : `by ${signal}`;
    this.#exit.resolve(new BackendCrashError(`Copilot's runtime ended ${how} without an answer. Try again.`));
    void this.end();
  }
}

/** Returns the SDK's process. The SDK does not expose it (observed on 1.0.14), and does not report when it ends. */
function childOf(client: CopilotClient): ChildProcess {
  const child: unknown = Reflect.get(client, "cliProcess");
  if (child instanceof ChildProcess) return child;
  throw new BackendCrashError("The SDK of Copilot has no process where it was expected.");
}

async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
}

function describe(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
