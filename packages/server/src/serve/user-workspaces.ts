import type { ProjectContext } from "@bridle/app";
import { withProject } from "@bridle/app/project";
import { openWorkspace, RunSlots, ServedRules, type WorkspaceOptions, Workspaces } from "@bridle/app/serving";
import type { Logger } from "@bridle/protocol";

/** The maximum number of concurrent runs of all users. */
const maxRuns = 32;

/** How long the workspace of an inactive user stays open, in milliseconds. */
const idleMs = 900_000;

/** Opens the workspaces of a server's users: one for the project itself, and one for each namespace in use. */
export function openUserWorkspaces(
  context: ProjectContext,
  options: WorkspaceOptions & { readonly logger: Logger },
): Workspaces {
  const { users } = context.project.settings.serve;
  const namespaces = new Set([undefined, ...Object.values(users).map(({ namespace }) => namespace)]);
  const slots = new RunSlots(maxRuns, namespaces.size);
  const rules = new ServedRules();
  const open = async (namespace: string | undefined) => {
    const own = namespace === undefined ? context : await withProject({ namespace }, context);
    return openWorkspace(own, { slots, rules, ...options });
  };
  return new Workspaces({ open, idleMs, logger: options.logger });
}
