/** Every option of the closed set, by name, with a function that removes it. */
import { textMessage } from "@bridle/protocol";
import { closedSettings, patchSettings, type Setting } from "../../src/boundary/closed-set.ts";
import { closedModel } from "../../src/boundary/model-catalog.ts";
import { toSentMessage } from "../../src/history/response-items.ts";
import { trapPrompt } from "../../src/proof/traps.ts";
import type { ChangedOption, ClosedSet } from "./without-option.ts";

const places: Readonly<Record<string, ChangedOption>> = {
  "a private CODEX_HOME": (closed, { home }) => withFolders(closed, { CODEX_HOME: `${home}/.codex` }),
  "a private HOME": (closed, { home }) => withFolders(closed, { HOME: home, USERPROFILE: home }),
  "a private working folder": (closed, { project }) => ({
    ...closed,
    workingFolder: project,
    thread: { ...closed.thread, cwd: project },
  }),
  "the allow-list of variables": (closed, { variables }) => ({
    ...closed,
    environment: { ...variables, ...closed.environment },
  }),
  "a search path without programs": (closed, { variables }) => ({
    ...closed,
    environment: { ...closed.environment, PATH: variables.PATH ?? "" },
  }),
};

const catalog: Readonly<Record<string, ChangedOption>> = {
  "the catalog of models": (closed, open) => ({ ...closed, catalog: open.catalog }),
  ...Object.fromEntries(
    Object.keys(closedModel).map((key): [string, ChangedOption] => [
      `catalog: ${key}`,
      (closed, open) => ({
        ...closed,
        catalog: {
          ...closed.catalog,
          models: closed.catalog.models.map((model, index) => ({ ...model, [key]: open.catalog.models[index]?.[key] })),
        },
      }),
    ]),
  ),
};

const thread: Readonly<Record<string, ChangedOption>> = Object.fromEntries(
  ["ephemeral", "environments", "approvalPolicy", "sandbox", "baseInstructions"].map((key): [string, ChangedOption] => [
    `thread: ${key}`,
    (closed) => ({ ...closed, thread: without(closed.thread, key) }),
  ]),
);

/** The options if nothing is open. Leaves out settings for long conversations and results, which do not affect the boundary. */
export const closedOptions: Readonly<Record<string, ChangedOption>> = {
  ...places,
  ...catalog,
  ...thread,
  ...withoutEach(closedSettings()),
};

const { "catalog: apply_patch_tool_type": _, ...others } = closedOptions;

/** The options if `apply_patch` is open. */
export const patchOptions: Readonly<Record<string, ChangedOption>> = {
  ...others,
  ...withoutEach(patchSettings),
  "the prompt as a part of the history": (closed) => ({
    ...closed,
    message: toSentMessage(textMessage(trapPrompt), []),
  }),
  GIT_DIR: (closed) => ({ ...closed, environment: without(closed.environment, "GIT_DIR") }),
};

function withoutEach(settings: readonly Setting[]): Record<string, ChangedOption> {
  return Object.fromEntries(
    settings.map(([key]): [string, ChangedOption] => [
      key,
      (closed) => ({ ...closed, settings: closed.settings.filter(([name]) => name !== key) }),
    ]),
  );
}

function without<T>(values: Readonly<Record<string, T>>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== key));
}

function withFolders(closed: ClosedSet, change: Readonly<Record<string, string>>): ClosedSet {
  return { ...closed, folders: { ...closed.folders, ...change } };
}
