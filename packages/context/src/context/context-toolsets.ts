import { declaredSources } from "../knowledge/declared-structure.ts";
import { Knowledge } from "../knowledge/knowledge.ts";
import type { KnowledgeSources } from "../knowledge/known.ts";
import type { ContextMetrics } from "../metrics/context-metrics.ts";
import { createContextTools, createStructureTools } from "../tools/context-tools.ts";
import { contextInstructions, structureInstructions } from "../tools/instructions.ts";
import type { ContextToolsOptions } from "../tools/tool-options.ts";
import { type ScopedConnection, ToolScope } from "../tools/tool-scope.ts";
import { alwaysInstructions } from "../wiki/always-pages.ts";
import type { Wiki } from "../wiki/wiki.ts";
import type { ContextToolset, ContextToolsetOptions } from "./context-options.ts";

export interface ToolsetServices
  extends Pick<ContextToolsOptions, "knowledge" | "search" | "openWarehouse" | "readNotes"> {
  readonly sources: KnowledgeSources;
  readonly metrics: ContextMetrics;
  readonly wiki: Wiki;
}

/** Creates the tools for a caller, and instructions that explain them to an agent. */
export class ContextToolsets {
  readonly #services: ToolsetServices;

  constructor(services: ToolsetServices) {
    this.#services = services;
  }

  open(
    connections: readonly ScopedConnection[],
    { replyTokens, knowledge: known }: Pick<ContextToolsetOptions, "replyTokens" | "knowledge">,
  ): ContextToolset {
    const { sources, metrics, wiki, ...services } = this.#services;
    const shared = { ...services, connections, replyTokens };
    const names = connections.map(({ name }) => name);
    if (known === "structure") {
      const knowledge = new Knowledge(declaredSources(sources));
      return { tools: createStructureTools({ ...shared, knowledge }), instructions: structureInstructions(names) };
    }
    const [hasMetrics, hasPages] = [metrics.exist, wiki.all().length > 0];
    const tools = createContextTools({
      ...shared,
      metrics: hasMetrics ? metrics : undefined,
      wiki: hasPages ? wiki : undefined,
    });
    const always = alwaysInstructions(wiki.list(new ToolScope(connections, services.knowledge.shown).isVisible));
    return { tools, instructions: contextInstructions(names, { hasMetrics, hasPages, always }) };
  }
}
