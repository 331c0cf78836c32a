import type { AgentBlock, AgentModelForm, Host, HostConfig, HostDefinition, HostProposal } from "@bridle/protocol";
import { z } from "zod";
import { definitions } from "./hosts.ts";

/** The model hosts that a project may choose. `none` is for work that needs no model. */
export type BackendName = (typeof definitions)[number]["id"];

/** The account that pays, for a host that reads its credentials from the environment. */
export type AuthMode = Extract<(typeof definitions)[number], { auth: object }>["auth"]["modes"][number];

/** The settings of the chosen host: its keys of `llm.provider`. */
export type Provider = HostConfig;

const registered: HostDefinition[] = [...definitions];

export const backendNames = definitions.map(({ id }) => id) as readonly BackendName[];

export const authModes = [...new Set(registered.flatMap(({ auth }) => auth?.modes ?? []))] as unknown as readonly [
  AuthMode,
  ...AuthMode[],
];

/** Lists all hosts, in display order. */
export function allHosts(): readonly HostDefinition[] {
  return registered;
}

/** Returns the host of a project that does not choose one. */
export function defaultHost(): HostDefinition {
  const [first] = registered;
  if (first === undefined) throw new Error("No host is registered.");
  return first;
}

/** Returns the definition of a host. A schema has checked the name. */
export function hostOf(backend: string): HostDefinition {
  const found = registered.find(({ id }) => id === backend);
  if (found === undefined) throw new Error(`There is no host "${backend}".`);
  return found;
}

/** Loads the part of a host that needs its packages. */
export function loadHost({ backend }: Pick<HostConfig, "backend">): Promise<Host> {
  return hostOf(backend).load();
}

const backendText = "The host that runs the models. none: every operation that needs a model fails.";

/** Creates the schema of `llm.provider`: each host allows exactly its own keys. */
export function createProviderSchema(hosts: readonly HostDefinition[] = registered): z.ZodType<Provider, object> {
  const [first, ...others] = hosts.map((host, index) => createMapping(host, index === 0));
  if (first === undefined) throw new Error("No host is registered.");
  return z.discriminatedUnion("backend", [first, ...others]) as unknown as z.ZodType<Provider, object>;
}

function createMapping({ id, settings }: HostDefinition, isDefault: boolean) {
  const literal = isDefault ? z.literal(id).default(id) : z.literal(id);
  const mapping = z.strictObject({ backend: literal.describe(backendText), ...settings.shape });
  return settings.check ? mapping.check(settings.check) : mapping;
}

/** Lists the forms of `model` in an agent file. */
export function agentModelForms(): readonly AgentModelForm[] {
  return registered.flatMap(({ agentModels = [] }) => agentModels);
}

/** Lists the blocks of an agent file that are for one host only, each with its host. */
export function agentBlocks(): readonly { readonly host: HostDefinition; readonly block: AgentBlock }[] {
  return registered.flatMap((host) => (host.agentBlock ? [{ host, block: host.agentBlock }] : []));
}

/** Lists the providers that `bridle init` can propose. */
export function hostProposals(): readonly HostProposal[] {
  return registered.flatMap(({ init = [] }) => init);
}

/** Whether two hosts use the same names for the same models. */
export function shareModelNames(one: string, other: string): boolean {
  const { family } = hostOf(one).models;
  return family !== undefined && family === hostOf(other).models.family;
}
