/** Finds the settings and hook folders that name the programs that git runs when it commits, without running git. */
import { realpathSync } from "node:fs";
import { isAbsolute, join, resolve, sep } from "node:path";
import { type BytePath, fromBytePath, toBytePath } from "./byte-paths.ts";
import { type GitSetting, pathsOf, readGitSettings } from "./git-configuration.ts";
import { commonFolder, type Repository } from "./git-repository.ts";

type Environment = Readonly<Record<string, string | undefined>>;

interface GitPrograms {
  /** The settings that belong to the repository: those in its own files, and those in other files inside its folder. */
  readonly settings: readonly GitSetting[];
  /** The hook folders that belong to the repository. */
  readonly hookFolders: readonly BytePath[];
}

/**
 * Finds everything in a repository that can name a program. A hook folder belongs to the repository if a setting of the repository names
 * it, or if the user's configuration names a hook folder inside the repository.
 */
export function findGitPrograms({ root, gitFolder }: Repository, environment: Environment): GitPrograms {
  const home = homeOf(environment);
  const common = commonFolder(gitFolder);
  const own = [join(common, "config"), join(gitFolder, "config.worktree")];
  const ofRepository = readGitSettings(own.map(toBytePath), home);
  const ofUser = readGitSettings(userFiles(environment).map(toBytePath), home);
  const hooks = (value: string) => pathsOf(value, toBytePath(root), home);
  const isInside = (path: BytePath) => isWithin(path, root);
  const near = (value: string) => hooks(value).filter((path) => !isAbsolute(value) || isInside(path));
  return {
    settings: [...ofRepository, ...ofUser.filter(({ file }) => isInside(file))],
    hookFolders: [
      toBytePath(join(common, "hooks")),
      ...namedHooks(ofRepository).flatMap(hooks),
      ...[...namedHooks(ofUser), ...hooksInVariables(environment)].flatMap(near),
    ],
  };
}

/** Whether a hook folder that git uses is one of these folders, or is the user's own folder outside the repository. */
export function isKnownHookFolder(folder: string, repository: Repository, { hookFolders }: GitPrograms): boolean {
  if (folder.includes("\uFFFD")) return false; // the name was not valid UTF-8
  const path = toBytePath(folder);
  return hookFolders.some((known) => realPlace(known) === realPlace(path)) || !isWithin(path, repository.root);
}

function namedHooks(settings: readonly GitSetting[]): string[] {
  return settings.filter(({ key }) => key === "core.hookspath").map(({ value }) => value);
}

/** Reads the hook folders from variables in which `git -c` passes settings on. */
function hooksInVariables(environment: Environment): string[] {
  const count = Number(environment.GIT_CONFIG_COUNT ?? 0);
  const entries = Array.from(
    { length: Math.min(Number.isInteger(count) && count > 0 ? count : 0, 1000) },
    (_, index) => [environment[`GIT_CONFIG_KEY_${index}`], environment[`GIT_CONFIG_VALUE_${index}`]],
  );
  return entries.flatMap(([key, value]) =>
    key?.toLowerCase() === "core.hookspath" && value !== undefined ? [toBytePath(value)] : [],
  );
}

/** The usual paths of the system-wide configuration file, which are fixed when git is built. */
const systemFiles = [
  "/etc/gitconfig",
  "/usr/local/etc/gitconfig",
  "/opt/homebrew/etc/gitconfig",
  "/opt/local/etc/gitconfig",
  "/Library/Developer/CommandLineTools/usr/share/git-core/gitconfig",
  "/Applications/Xcode.app/Contents/Developer/usr/share/git-core/gitconfig",
  "C:/Program Files/Git/etc/gitconfig",
  "C:/ProgramData/Git/config",
];

function userFiles(environment: Environment): string[] {
  const { GIT_CONFIG_GLOBAL: global, GIT_CONFIG_SYSTEM: system, XDG_CONFIG_HOME: xdg } = environment;
  const home = homeOf(environment);
  const ofHome =
    home === undefined ? [] : [join(xdg || join(home, ".config"), "git", "config"), join(home, ".gitconfig")];
  return [...(system === undefined ? systemFiles : [system]), ...(global === undefined ? ofHome : [global])];
}

function homeOf({ HOME, USERPROFILE }: Environment): string | undefined {
  return HOME || USERPROFILE || undefined;
}

function isWithin(path: BytePath, folder: string): boolean {
  const [inner, outer] = [realPlace(path), realPlace(toBytePath(folder))];
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

/** Resolves links in a path. Parts that do not exist are kept. */
function realPlace(path: BytePath): BytePath {
  try {
    return realpathSync(fromBytePath(path), "buffer").toString("latin1");
  } catch {
    const whole = resolve(path);
    const end = whole.lastIndexOf(sep);
    return end <= 0 || end === whole.length - 1 ? whole : `${realPlace(whole.slice(0, end))}${whole.slice(end)}`;
  }
}
