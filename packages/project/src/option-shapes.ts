/** Checks the keys and types of the main operations' options. The code that uses a value checks its content. */
import { policySchemaOfProgram } from "@bridle/core";
import { given, type OptionsShape, optionsCheck } from "@bridle/protocol";
import { z } from "zod";
import type { DoctorOptions } from "./conveniences.ts";
import type { ProjectOptions } from "./project.ts";
import type { RuntimeChoices } from "./runtime/start-runtime.ts";

export interface CreateRuntimeOptions extends ProjectOptions, RuntimeChoices {}

/** The options that choose a project and its user. */
export type TenantProjectOptions = Pick<
  ProjectOptions,
  "project" | "projectDir" | "config" | "namespace" | "environment" | "processEnvironment"
>;

export interface ModelsOptions extends ProjectOptions {
  /** Aborts the request to the host. */
  signal?: AbortSignal | undefined;
}

const tenantShape: OptionsShape<TenantProjectOptions> = {
  project: given.object.optional(),
  projectDir: given.text.optional(),
  config: given.object.optional(),
  namespace: given.anything.optional(),
  environment: given.object.optional(),
  processEnvironment: given.object.optional(),
};

export const projectShape: OptionsShape<ProjectOptions> = {
  ...tenantShape,
  cwd: given.text.optional(),
  backend: given.text.optional(),
  provider: given.object.optional(),
  values: given.list.optional(),
  auth: given.text.optional(),
  model: given.text.optional(),
  models: given.object.optional(),
  limits: z
    .strictObject({
      maxConcurrency: given.number.optional(),
      onUsageLimit: z.enum(["fail", "wait"]).optional(),
      maxWaitMs: given.number.optional(),
    })
    .optional(),
  unattended: given.flag.optional(),
  trust: given.port("check", "require").optional(),
};

export const runtimeShape: OptionsShape<CreateRuntimeOptions> = {
  ...projectShape,
  policyFile: given.text.optional(),
  mode: given.text.optional(),
  agent: given.text.optional(),
  rehearse: given.anything.optional(),
  policy: policySchemaOfProgram.optional(),
  approve: z.union([z.literal("event-log"), given.callback]).optional(),
  approvalTimeoutMs: given.number.optional(),
  permissions: given.port("read", "add").optional(),
  toolEnvironment: given.object.optional(),
  eventDetails: given.list.optional(),
  logger: given.object.optional(),
  eventLog: z.union([z.literal("project"), given.port("openWriter", "read")]).optional(),
  onEvent: given.callback.optional(),
};

const modelsShape: OptionsShape<ModelsOptions> = {
  ...projectShape,
  signal: given.signal.optional(),
};

const doctorShape: OptionsShape<DoctorOptions> = {
  ...projectShape,
  live: given.flag.optional(),
  boundary: given.flag.optional(),
  connections: given.flag.optional(),
  signal: given.signal.optional(),
};

export const checkRuntimeOptions = optionsCheck("createRuntime", runtimeShape);
export const checkEmbedderOptions = optionsCheck("createEmbedder", tenantShape);
export const checkEventLogOptions = optionsCheck("openProjectEventLog", tenantShape);
export const checkStatusOptions = optionsCheck("status", projectShape);
export const checkDoctorOptions = optionsCheck("doctor", doctorShape);
export const checkModelsOptions = optionsCheck("models", modelsShape);
