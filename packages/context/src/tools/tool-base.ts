import type { ToolOutput } from "@bridle/protocol";
import type { NotesOfFiles } from "../files/table-notes.ts";
import type { KnownTable } from "../knowledge/known.ts";
import { type FoundName, TableNames } from "../knowledge/table-names.ts";
import { asLine, dataNotice, defaultReplyTokens, FencedReply } from "../replies/reply.ts";
import { describeFreshness } from "./freshness.ts";
import type { ContextToolsOptions } from "./tool-options.ts";
import { ToolScope } from "./tool-scope.ts";

/** The shared parts of all tools of one caller. */
export class ToolBase {
  readonly options: ContextToolsOptions;
  readonly scope: ToolScope;
  readonly names: TableNames;

  constructor(options: ContextToolsOptions) {
    this.options = options;
    this.scope = new ToolScope(options.connections, options.knowledge.shown);
    this.names = new TableNames(options.knowledge);
  }

  table(id: string): KnownTable | undefined {
    return this.options.knowledge.table(id, this.scope.isVisible);
  }

  notes(): NotesOfFiles | undefined {
    return this.options.readNotes?.();
  }

  /** Starts a reply with the age of the facts. */
  startReply(connections: readonly string[] = this.connectionNames): FencedReply {
    const reply = new FencedReply(this.options.replyTokens ?? defaultReplyTokens);
    const facts = this.options.knowledge.connections().filter(({ name }) => connections.includes(name));
    const unknown = connections.filter((name) => !facts.some((each) => each.name === name));
    const freshness = describeFreshness(facts, this.now());
    const missing = unknown.map((name) => `The connection ${name} was not scanned yet, so nothing is known about it.`);
    reply.tell([freshness, ...missing].filter(Boolean).slice(0, 5).join(" "));
    reply.tell(dataNotice);
    return reply;
  }

  get connectionNames(): readonly string[] {
    return this.scope.connections.map(({ name }) => name);
  }

  now(): Date {
    return this.options.now?.() ?? new Date();
  }

  /** Writes the reply for a name that matches no table, or several tables. */
  explainName(name: string, found: Exclude<FoundName, { kind: "table" }>): ToolOutput {
    const reply = this.startReply();
    reply.add(`asked for: ${asLine(name, 200)}`);
    const ids = found.kind === "several" ? found.ids : found.nearest;
    for (const id of ids.slice(0, 20)) if (!reply.add(`- ${asLine(id, 250)}`)) break;
    const several = "Several tables have this name. Use one of the full identifiers.";
    const none =
      ids.length > 0
        ? "There is no such table that you may see. The nearest names are listed."
        : "There is no such table that you may see. Search for words of it with search_context.";
    reply.end(found.kind === "several" ? several : none);
    return {
      markdown: reply.toString(),
      structured: { problem: found.kind, nearest: ids.slice(0, 20) },
      isError: true,
    };
  }
}
