import { machineVariables } from "@bridle/host-shared";
import type { Environment } from "../config/variables.ts";
import { allHosts } from "../hosts/host-registry.ts";
import { namespaceFolders } from "./folders.ts";

/** Variables that lead to the files of this system's user, logins among them. */
const leadsHome = /^(?:home|userprofile|homedrive|homepath|appdata|localappdata|xdg_.*)$/i;

/**
 * The environment of a namespace: how the machine is set up, a home of its own, and what was handed over for it. Of
 * this process's variables no credential is in it, and none that leads to a login.
 */
export function namespaceEnvironment(folder: string, handed: Environment, machine: Environment): Environment {
  const { home } = namespaceFolders(folder);
  const setUp = Object.entries(machineVariables(machine)).filter(([name]) => !leadsHome.test(name));
  return {
    ...Object.fromEntries(setUp),
    ...{ HOME: home, USERPROFILE: home },
    ...handed,
    ...hostVariables(folder), // also over one that was handed over with a whole environment
  };
}

/** Variables that lead the hosts to folders of the namespace. */
function hostVariables(folder: string): Environment {
  return Object.assign({}, ...allHosts().map(({ tenant }) => tenant?.variables(folder)));
}
