import { machineVariables } from "@bridle/host-shared";
import type { Environment } from "../config/variables.ts";
import { allHosts } from "../registries/host-registry.ts";
import { namespaceFolders } from "./folders.ts";

/** Variables that lead to files of this system's user, including logins. */
const leadsHome = /^(?:home|userprofile|homedrive|homepath|appdata|localappdata|xdg_.*)$/i;

/**
 * The environment of a namespace: the variables that describe the machine, a separate home, and the `given` variables.
 * It contains no credential of this process, and no variable that leads to a login.
 */
export function namespaceEnvironment(folder: string, given: Environment, machine: Environment): Environment {
  const { home } = namespaceFolders(folder);
  const setUp = Object.entries(machineVariables(machine)).filter(([name]) => !leadsHome.test(name));
  return {
    ...Object.fromEntries(setUp),
    HOME: home,
    USERPROFILE: home,
    ...given,
    ...hostVariables(folder), // they override the given ones, which may be a whole environment
  };
}

/** Variables that lead the hosts to folders of the namespace. */
function hostVariables(folder: string): Environment {
  return Object.assign({}, ...allHosts().map(({ tenant }) => tenant?.variables(folder)));
}
