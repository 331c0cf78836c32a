import type { RootContent } from "mdast";
import { createElement, Fragment, memo, type ReactNode } from "react";
import { Link as PageLink } from "wouter";
import { WideTable } from "../parts/wide-table.tsx";
import { pageAddress } from "./link-pages.ts";
import { Picture } from "./picture.tsx";
import { safeAddress } from "./safe-link.ts";

interface NodesProps {
  readonly nodes: readonly RootContent[];
  readonly definitions: ReadonlyMap<string, string>;
}

interface BlockProps {
  readonly block: RootContent;
  readonly definitions: ReadonlyMap<string, string>;
}

/** A paragraph, list, table or other block. It is rendered again only if the block changes. */
export const MarkdownBlock = memo(function MarkdownBlock({ block, definitions }: BlockProps) {
  return <MarkdownNodes nodes={[block]} definitions={definitions} />;
});

/** Renders Markdown nodes. Unknown kinds of nodes are rendered as text. */
function MarkdownNodes({ nodes, definitions }: NodesProps) {
  const context: Context = {
    definitions,
    inside: (children) => <MarkdownNodes nodes={children} definitions={definitions} />,
  };
  // biome-ignore lint/suspicious/noArrayIndexKey: a text only grows at its end
  return nodes.map((node, index) => <Fragment key={index}>{elementOf(node, context)}</Fragment>);
}

interface Context {
  readonly definitions: ReadonlyMap<string, string>;
  inside(children: readonly RootContent[]): ReactNode;
}

function elementOf(node: RootContent, { definitions, inside }: Context): ReactNode {
  switch (node.type) {
    case "text":
    case "html": // shown as written
      return node.value;
    case "paragraph":
      return <p>{inside(node.children)}</p>;
    case "heading":
      return createElement(`h${Math.min(6, node.depth + 2)}`, {}, inside(node.children)); // one level below the headings of the page
    case "emphasis":
      return <em>{inside(node.children)}</em>;
    case "strong":
      return <strong>{inside(node.children)}</strong>;
    case "delete":
      return <del>{inside(node.children)}</del>;
    case "inlineCode":
      return <code>{node.value}</code>;
    case "code":
      return (
        <pre>
          <code>{node.value}</code>
        </pre>
      );
    case "break":
      return <br />;
    case "thematicBreak":
      return <hr />;
    case "blockquote":
      return <blockquote>{inside(node.children)}</blockquote>;
    case "link":
      return <LinkTo address={node.url}>{inside(node.children)}</LinkTo>;
    case "linkReference":
      return <Link address={definitions.get(node.identifier) ?? ""}>{inside(node.children)}</Link>;
    case "image":
      return <Picture address={node.url} alt={node.alt ?? ""} />;
    case "imageReference":
      return <Picture address={definitions.get(node.identifier) ?? ""} alt={node.alt ?? ""} />;
    case "list":
      return node.ordered ? <ol start={node.start ?? 1}>{inside(node.children)}</ol> : <ul>{inside(node.children)}</ul>;
    case "listItem":
      return (
        <li>
          {typeof node.checked === "boolean" && (node.checked ? "☑ " : "☐ ")}
          {inside(node.children)}
        </li>
      );
    case "table":
      return <Table rows={node.children} inside={inside} />;
    case "footnoteReference":
      return <sup>[{node.identifier}]</sup>;
    case "footnoteDefinition":
      return (
        <div className="footnote">
          <sup>[{node.identifier}]</sup>
          {inside(node.children)}
        </div>
      );
    default:
      return null; // definitions were read earlier; YAML and table parts do not occur here
  }
}

/** A link between pages, which opens in this window. */
function LinkTo({ address, children }: { address: string; children: ReactNode }) {
  const page = pageAddress(address);
  return page === undefined ? <Link address={address}>{children}</Link> : <PageLink to={page}>{children}</PageLink>;
}

/** A link whose real address is shown on hover and focus, because the text of the link can name another address. */
function Link({ address, children }: { address: string; children: ReactNode }) {
  const safe = safeAddress(address);
  if (safe === undefined) return <span title={`This link cannot be opened: ${address}`}>{children}</span>;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer" title={safe} className="outside-link" data-address={safe}>
      {children}
    </a>
  );
}

interface TableProps {
  readonly rows: Extract<RootContent, { type: "table" }>["children"];
  inside: Context["inside"];
}

function Table({ rows: [head, ...rows], inside }: TableProps) {
  return (
    <WideTable label="Table">
      <table>
        <thead>
          <tr>
            {head?.children.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a text only grows at its end
              <th key={index} scope="col">
                {inside(cell.children)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a text only grows at its end
            <tr key={index}>
              {row.children.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a text only grows at its end
                <td key={at}>{inside(cell.children)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  );
}
