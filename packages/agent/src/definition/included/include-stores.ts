/** Named databases: `database: NAME` in a documents tool is `vectorstores.NAME` in the `config.yaml` next to the agent file. */
import { join } from "node:path";
import { readTextFile } from "@bridle/core";
import { type FileProblem, readYaml, shownPath, type YamlFile } from "@bridle/project";
import { isPlainObject, suggestion, systemErrorCode } from "@bridle/protocol";
import { z } from "zod";
import type { AgentConfig } from "../../config/schema.ts";
import { databaseSchema, embeddedInstead } from "../../tool-kinds/documents/database-config.ts";
import { isDocuments } from "../../tool-kinds/documents/documents-config.ts";
import { isLinkOut } from "../outside-files.ts";
import type { IncludeContext } from "./include-context.ts";
import { includeYaml, setValueAt } from "./include-yaml.ts";

const storesFile = "config.yaml";

/**
 * Replaces the name of each named store with the store's content. A store that is missing or of another kind is a problem of the agent
 * file.
 */
export async function includeStores(
  yaml: YamlFile<AgentConfig>,
  context: IncludeContext,
): Promise<YamlFile<AgentConfig>> {
  const named = (yaml.value?.tools ?? []).flatMap((tool, index) => {
    const name = isDocuments(tool) ? tool.database : undefined;
    return typeof name === "string" && name !== "embedded" ? [{ index, name }] : [];
  });
  if (named.length === 0) return yaml;
  const path = join(context.baseDir, storesFile);
  const shown = shownPath(path, context.cwd);
  if (isLinkOut(context.baseDir, storesFile)) {
    const message = `${shown}, which has the named databases, is a link that leads out of the folder. Copy the file.`;
    return { ...yaml, problems: [...yaml.problems, { message, position: { file: shown } }] };
  }
  const read = await readTextFile(path).then(
    (text) => ({ text }),
    (error: unknown) => ({ code: systemErrorCode(error) }),
  );
  if ("code" in read && read.code !== "ENOENT") {
    const message = `${shown}, which has the named databases, cannot be read (${read.code}). Allow reading it.`;
    return { ...yaml, problems: [...yaml.problems, { message, position: { file: shown } }] };
  }
  const { form, environment } = context;
  // The other parts of the file are for HoloDeck, and variables of stores that are not used may be unset.
  const secret: typeof form = { isSecret: form.isSecret, isConnection: () => true };
  const stores = readYaml("text" in read ? read.text : "", shown, environment, { ...secret, schema: z.unknown() });
  if (stores.raw === undefined) return { ...yaml, problems: [...yaml.problems, ...stores.problems] };
  return named.reduce((file, { index, name }) => includeStore(file, { stores, shown, index, name }), yaml);
}

interface NamedStore {
  readonly stores: YamlFile<unknown>;
  readonly shown: string;
  /** The index of the tool. */
  readonly index: number;
  readonly name: string;
}

function includeStore(yaml: YamlFile<AgentConfig>, store: NamedStore): YamlFile<AgentConfig> {
  const { stores, shown, index, name } = store;
  const path = ["tools", index, "database"];
  const from = ["vectorstores", name];
  const problem = (message: string): YamlFile<AgentConfig> => {
    const field = path.join(".");
    const found: FileProblem = { message: `${field} ${message}`, position: yaml.at(path), field };
    return { ...yaml, problems: [...yaml.problems, found] };
  };
  const all = isPlainObject(stores.raw) && isPlainObject(stores.raw.vectorstores) ? stores.raw.vectorstores : {};
  if (!Object.hasOwn(all, name)) {
    const names = Object.keys(all);
    const known = names.length === 0 ? "" : ` It has ${names.join(", ")}.${suggestion(name, names)}`;
    return problem(
      `is ${name}, but vectorstores in ${shown} has no such store.${known} Write embedded, or add the store.`,
    );
  }
  const absent = stores.absent[[...from, "connection_string"].join(".")];
  if (absent) return problem(`is ${name} of ${shown}, but the environment has no ${absent.join(" and no ")}. Set it.`);
  const checked = databaseSchema.safeParse(all[name]);
  if (!checked.success || typeof checked.data === "string") {
    const { provider = "another kind" } = Object(all[name]) as { readonly provider?: unknown };
    return problem(`is ${name}, a store of ${provider} in ${shown}, which Bridle does not have. ${embeddedInstead}`);
  }
  const value = setValueAt(stores.raw, from, checked.data);
  return includeYaml(yaml, { ...stores, problems: [], value, raw: value }, path, from);
}
