import { hostProposals } from "@bridle/project";
import type { HostEnvironment, HostProposal } from "@bridle/protocol";

/** The providers that a new project can use. Each host proposes its own providers. */
export const providers: readonly HostProposal[] = hostProposals();

/** The provider names that `--provider` accepts. */
export const providerNames = providers.map(({ name }) => name);

/** Returns the provider with a known name. */
export function findProvider(name: string): HostProposal {
  const found = providers.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no provider "${name}".`);
  return found;
}

/** Returns the providers that only a check can find: a login, or a server on this machine. */
export function findProbed(probe: NonNullable<HostProposal["probe"]>): readonly HostProposal[] {
  return providers.filter((each) => each.probe === probe);
}

/** The names of all credential variables that `bridle init` looks for. */
export const knownVariables: readonly string[] = [...new Set(providers.flatMap(({ variables }) => variables.flat()))];

/** Returns the provider's variables that are set, by name; `undefined` if a required one is missing. */
export function variablesSet({ variables }: HostProposal, environment: HostEnvironment): readonly string[] | undefined {
  const found = variables.map((any) => any.find((variable) => isSet(environment, variable)));
  return found.every((variable) => variable !== undefined) ? found : undefined;
}

/** Names the missing variables, with their alternatives. */
export function variablesMissing({ variables }: HostProposal, environment: HostEnvironment): readonly string[] {
  return variables.flatMap((any) => (any.some((variable) => isSet(environment, variable)) ? [] : [any.join(" or ")]));
}

function isSet(environment: HostEnvironment, variable: string): boolean {
  return (environment[variable] ?? "") !== "";
}
