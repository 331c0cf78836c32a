/** Every option of the closed set by name, and how to take it away. */
import { closedSettings } from "../../src/boundary/closed-set.ts";
import { closedModel } from "../../src/boundary/model-catalog.ts";
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
    (closed) => ({
      ...closed,
      thread: Object.fromEntries(Object.entries(closed.thread).filter(([name]) => name !== key)),
    }),
  ]),
);

/** Settings that are about long conversations and results, not about the boundary. */
const settings: Readonly<Record<string, ChangedOption>> = Object.fromEntries(
  closedSettings().map(([key]): [string, ChangedOption] => [
    key,
    (closed) => ({ ...closed, settings: closed.settings.filter(([name]) => name !== key) }),
  ]),
);

export const closedOptions: Readonly<Record<string, ChangedOption>> = { ...places, ...catalog, ...thread, ...settings };

function withFolders(closed: ClosedSet, change: Readonly<Record<string, string>>): ClosedSet {
  return { ...closed, folders: { ...closed.folders, ...change } };
}
