import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "@bridle/protocol";
import { openWarehouse } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";
import { type OpenedContext, openContext } from "../../src/context/open-context.ts";
import type { MetricEngine } from "./metric-engines.ts";

/** A project with one connection `shop` to an engine. */
export class EngineContext {
  readonly engine: MetricEngine;
  readonly context: OpenedContext;
  readonly #projectDir = mkdtempSync(join(tmpdir(), "bridle-engine-context-"));

  private constructor(engine: MetricEngine) {
    const connector = connectors.find(({ type }) => type === engine.config.type);
    if (connector === undefined) throw new Error("There is no such connector.");
    const projectDir = this.#projectDir;
    const surroundings = { projectDir, environment: {}, logger: silentLogger };
    const open = () => openWarehouse({ name: "shop", connector, config: engine.config, context: surroundings });
    this.engine = engine;
    this.context = openContext({
      projectDir,
      stateDir: join(projectDir, ".bridle"),
      environment: {},
      connections: [{ name: "shop", open }],
    });
  }

  static async start(start: () => Promise<MetricEngine>): Promise<EngineContext> {
    return new EngineContext(await start());
  }

  put(model: { readonly name: string; readonly table: string; readonly [key: string]: unknown }): void {
    mkdirSync(join(this.#projectDir, "context/models"), { recursive: true });
    const placed = { ...model, table: `${this.engine.schema}.${model.table}` };
    writeFileSync(join(this.#projectDir, `context/models/${model.name}.yaml`), JSON.stringify(placed));
  }

  /** Returns the rows as strings, or the message of a refusal. */
  async ask(query: Parameters<OpenedContext["metrics"]["query"]>[0]): Promise<string> {
    const outcome = await this.context.metrics.query(query);
    if (outcome.kind === "refused") return outcome.refusal.message;
    if (outcome.kind !== "answered") return outcome.kind;
    return outcome.rows.map((row) => row.map((value) => String(value)).join(" ")).join(", ");
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.engine.close();
    rmSync(this.#projectDir, { recursive: true, force: true });
  }
}
