import type { ApiContradictions } from "@bridle/client";
import { showHidden, showHiddenInDocument } from "@bridle/protocol/text";

type Quote = ApiContradictions["contradictions"][number]["claims"][number]["sources"][number];

const authorities: Readonly<Record<Quote["authority"], string>> = {
  person: "a person's decision",
  certified: "certified",
  document: "a document",
  inferred: "inferred by a model",
};

/** Literal quotes from documents with their sources. A quote that equals `statement` is left out. */
export function Quotes({ quotes, statement }: { quotes: readonly Quote[]; statement: string }) {
  return (
    <ul className="quotes">
      {quotes.map((quote) => (
        <li key={`${quote.source} ${quote.item} ${quote.start}`}>
          {quote.quote !== statement && <blockquote dir="auto">{showHiddenInDocument(quote.quote)}</blockquote>}
          <p className="muted" dir="auto">
            {showHidden(quote.title, "")}, <span className="id">{showHidden(quote.location ?? quote.item, "")}</span> (
            {[
              showHidden(quote.source, ""),
              authorities[quote.authority],
              quote.updatedAt && `changed ${quote.updatedAt}`,
            ]
              .filter(Boolean)
              .join(", ")}
            )
          </p>
        </li>
      ))}
    </ul>
  );
}
