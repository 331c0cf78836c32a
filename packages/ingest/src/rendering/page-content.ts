/** The content of a page before it is merged with its file. */
import type { PageFront } from "@bridle/context";

/** A block of a page. Its key stays the same when the text changes. */
export interface RenderedBlock {
  /** The id of a claim, or `heading …`, `disputed …`, `links`, … */
  readonly key: string;
  readonly text: string;
}

export interface RenderedPage {
  /**
   * The topic, or the topic and the first subject of a part: `fares / gross fare`. The key is the first entry in the page's `topics`, so
   * that the file may be renamed.
   */
  readonly key: string;
  /** The name of the page, unless its file already has another name. */
  readonly slug: string;
  readonly front: PageFront;
  readonly blocks: readonly RenderedBlock[];
  /** The ids of the claims on the page. */
  readonly claims: readonly string[];
}

/** Blocks that stay together, with their section. */
export interface PageItem {
  readonly section: "facts" | "disputed" | "earlier";
  readonly subject: string;
  readonly blocks: readonly PageText[];
  /** The number of characters, including blank lines between blocks. */
  readonly size: number;
}

/** A block before its marks get numbers. */
export interface PageText {
  readonly key: string;
  readonly parts: readonly TextPart[];
  readonly claims: readonly string[];
}

/** A text with the documents that support it. */
export interface TextPart {
  readonly text: string;
  readonly sources: readonly CitedDocument[];
}

export interface CitedDocument {
  readonly source: string;
  readonly item: string;
  readonly title: string;
  readonly updated?: string | undefined;
  readonly location?: string | undefined;
}

/** A block of a page's file. */
export interface FileBlock {
  readonly text: string;
  readonly offset: number;
  readonly isHeading: boolean;
  /** The key of the block if ingest wrote it. */
  readonly key: string | undefined;
}
