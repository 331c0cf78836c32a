import type { OpenedContext } from "@bridle/context";
import type { ProjectIngest } from "@bridle/data";
import type { AnyTool } from "@bridle/protocol";
import type { ContextToolConfig } from "./context-config.ts";
import type { ContextServices } from "./context-services.ts";

interface MemoryServices {
  readonly services: ContextServices;
  readonly isRehearsed: boolean | undefined;
}

/** The memory that an agent may write to. It is opened when the first fact is remembered. */
export class AgentMemory {
  readonly #scope: NonNullable<ContextToolConfig["remember"]>;
  readonly #context: OpenedContext;
  readonly #options: MemoryServices;
  #opened: Promise<ProjectIngest> | undefined;

  constructor(scope: NonNullable<ContextToolConfig["remember"]>, context: OpenedContext, options: MemoryServices) {
    this.#scope = scope;
    this.#context = context;
    this.#options = options;
  }

  async tool(): Promise<AnyTool> {
    const { rememberTool } = await import("@bridle/data/tools");
    const by = `a person, through the agent ${this.#options.services.agentName}`;
    return rememberTool({ scope: this.#scope, by, openIngest: () => this.#open() });
  }

  async close(): Promise<void> {
    await (await this.#opened?.catch(() => undefined))?.close();
  }

  #open(): Promise<ProjectIngest> {
    const { services, isRehearsed } = this.#options;
    this.#opened ??= services.openIngest(this.#context, { isRehearsed });
    return this.#opened;
  }
}
