import { BoundaryError, type ConversationSpec } from "@bridle/protocol";
import { readCopilotEvent } from "../messages/session-events.ts";
import { objectToolName } from "../turn/object-tool.ts";

/**
 * Compares what the runtime reports about itself with what was asked for, before and during each turn. Any difference
 * breaks the boundary.
 */
export class StartCheck {
  readonly #system: string;
  readonly #tools: ReadonlySet<string>;

  constructor({ system, tools, outputSchema }: ConversationSpec) {
    this.#system = `${system.static}${system.dynamic}`;
    this.#tools = new Set([...tools.map(({ name }) => name), ...(outputSchema ? [objectToolName] : [])]);
  }

  offers(tool: string): boolean {
    return this.#tools.has(tool);
  }

  /** The difference that an event shows. */
  read(raw: unknown): BoundaryError | undefined {
    const problem = this.#findProblem(raw);
    return problem === undefined ? undefined : boundaryError([problem]);
  }

  /** The differences between the tools that the runtime offers the model and ours. */
  compareTools(offered: readonly string[]): BoundaryError | undefined {
    const differences = [
      ...offered
        .filter((name) => !this.#tools.has(name))
        .map((name) => `offers the tool ${name}, which was not passed`),
      ...[...this.#tools].filter((name) => !offered.includes(name)).map((name) => `does not offer the tool ${name}`),
    ];
    return differences.length > 0 ? boundaryError(differences) : undefined;
  }

  #findProblem(raw: unknown): string | undefined {
    const event = readCopilotEvent(raw);
    switch (event?.type) {
      case "session.skills_loaded":
        return event.data.skills.length > 0 ? "loaded skills" : undefined;
      case "session.mcp_servers_loaded":
        return event.data.servers.length > 0 ? "started MCP servers" : undefined;
      case "system.message":
        return event.data.content === this.#system ? undefined : "changed the instructions";
      case "user.message": {
        const { content, transformedContent } = event.data;
        return (transformedContent ?? content) === content ? undefined : "added a text to the prompt";
      }
      default:
        return undefined;
    }
  }
}

function boundaryError(differences: readonly string[]): BoundaryError {
  return new BoundaryError(
    `Copilot's runtime did not start as configured: it ${differences.join("; it ")}. The run was stopped. ` +
      'To find the cause on this machine, run "bridle doctor --boundary".',
    differences,
  );
}
