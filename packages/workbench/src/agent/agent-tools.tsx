import type { ApiAgent } from "@bridle/client";
import { formatCount, showHiddenInDocument } from "@bridle/protocol/text";
import { useState } from "react";
import { useSearchPlace } from "../parts/use-search-place.ts";
import { describePromises } from "../questions/describe-promises.ts";
import { type DescribedTool, filterTools } from "./filter-tools.ts";
import { InputSchema } from "./input-schema.tsx";

type Details = NonNullable<ApiAgent["details"]>;

/** The number of tools to show at once. */
const rowsAtOnce = 50;
/** The number of tools from which a filter is shown. */
const fewest = 10;

/** The tools of an agent, each with its annotations and its input schema. The filter is part of the URL. */
export function AgentTools({ tools, builtins }: Pick<Details, "tools" | "builtins">) {
  const place = useSearchPlace();
  const [max, setMax] = useState(rowsAtOnce);
  const text = place.get("tools") ?? "";
  const filter = (words: string) => place.set({ tools: words });
  const found = filterTools(tools, text);
  return (
    <section aria-label="Tools">
      <h2>
        Tools <span className="muted">{formatCount(tools.length + builtins.length)}</span>
      </h2>
      {tools.length + builtins.length === 0 && <p className="muted">None: it answers without tools.</p>}
      {tools.length >= fewest && (
        <div className="actions">
          <input
            type="search"
            aria-label="Filter the tools"
            placeholder="Filter, such as: order destroy"
            value={text}
            onChange={({ target }) => filter(target.value)}
          />
          {text !== "" && (
            <span className="muted" role="status">
              {formatCount(found.length)} of {formatCount(tools.length)}
            </span>
          )}
        </div>
      )}
      <ul className="agent-tools">
        {found.slice(0, max).map((tool) => (
          <ToolRow key={tool.name} tool={tool} />
        ))}
      </ul>
      {found.length > max && (
        <button type="button" onClick={() => setMax(max + rowsAtOnce)}>
          Show more of {formatCount(found.length)} tools
        </button>
      )}
      {builtins.length > 0 && (
        <p>
          Tools of Claude Code itself: <span className="id">{showHiddenInDocument(builtins.join(", "))}</span>
        </p>
      )}
    </section>
  );
}

function ToolRow({ tool: { name, source, description, annotations, inputSchema } }: { tool: DescribedTool }) {
  return (
    <li className="agent-tool">
      <p className="agent-tool-head">
        <strong className="id">{showHiddenInDocument(name)}</strong> <span>{describePromises(annotations)}</span>{" "}
        <span className="muted">{showHiddenInDocument(source)}</span>
      </p>
      <p dir="auto">{showHiddenInDocument(description)}</p>
      <InputSchema schema={inputSchema} />
    </li>
  );
}
