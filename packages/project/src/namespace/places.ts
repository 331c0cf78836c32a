import { join } from "node:path";
import type { Settings } from "../settings.ts";
import { encodeNamespace } from "./encode-namespace.ts";

type Whose = Pick<Settings, "projectDir" | "namespace">;

/** Where Bridle keeps what is a project's: `.bridle`, and in it a folder for each namespace. */
export function bridleFolder({ projectDir, namespace }: Whose): string {
  const own = join(projectDir, ".bridle");
  return namespace === undefined ? own : join(own, "ns", encodeNamespace(namespace));
}

/** What a namespace has instead of the folders of the system's user, from its own folder on. */
export function namespacePlaces(folder: string) {
  return {
    /** Claude Code's own folder: settings, and a login. */
    claudeCode: join(folder, "claude-code"),
    /** What a host takes for the home of the user. */
    home: join(folder, "home"),
    /** Used-up usage windows. */
    limits: join(folder, "limits"),
    /** Answers that hold always: for this namespace, as nothing leads from one project to another. */
    always: join(folder, "always.yaml"),
  } as const;
}
