/** Functions that open a project and use it once. A program that does more in a project opens it with `openProject()`. */
import { type AgentRuntime, type Embedder, isBridleError } from "@bridle/protocol";
import type { Store } from "@bridle/store-sqlite";
import type { Check } from "./doctor/check.ts";
import { type CheckOptions, checksWithoutProject } from "./doctor/run-doctor.ts";
import { factsWithoutProject, type SupportFacts } from "./doctor/support-facts.ts";
import { openProject, type ProjectOptions } from "./project.ts";
import type { RuntimeChoices } from "./runtime/start-runtime.ts";

export interface CreateRuntimeOptions extends ProjectOptions, RuntimeChoices {}

/** The options that choose a project and its user. */
export type TenantProjectOptions = Pick<
  ProjectOptions,
  "project" | "projectDir" | "namespace" | "environment" | "processEnvironment"
>;

/**
 * Makes a runtime from the project's `bridle.yaml`, or from the defaults: Claude Code, on its own login.
 * Throws ConfigError if a setting is wrong. Call `close()` when done.
 *
 * @example
 * const runtime = await createRuntime();
 * const { text } = await runtime.generateText({ prompt: "Say hello." });
 * await runtime.close();
 */
export async function createRuntime(options: CreateRuntimeOptions = {}): Promise<AgentRuntime> {
  return (await openProject(options)).createRuntime(options);
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
  return (await openProject(options)).createEmbedder();
}

/**
 * Opens a project's event log for reading. Runs that a dead process left open are ended first, if the log can be written.
 * If there is no event log, the result is empty and no file is created. Throws ConfigError and StoreError.
 *
 * @example
 * const eventLog = await openProjectEventLog();
 * console.log(eventLog.runs({ last: 10 }));
 * eventLog.close();
 */
export async function openProjectEventLog(options: TenantProjectOptions = {}, cwd?: string): Promise<Store> {
  return (await openProject({ ...options, cwd })).openEventLog();
}

export interface DoctorOptions extends ProjectOptions, CheckOptions {}

/** Opens the project and checks everything that a run needs. A problem is a failed check with a remedy, never an error. */
export async function runDoctor(options: DoctorOptions = {}, cwd?: string): Promise<Check[]> {
  const { live, boundary, signal, ...settings } = options;
  try {
    return await (await openProject({ ...settings, cwd })).doctor({ live, boundary, signal });
  } catch (error) {
    if (isBridleError(error)) return checksWithoutProject(error);
    throw error;
  }
}

/** Opens the project and collects the facts that support needs, even if the configuration is wrong. */
export async function collectSupportFacts(options: ProjectOptions = {}, cwd?: string): Promise<SupportFacts> {
  try {
    return await (await openProject({ ...options, cwd })).supportFacts();
  } catch (error) {
    if (isBridleError(error)) return factsWithoutProject(error, options.environment);
    throw error;
  }
}
