/**
 * The main operations for programs. They load the rest of the package and its dependencies when they are called, so that a
 * program that imports Bridle loads only the parts that it uses.
 */
import type { AgentRuntime, Embedder } from "@bridle/protocol";
import type { Store } from "@bridle/store-sqlite";
import type { DoctorOptions } from "./conveniences.ts";
import type { Check } from "./doctor/check.ts";
import type { Models } from "./models/models-schema.ts";
import {
  type CreateRuntimeOptions,
  checkDoctorOptions,
  checkEmbedderOptions,
  checkEventLogOptions,
  checkModelsOptions,
  checkRuntimeOptions,
  checkStatusOptions,
  type ModelsOptions,
  type TenantProjectOptions,
} from "./option-shapes.ts";
import type { Project, ProjectOptions } from "./project.ts";
import type { Status } from "./status/status-schema.ts";

export {
  type CreateRuntimeOptions,
  type ModelsOptions,
  projectShape,
  runtimeShape,
  type TenantProjectOptions,
} from "./option-shapes.ts";

/**
 * Creates a runtime from the project's `bridle.yaml`, or from the defaults: Claude Code with its own login. Throws ConfigError if a setting
 * is wrong. Call `close()` when done.
 *
 * @example
 * const runtime = await createRuntime();
 * const { text } = await runtime.generateText({ prompt: "Say hello." });
 * await runtime.close();
 */
export async function createRuntime(options: CreateRuntimeOptions = {}): Promise<AgentRuntime> {
  checkRuntimeOptions(options);
  return (await open(options)).createRuntime(options);
}

export type CreateEmbedderOptions = TenantProjectOptions;

/**
 * Makes an embedder from `embeddings` in the project's `bridle.yaml`. Throws ConfigError if a setting is wrong or
 * missing; without `embeddings`, every call fails with a ConfigError. Call `close()` when done.
 *
 * @example
 * const embedder = await createEmbedder();
 * const { vectors } = await embedder.embed(["red shoes", "blue shoes"]);
 * await embedder.close();
 */
export async function createEmbedder(options: CreateEmbedderOptions = {}): Promise<Embedder> {
  checkEmbedderOptions(options);
  return (await open(options)).createEmbedder();
}

/**
 * Opens a project's event log for reading. Runs that a dead process left open are ended first, if the log can be written. Without an event
 * log, the result is empty and no file is created. Throws ConfigError and StoreError.
 *
 * @example
 * const eventLog = await openProjectEventLog();
 * console.log(await eventLog.runs({ last: 10 }));
 * await eventLog.close();
 */
export async function openProjectEventLog(options: TenantProjectOptions = {}, cwd?: string): Promise<Store> {
  checkEventLogOptions(options);
  return (await open({ ...options, cwd })).openEventLog();
}

/**
 * Describes the project's configuration and the settings of runs, like `bridle status`. Calls no model, starts no process, and returns no
 * credential. Throws ConfigError if a setting is wrong.
 *
 * @example
 * const { backend, models } = await status();
 */
export async function status(options: ProjectOptions = {}): Promise<Status> {
  checkStatusOptions(options);
  return (await open(options)).status();
}

/**
 * Checks everything that a run needs, like `bridle doctor`. A fault, even in `bridle.yaml`, is a failed check with a remedy.
 *
 * @example
 * const faults = (await doctor({ live: true })).filter(({ ok }) => ok === false);
 */
export async function doctor(options: DoctorOptions = {}): Promise<Check[]> {
  checkDoctorOptions(options);
  const { runDoctor } = await import("./conveniences.ts");
  return runDoctor(options, options.cwd);
}

/**
 * Lists the models of the backend, like `bridle models`. Calls no model. Throws ConfigError if a setting is wrong, and another
 * BridleError if the host refuses.
 *
 * @example
 * const { models: rows } = await models({ backend: "claude-code" });
 */
export async function models(given: ModelsOptions = {}): Promise<Models> {
  checkModelsOptions(given);
  const { signal, ...options } = given;
  return (await open(options)).models({ signal });
}

async function open(options: ProjectOptions): Promise<Project> {
  const { openProject } = await import("./project.ts");
  return openProject(options);
}
