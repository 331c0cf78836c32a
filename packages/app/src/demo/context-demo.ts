import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { makeFolders } from "@bridle/core";
import { type Environment, stateFileName } from "@bridle/project";
import { ConfigError, systemErrorCode } from "@bridle/protocol";
import { z } from "zod";
import type { AppContext } from "../context/app-context.ts";
import { trustCreated } from "../trust/trust-folder.ts";
import { isolateEnvironment } from "./demo.ts";

const companyModule = z.object({
  writeCompany: z.custom<(file: string) => void>((value) => typeof value === "function"),
});

/** A project with a database, metric models, questions with known answers, and a question for the demo. */
export interface ContextDemo {
  readonly question: string;
  /** The script that plays the model in the demo. */
  readonly rehearse: string;
  /** The script that plays the model for the project's questions. */
  readonly answers: string;
  /** Returns the environment of the demo's commands, without the user's home folder and settings. */
  environment(home: string): Environment;
  /** Trusts the files of the demo. The event log is marked with a key that exists only in the isolated environment. */
  trust(): Promise<void>;
}

/**
 * Writes the project of the demo to a folder: a database without declared keys, a bridle.yaml with this database, models and questions.
 *
 * @throws ConfigError if the folder already contains these files, or cannot be written.
 */
export async function writeContextDemo(folder: string, context: AppContext): Promise<ContextDemo> {
  const source = join(context.packageRoot, "demo", "context");
  try {
    makeFolders(folder, { isShared: true });
    await writeFile(join(folder, "bridle.yaml"), bridleYaml, { flag: "wx" });
    await writeDemoDatabase(join(folder, "roaster.db"), context);
    await cp(join(source, "models"), join(folder, "context", "models"), { recursive: true });
    await cp(join(source, "questions.yaml"), join(folder, "context", "questions", "roaster.yaml"));
    await cp(join(source, "answers.yaml"), join(folder, "answers.yaml"));
  } catch (cause) {
    const reason = systemErrorCode(cause) === "EEXIST" ? "has a bridle.yaml already" : "cannot be written";
    throw new ConfigError(`The folder ${folder} ${reason}. Name another one.`, { cause });
  }
  return {
    question: "How much did we earn in 2025 after refunds?",
    rehearse: join(source, "rehearsal.yaml"),
    answers: join(source, "answers.yaml"),
    environment: (home) => isolateEnvironment(context.environment, home),
    trust: () => trustCreated(folder, ["bridle.yaml", join(".bridle", stateFileName)], context),
  };
}

/** Writes the demos' database to a file that does not exist yet. */
export async function writeDemoDatabase(file: string, { packageRoot }: Pick<AppContext, "packageRoot">): Promise<void> {
  const program = pathToFileURL(join(packageRoot, "demo", "context", "company.js")).href;
  const { writeCompany } = companyModule.parse(await import(program));
  writeCompany(file);
}

const bridleYaml = `# A coffee roaster with a shop. No key of its database is declared: "bridle context scan" finds them.
context:
  connections:
    roaster: { type: sqlite, file: roaster.db }
`;
