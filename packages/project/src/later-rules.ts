/** Reads the rules in a project's `bridle.yaml` again, for long-running programs. */
import type { FolderEffect } from "@bridle/protocol";
import { policyEffects } from "./effects/setting-effects.ts";
import { Project } from "./project.ts";
import { ProjectFile } from "./settings/project-file.ts";
import type { Settings } from "./settings/settings.ts";

/** Reads the current content of the project's `bridle.yaml`. Throws ConfigError. */
export function readFileAgain({ file: { location, cwd } }: Project): Promise<ProjectFile> {
  return ProjectFile.open(location, cwd);
}

/**
 * Returns the project with the rules of a later version of its file; other changes of the file do not take effect. Undefined if the new
 * rules skip a question that the old rules asked, because the user has to trust the file for that. Throws ConfigError.
 */
export function withRulesOf(later: ProjectFile, project: Project): Project | undefined {
  const changed = new Project(project.file.withRulesOf(later), project.options);
  return skipMoreQuestions(changed.settings, project.settings) ? undefined : changed;
}

/** Returns the project with the rules in a string, even if they allow more than its file, to check the text before it is written. */
export async function withRulesInText(text: string, project: Project): Promise<Project> {
  const { location, cwd } = project.file;
  const later = await ProjectFile.ofText(text, location, cwd);
  return new Project(project.file.withRulesOf(later), project.options);
}

function skipMoreQuestions(later: Settings, earlier: Settings): boolean {
  const before = new Set(skipped(earlier).map(({ subject }) => subject));
  return skipped(later).some(({ subject }) => !before.has(subject));
}

function skipped({ policy, written }: Settings): readonly FolderEffect[] {
  return policyEffects(policy, written);
}
