/** Finds databases that the project may use. Opens no connection, and reports the names of variables instead of their values. */
import type { AppContext } from "../../context/app-context.ts";
import { findDatabaseFiles } from "./find-database-files.ts";
import { findDatabaseServices } from "./find-database-services.ts";
import { connectionNameFrom, type FoundDatabase } from "./found-database.ts";

/** Searches the working directory, the environment, and the service files of the home folder. Never rejects. */
export async function findDatabases({
  cwd,
  environment,
}: Pick<AppContext, "cwd" | "environment">): Promise<readonly FoundDatabase[]> {
  const home = environment.HOME ?? environment.USERPROFILE;
  const found = await Promise.all([
    findDatabaseFiles(cwd),
    findVariables(environment),
    home === undefined ? [] : findDatabaseServices(home),
  ]);
  return withUniqueNames(found.flat());
}

const typesByScheme: Readonly<Record<string, string>> = { postgres: "postgres", postgresql: "postgres" };

/**
 * Finds environment variables that contain the address of a database, for engines that are configured by address. Only the names of the
 * variables are written to files, never their values.
 */
function findVariables(environment: AppContext["environment"]): FoundDatabase[] {
  return Object.entries(environment).flatMap(([variable, value]) => {
    const scheme = /^([a-z]+):\/\//i.exec(value ?? "")?.[1]?.toLowerCase() ?? "";
    const type = typesByScheme[scheme];
    if (type === undefined || !/^\w+$/.test(variable)) return [];
    const name = connectionNameFrom(variable.replace(/_?(DATABASE|DB)?_?(URL|URI|DSN)$/i, "")) || "warehouse";
    return [{ name, source: `the variable ${variable}`, connection: { type, url: `\${${variable}}` } }];
  });
}

function withUniqueNames(found: readonly FoundDatabase[]): FoundDatabase[] {
  const taken = new Map<string, number>();
  return found.map((database) => {
    const name = database.name || "warehouse";
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    return { ...database, name: count === 1 ? name : `${name}_${count}` };
  });
}
