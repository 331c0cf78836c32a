import { startBoundaryError } from "@bridle/host-shared";
import type { BoundaryError, ConversationSpec } from "@bridle/protocol";
import { readCopilotEvent } from "../messages/session-events.ts";
import { objectToolName } from "./object-tool.ts";

const title = "Copilot's runtime";

/** Compares the runtime's report about itself with the requested configuration, before and during each turn. Any difference is an error. */
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

  /** Returns the difference that an event shows. */
  read(raw: unknown): BoundaryError | undefined {
    const problem = this.#findProblem(raw);
    return problem === undefined ? undefined : startBoundaryError(title, [problem], "The run was stopped.");
  }

  /**
   * Returns the differences between the tools that the runtime offers the model and ours. `offered` is undefined if the runtime reports no
   * tools.
   */
  compareTools(offered: readonly string[] | undefined): BoundaryError | undefined {
    if (!offered) return startBoundaryError(title, ["it does not report its tools"]);
    const differences = [
      ...offered.filter((name) => !this.#tools.has(name)).map((name) => `the tool ${name} was not passed`),
      ...[...this.#tools].filter((name) => !offered.includes(name)).map((name) => `the tool ${name} is missing`),
    ];
    return differences.length > 0 ? startBoundaryError(title, differences) : undefined;
  }

  #findProblem(raw: unknown): string | undefined {
    const event = readCopilotEvent(raw);
    switch (event?.type) {
      case "session.skills_loaded":
        return event.data.skills.length > 0 ? "skills are loaded" : undefined;
      case "session.mcp_servers_loaded":
        // with a login, the runtime also reports GitHub's own server, which the options switch off
        return event.data.servers.some(({ status }) => status !== "disabled") ? "MCP servers were started" : undefined;
      case "system.message":
        return event.data.content === this.#system ? undefined : "the instructions are others";
      case "user.message": {
        const { content, transformedContent } = event.data;
        return (transformedContent ?? content) === content ? undefined : "a text was added to the prompt";
      }
      default:
        return undefined;
    }
  }
}
