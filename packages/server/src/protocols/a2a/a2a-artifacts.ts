/** The texts of a run as artifacts. A client can replace an artifact, but not remove one. */
import type { ClosedPart } from "../shared/run-parts.ts";
import type { A2aArtifact } from "./a2a-objects.ts";

/** A change of an artifact in a streamed update. */
interface ArtifactChange {
  readonly artifact: A2aArtifact;
  readonly append?: true;
  readonly lastChunk?: true;
}

interface OpenArtifact {
  readonly artifactId: string;
  /** Whether a part of the artifact was sent to the client. */
  isSent: boolean;
  text: string;
}

export class A2aArtifacts {
  readonly #all = new Map<string, OpenArtifact>();
  readonly #byBlock = new Map<string, OpenArtifact>();
  /** The artifacts of texts that were voided. The next text replaces the first of these artifacts. */
  #void: OpenArtifact[] = [];

  list(): A2aArtifact[] {
    return [...this.#all.values()]
      .filter(({ text }) => text !== "")
      .map(({ artifactId, text }) => toArtifact(artifactId, text));
  }

  open(blockId: string): void {
    const artifact = this.#void.shift() ?? { artifactId: blockId, isSent: false, text: "" };
    artifact.isSent = false;
    this.#all.set(artifact.artifactId, artifact);
    this.#byBlock.set(blockId, artifact);
  }

  grow(blockId: string, text: string): ArtifactChange {
    const own = this.#of(blockId);
    const change = { artifact: toArtifact(own.artifactId, text), ...(own.isSent && { append: true as const }) };
    own.isSent = true;
    own.text += text;
    return change;
  }

  close({ id, text, isRewritten }: ClosedPart): ArtifactChange {
    const own = this.#of(id);
    const rest = isRewritten ? text : "";
    own.text = text;
    const isAppended = own.isSent && !isRewritten;
    return {
      artifact: toArtifact(own.artifactId, rest),
      ...(isAppended && { append: true as const }),
      lastChunk: true,
    };
  }

  /** Marks a response's texts as void, because the response is requested again. */
  void(blockIds: readonly string[]): void {
    for (const id of blockIds) {
      const own = this.#byBlock.get(id);
      if (own === undefined) continue;
      own.text = "";
      this.#void.push(own);
    }
  }

  /** Empties the artifacts of void texts that no other text has replaced. */
  takeVoid(): ArtifactChange[] {
    const left = this.#void;
    this.#void = [];
    return left.map(({ artifactId }) => ({ artifact: toArtifact(artifactId, ""), lastChunk: true }));
  }

  #of(blockId: string): OpenArtifact {
    const own = this.#byBlock.get(blockId);
    if (own === undefined) throw new Error(`The text ${blockId} was not opened.`);
    return own;
  }
}

/** Creates an artifact. It has at least one part, even for an empty string. */
function toArtifact(artifactId: string, text: string): A2aArtifact {
  return { artifactId, parts: [{ text }] };
}
