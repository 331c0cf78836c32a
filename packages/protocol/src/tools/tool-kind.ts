/**
 * `ToolKind`: the definition of one kind of tool in an agent's file, such as `function` or `mcp`. A kind is one folder
 * with one definition and one line in the registry. Everything else follows from the definition: validation, the editor
 * schema, the reference page, opening, `bridle agent show`, and how tests read results.
 */
import type { z } from "zod";
import type { Embedder } from "../embedder.ts";
import type { Logger } from "../logger.ts";
import type { EffectSummary } from "../trust/folder-effect.ts";
import type { TrustedFolder } from "../trust/trusted-folder.ts";
import type { AnyTool } from "./tool.ts";

/**
 * The definition of a kind of tool. It is loaded with every agent's file, so its module must not import anything heavy:
 * `open` imports its parts when a file has an entry of the kind.
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
  /** The value of `type` in an agent's file. */
  readonly type: string;
  /** The kind in one sentence, for the reference page. */
  readonly summary: string;
  /**
   * One entry of `tools`. Its key `type` is a literal, or an enum that begins with `type` and lists further names of the
   * kind. Each key has a description, which editors and the reference page show.
   */
  readonly schema: Schema;
  /** One entry, for editors and the reference page. */
  readonly example: z.input<Schema>;
  /** Keys that name files or folders. A missing one is an error when the agent's file is loaded. */
  readonly files?: readonly FileKey[] | undefined;
  /** Keys that hold credentials. Their values are redacted wherever they would be shown or stored. */
  readonly secrets?: SecretKeys | undefined;
  /** The source of an entry's tools in a few words without credentials, for `bridle agent show`, such as `tools.ts`. */
  describe(config: z.output<Schema>): string;
  /**
   * The effects of opening and calling the tools, on this machine and beyond, which the user has to trust first.
   * `config` is the entry as the file has it: references such as `${NAME}` are not filled in. Default: it runs the
   * source that `describe` names.
   */
  effects?(config: z.output<Schema>, context: Pick<ToolKindContext, "baseDir">): readonly EffectSummary[];
  /**
   * The keys that decide which code answers a call, such as a command and its arguments. A remembered answer of the user
   * applies while they are the same. Default: all keys of the entry.
   */
  origin?(config: z.output<Schema>): Readonly<Record<string, unknown>>;
  /** The names of the entry's tools, if the file alone decides them. Default: only opening the entry shows them. */
  names?(config: z.output<Schema>): readonly string[];
  /**
   * Checks whether opening would fail for a reason that the file shows, such as a module in another language. Contract:
   * starts nothing, loads no module, sends nothing; the folder may not be trusted. `open` rejects the same entries with
   * the same messages.
   *
   * @throws ConfigError for the first problem.
   */
  check?(config: z.output<Schema>, context: ToolKindContext): void | Promise<void>;
  /**
   * Checks whether opening would fail for a reason that only loaded code shows, such as a function without a
   * description. Called only in a trusted folder. Contract: starts no server and sends nothing. Default: the code shows
   * nothing.
   *
   * @throws ConfigError for the first problem.
   */
  checkCode?(config: z.output<Schema>, context: ToolOpeningContext): Promise<void>;
  /**
   * Opens the tools of one entry.
   *
   * @throws ConfigError if they cannot be opened. Nothing is left open then.
   */
  open(config: z.output<Schema>, context: ToolOpeningContext): Promise<OpenedTools>;
  /** Whether the entry needs vectors from `embedding_provider`. Default: no entry does. */
  needsEmbeddings?(config: z.output<Schema>): boolean;
  /**
   * Which part of a result is retrieved text for the metrics of tests: `hits` is `structured.hits[].text`, `text` is the
   * whole result. `undefined`: the tools retrieve nothing, which is the default.
   */
  retrieval?(config: z.output<Schema>): RetrievalResult | undefined;
  /**
   * Credentials in files that the entry names, which are redacted too.
   * Contract: does not throw for a file that cannot be read; `open` reports it.
   */
  readSecretFiles?(config: z.output<Schema>, baseDir: string): Promise<readonly NamedSecret[]>;
}

/** A key that names a file or a folder. Relative paths start in the folder of the agent's file; globs are not checked. */
export interface FileKey {
  /** Such as `["source", "*"]`; `*` is each item of a list or mapping. */
  readonly path: readonly string[];
  /**
   * Whether the content decides how the agent behaves, as the code of a tool does. It must be a readable file then, and
   * `bridle test` runs cases again if it changes. Default: false.
   */
  readonly isBehaviour?: boolean | undefined;
}

/** Names of keys of an entry, at any depth. */
export interface SecretKeys {
  /** Keys that contain a credential. */
  readonly keys?: readonly string[] | undefined;
  /** Keys of mappings that may contain credentials, such as `env`. */
  readonly mappings?: readonly string[] | undefined;
}

/** A credential, and the name that replaces it in output. */
export interface NamedSecret {
  /** Such as `env_file: API_KEY`. */
  readonly name: string;
  readonly value: string;
}

export type RetrievalResult = "hits" | "text";

/** The tools that one entry of an agent's file provides. */
export interface OpenedTools {
  readonly tools: readonly AnyTool[];
  /** Instructions about the tools, which follow the agent's own. */
  readonly instructions?: string | undefined;
  /** Releases processes, connections and files. Never rejects. */
  close(): Promise<void>;
}

/** The agent and project that an entry belongs to. */
export interface ToolKindContext {
  /** The folder of the agent's file. Relative paths start here. */
  readonly baseDir: string;
  readonly projectDir: string;
  /** The folder for the project's state, such as `.bridle`. */
  readonly stateDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
  /** Aborted when opening is cancelled. */
  readonly signal?: AbortSignal | undefined;
  /** How modules of the user are loaded. */
  readonly loading?: ModuleLoading | undefined;
  /**
   * Whether a script plays the model. Contract: a kind then sends nothing from this machine. It replaces the data that
   * it would send, or throws a ConfigError that explains why it cannot. Default: false.
   */
  readonly isRehearsed?: boolean | undefined;
  /** Services of the agent's runtime that tools can use. */
  readonly services?: ToolServices | undefined;
}

/** The context for opening an entry. */
export interface ToolOpeningContext extends ToolKindContext {
  /** The proof that the agent's file is trusted. A kind that starts a program for the entry needs it. */
  readonly trusted: TrustedFolder;
}

/** How modules of the user are loaded. */
export interface ModuleLoading {
  /** Registers a listener for errors that nothing caught; returns a function that removes it. Default: none. */
  onFault?(listener: (error: unknown) => void): () => void;
  /** Folders of the program itself, which are left out of stack traces. */
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
  /** Whether there is an embedder, without creating it. Rejects with a ConfigError if it could not be created. */
  hasEmbedder?(choice: {
    readonly model?: string | undefined;
    readonly dimensions?: number | undefined;
  }): Promise<boolean>;
  /** The agent's runtime, for tools that ask a model. Called when a model is needed, not before. */
  readonly runtime?: (() => TextGenerator | Promise<TextGenerator>) | undefined;
  /**
   * Opens a model that the entry names itself, with the keys of an agent's `model`. Its host is reached with the first request.
   * In a rehearsal the script answers. Requests reject with a ConfigError if the model's settings cannot work.
   */
  openGenerator?(model: { readonly provider: string; readonly name: string }): ClosableGenerator;
}

/** A generator that belongs to its user, who closes it. */
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
