/**
 * `ToolKind`: the definition of one kind of tool in an agent file, such as `function` or `mcp`. A kind needs one folder with a definition,
 * and one line in the registry. Bridle derives everything else from the definition: validation, the editor schema, the reference page,
 * opening, `bridle agent show`, and how tests read results.
 */
import type { z } from "zod";
import type { Embedder } from "../embedder.ts";
import type { Logger } from "../logger.ts";
import type { EffectSummary } from "../trust/folder-effect.ts";
import type { TrustedFolder } from "../trust/trusted-folder.ts";
import type { AnyTool } from "./tool.ts";

/**
 * The definition of a kind of tool. It is loaded with every agent file, so its module must not import anything heavy: `open` imports what
 * it needs when a file has an entry of the kind.
 *
 * @example
 * export const clockKind: ToolKind<typeof clockConfig> = {
 *   type: "clock",
 *   summary: "Returns the time.",
 *   schema: clockConfig, // z.strictObject({ type: z.literal("clock"), name: z.string() })
 *   example: { type: "clock", name: "now" },
 *   describe: () => "this machine's clock",
 *   async open(config) {
 *     const { openClock } = await import("./open-clock.ts");
 *     return openClock(config);
 *   },
 * };
 */
export interface ToolKind<Schema extends z.ZodObject = z.ZodObject> {
  /** The value of `type` in an agent file. */
  readonly type: string;
  /** The kind in one sentence, for the reference page. */
  readonly summary: string;
  /**
   * The schema of one entry of `tools`. Its key `type` is a literal, or an enum that begins with the kind's `type` and then lists other
   * names of the kind. Each key has a description, which editors and the reference page show.
   */
  readonly schema: Schema;
  /** An example entry for editors and the reference page. */
  readonly example: z.input<Schema>;
  /** Keys that name files or folders. A missing file or folder is an error when the agent file is loaded. */
  readonly files?: readonly FileKey[] | undefined;
  /** Keys that hold credentials. Their values are redacted wherever they would be shown or stored. */
  readonly secrets?: SecretKeys | undefined;
  /** Describes the source of an entry's tools in a few words without credentials, for `bridle agent show`, such as `tools.ts`. */
  describe(config: z.output<Schema>): string;
  /**
   * Lists the effects of opening and calling the tools, on this machine and beyond, which the user has to trust first. `config` is the
   * entry as written in the file: references such as `${NAME}` are not filled in. Default: the entry runs the source that `describe` names.
   */
  effects?(config: z.output<Schema>, context: Pick<ToolKindContext, "baseDir">): readonly EffectSummary[];
  /**
   * Returns the keys that determine which code answers a call, such as a command and its arguments. A user's remembered answer applies
   * while these keys stay the same. Default: all keys of the entry.
   */
  origin?(config: z.output<Schema>): Readonly<Record<string, unknown>>;
  /**
   * Returns the names of the entry's tools, if they are known from the file alone. Default: they are known only after the entry was opened.
   */
  names?(config: z.output<Schema>): readonly string[];
  /**
   * Checks whether opening would fail for a reason that is visible in the file, such as a module in another language. Contract: starts
   * nothing, loads no module and sends nothing, because the folder may be untrusted. `open` rejects the same entries with the same
   * messages.
   *
   * @throws ConfigError for the first problem.
   */
  check?(config: z.output<Schema>, context: ToolKindContext): void | Promise<void>;
  /**
   * Checks whether opening would fail for a reason that is visible only in loaded code, such as a function without a description. Called
   * only in a trusted folder. Contract: starts no server and sends nothing. Default: no check.
   *
   * @throws ConfigError for the first problem.
   */
  checkCode?(config: z.output<Schema>, context: ToolOpeningContext): Promise<void>;
  /**
   * Opens the tools of one entry.
   *
   * @throws ConfigError if they cannot be opened. Then nothing is left open.
   */
  open(config: z.output<Schema>, context: ToolOpeningContext): Promise<OpenedTools>;
  /** Whether the entry needs vectors from `embedding_provider`. Default: no entry does. */
  needsEmbeddings?(config: z.output<Schema>): boolean;
  /**
   * Returns which part of a result the tests' metrics treat as retrieved text: `hits` is `structured.hits[].text`, `text` is the whole
   * result, and `undefined`, the default, is nothing.
   */
  retrieval?(config: z.output<Schema>): RetrievalResult | undefined;
  /**
   * Reads credentials from files that the entry names, so that they are redacted, too. Contract: does not throw for a file that cannot be
   * read; `open` reports such a file.
   */
  readSecretFiles?(config: z.output<Schema>, baseDir: string): Promise<readonly NamedSecret[]>;
}

/** A key that names a file or a folder. Relative paths are resolved against the agent file's folder. Globs are not checked. */
export interface FileKey {
  /** The path of the key, such as `["source", "*"]`; `*` is each item of a list or mapping. */
  readonly path: readonly string[];
  /**
   * Whether the file's content affects how the agent behaves, as a tool's code does. If so, the file must be readable, and `bridle test`
   * runs cases again if it changes. Default: false.
   */
  readonly isBehaviour?: boolean | undefined;
}

/** The names of an entry's keys, at any depth, that hold credentials. */
export interface SecretKeys {
  /** Keys that contain a credential. */
  readonly keys?: readonly string[] | undefined;
  /** Keys whose values are mappings that may contain credentials, such as `env`. */
  readonly mappings?: readonly string[] | undefined;
}

/** A credential, and the name that replaces it in output. */
export interface NamedSecret {
  /** The name, such as `env_file: API_KEY`. */
  readonly name: string;
  readonly value: string;
}

export type RetrievalResult = "hits" | "text";

/** The tools that one entry of an agent file provides. */
export interface OpenedTools {
  readonly tools: readonly AnyTool[];
  /** Instructions about the tools, which follow the agent's own instructions. */
  readonly instructions?: string | undefined;
  /** Releases processes, connections and files. Never rejects. */
  close(): Promise<void>;
}

/** The agent and project that an entry belongs to. */
export interface ToolKindContext {
  /** The folder of the agent file. Relative paths are resolved against this folder. */
  readonly baseDir: string;
  readonly projectDir: string;
  /** The folder for the project's state, such as `.bridle`. */
  readonly stateDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
  /** Aborted when opening is cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** How the user's modules are loaded. */
  readonly loading?: ModuleLoading | undefined;
  /**
   * Whether a script plays the model. Contract: the kind then sends nothing from this machine. It replaces data that it would fetch, or
   * throws a ConfigError that explains why it cannot. Default: false.
   */
  readonly isRehearsed?: boolean | undefined;
  /** Services of the agent's runtime that tools can use. */
  readonly services?: ToolServices | undefined;
}

/** The context for opening an entry. */
export interface ToolOpeningContext extends ToolKindContext {
  /** The proof that the agent file is trusted, which a kind needs to start a program for the entry. */
  readonly trusted: TrustedFolder;
}

/** How the user's modules are loaded. */
export interface ModuleLoading {
  /** Registers a listener for uncaught errors, and returns a function that removes it. Default: no listener is registered. */
  onFault?(listener: (error: unknown) => void): () => void;
  /** The program's own folders, which are left out of stack traces. */
  ownFolders?: readonly string[];
  /** Milliseconds that loading may take. Default: no limit. */
  timeoutMs?: number;
}

export interface ToolServices {
  /** Creates the embedder of the agent; `undefined` if none is configured. Rejects with a ConfigError. */
  createEmbedder?(choice: {
    readonly model?: string | undefined;
    readonly dimensions?: number | undefined;
  }): Promise<Embedder | undefined>;
  /** Whether an embedder is configured. Does not create it, but rejects with a ConfigError if it could not be created. */
  hasEmbedder?(choice: {
    readonly model?: string | undefined;
    readonly dimensions?: number | undefined;
  }): Promise<boolean>;
  /** Returns the agent's runtime, for tools that call a model. Called only when a model is needed. */
  readonly runtime?: (() => TextGenerator | Promise<TextGenerator>) | undefined;
  /**
   * Opens a model that the entry itself names, with the keys of an agent's `model`. The host is contacted with the first request. In a
   * rehearsal, the script answers. Requests reject with a ConfigError if the model's settings cannot work.
   */
  openGenerator?(model: { readonly provider: string; readonly name: string }): ClosableGenerator;
}

/** A generator that the code that opened it has to close. */
export interface ClosableGenerator extends TextGenerator {
  close(): Promise<void>;
}

/** A runtime, reduced to one request without tools. */
export interface TextGenerator {
  generateText(request: {
    readonly prompt: string;
    readonly system?: string;
    readonly role?: string;
    readonly signal?: AbortSignal;
  }): Promise<{ readonly text: string }>;
}
