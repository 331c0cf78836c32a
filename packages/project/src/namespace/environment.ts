import { machineVariables } from "@bridle/host-shared";
import type { Environment } from "../config/variables.ts";
import { allHosts } from "../registries/host-registry.ts";
import { namespaceFolders } from "./folders.ts";

/** Variables that refer to files of this system's user, including logins. */
const leadsHome = /^(?:home|userprofile|homedrive|homepath|appdata|localappdata|xdg_.*)$/i;

/**
 * Creates the environment of a namespace: the variables that describe the machine, a separate home, and the `given` variables. It contains
 * no credential of this process, and no variable that refers to a login.
 */
export function namespaceEnvironment(folder: string, given: Environment, machine: Environment): Environment {
  const { home } = namespaceFolders(folder);
  const setUp = Object.entries(machineVariables(machine)).filter(([name]) => !leadsHome.test(name));
  return {
    ...Object.fromEntries(setUp),
    HOME: home,
    USERPROFILE: home,
    ...given,
    ...hostVariables(folder), // they override the given variables, which may be a whole environment
  };
}

/** Returns the variables that make the hosts use folders of the namespace. */
function hostVariables(folder: string): Environment {
  return Object.assign({}, ...allHosts().map(({ tenant }) => tenant?.variables(folder)));
}
