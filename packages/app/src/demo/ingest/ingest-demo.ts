/** The project of `bridle context demo --ingest`: a company with a database, a dbt project, LookML, a wiki and a query log. */
import { cp, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolders, readTextFile } from "@bridle/core";
import { type Environment, stateFileName } from "@bridle/project";
import { ConfigError, systemErrorCode } from "@bridle/protocol";
import type { RehearsedModel } from "@bridle/rehearsal";
import { parse } from "yaml";
import type { AppContext } from "../../context/app-context.ts";
import { trustCreated } from "../../trust/trust-folder.ts";
import { writeDemoDatabase } from "../context-demo.ts";
import { isolateEnvironment } from "../demo.ts";
import { demoWikiSchema, factsOf, formatDemoPage } from "./demo-company.ts";
import { DemoReader } from "./demo-reader.ts";

export interface IngestDemo {
  /** The scripted model, which knows only the demo's documents. */
  readonly model: RehearsedModel;
  /** A key that `why` explains. */
  readonly explained: string;
  /** Returns the environment of the demo's commands, without the user's home folder and settings. */
  environment(home: string): Environment;
  /** Trusts the files of the demo, for commands in the environment of the user. */
  trust(): Promise<void>;
}

/**
 * Writes the project to a folder.
 *
 * @throws ConfigError if the folder already contains these files, or cannot be written.
 */
export async function writeIngestDemo(folder: string, context: AppContext): Promise<IngestDemo> {
  const source = join(context.packageRoot, "demo", "ingest");
  const { pages } = demoWikiSchema.parse(parse(await readTextFile(join(source, "wiki.yaml"))));
  try {
    makeFolders(folder, { isShared: true });
    await writeFile(join(folder, "bridle.yaml"), bridleYaml, { flag: "wx" });
    await writeDemoDatabase(join(folder, "roaster.db"), context);
    for (const name of ["dbt", "lookml", "queries.jsonl"])
      await cp(join(source, name), join(folder, "sources", name), { recursive: true });
    for (const page of pages) {
      const file = join(folder, "sources", "wiki", page.file);
      makeFolders(dirname(file), { isShared: true });
      await writeFile(file, formatDemoPage(page));
    }
  } catch (cause) {
    const reason = systemErrorCode(cause) === "EEXIST" ? "has a bridle.yaml already" : "cannot be written";
    throw new ConfigError(`The folder ${folder} ${reason}. Name another one.`, { cause });
  }
  return {
    model: new DemoReader(factsOf(pages)).answer,
    explained: "orders.sold",
    environment: (home) => isolateEnvironment(context.environment, home),
    trust: () => trustCreated(folder, ["bridle.yaml", join(".bridle", stateFileName)], context),
  };
}

const bridleYaml = `# A coffee roaster with a shop, and what its people wrote down about the data.
context:
  connections:
    roaster: { type: sqlite, file: roaster.db }
  sources:
    wiki: { type: documents, path: sources/wiki }
    dbt: { type: dbt, path: sources/dbt, connection: roaster }
    lookml: { type: lookml, path: sources/lookml, connection: roaster }
    queries: { type: query_history, path: sources/queries.jsonl, connection: roaster }
`;
