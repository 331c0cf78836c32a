/** The test runs that this server has in progress. They belong to the server, so they continue if a connection ends. */
import { resolve } from "node:path";
import { loadAgentFile } from "@bridle/app/agents";
import type { Workspace } from "@bridle/app/serving";
import { runAgentTests, type TestPlanOptions, type TestProgress } from "@bridle/app/tests";
import { silentLogger } from "@bridle/protocol";

interface Job {
  readonly stopping: AbortController;
  readonly listeners: Set<(progress: TestProgress) => void>;
}

/** The default for the maximum number of concurrent trials of a test run. */
const usualPlaces = 4;

export interface TestsToRun extends Pick<TestPlanOptions, "cases" | "trials" | "parallel"> {
  /** The path of the agent file, relative to the project. */
  readonly file: string;
}

export class TestJobs {
  readonly #workspace: Workspace;
  readonly #jobs = new Map<string, Job>();

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Resolves with the id of the test run when it has started. Rejects if it cannot start. */
  async start({ file, ...plan }: TestsToRun): Promise<string> {
    const { context, rehearse } = this.#workspace;
    const inProject = { ...context, cwd: context.project.projectDir };
    const definition = await loadAgentFile(file, inProject);
    const job: Job = { stopping: new AbortController(), listeners: new Set() };
    const places = plan.parallel ?? usualPlaces;
    const end = this.#workspace.jobs.begin({ places, stop: () => job.stopping.abort() });
    const begun = Promise.withResolvers<string>();
    const script = rehearse === undefined ? undefined : resolve(context.cwd, rehearse);
    const run = runAgentTests(definition, { ...plan, rehearse: script }, inProject, {
      signal: job.stopping.signal,
      logger: silentLogger,
      unattended: true,
      onProgress: (progress) => {
        if (progress.type === "begun") {
          this.#jobs.set(progress.id, job);
          begun.resolve(progress.id);
        }
        for (const listener of job.listeners) listener(progress);
      },
    });
    run.catch(begun.reject);
    void run.then(end, end);
    const id = await begun.promise;
    void run.then(
      () => this.#jobs.delete(id),
      () => this.#jobs.delete(id), // the results file contains the reason
    );
    return id;
  }

  /** Stops a test run. Returns false if this server has no test run with this id in progress. */
  stop(id: string): boolean {
    this.#jobs.get(id)?.stopping.abort();
    return this.#jobs.has(id);
  }

  /** Calls the listener with further progress. Returns `undefined` if this server has no test run with this id in progress. */
  listen(id: string, listener: (progress: TestProgress) => void): (() => void) | undefined {
    const job = this.#jobs.get(id);
    job?.listeners.add(listener);
    return job && (() => job.listeners.delete(listener));
  }
}
