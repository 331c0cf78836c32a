import { NetworkError } from "@bridle/protocol";
import type { z } from "zod";
import { sendRest } from "../../../rest/rest-request.ts";
import { parseServiceAddress } from "../../../rest/service-address.ts";
import type { BigQueryConfig } from "../bigquery-settings.ts";
import type { AccessTokens } from "../login/access-token.ts";
import { isTransient, readBigQueryFailure } from "./failures.ts";

const service = { product: "BigQuery", isTransient };

/** A request to the API. The parts of its path may contain any characters. */
export interface BigQueryRequest {
  readonly path: readonly string[];
  /** The text after the last part of the path, such as `:testIamPermissions`. */
  readonly verb?: string | undefined;
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  /** The body. A request with a body is sent as a POST. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Sends requests to BigQuery's API, version 2. */
export class BigQueryClient {
  readonly project: string;
  readonly tokens: AccessTokens;
  /** The number of statements that were sent for callers. */
  statements = 0;
  /** How many milliseconds the answer to a request may take. If undefined, the longer limit of an open connection applies. */
  answerMs: number | undefined;
  readonly #endpoint: URL;

  constructor({ project, endpoint = "https://bigquery.googleapis.com" }: BigQueryConfig, tokens: AccessTokens) {
    this.project = project;
    this.tokens = tokens;
    this.#endpoint = parseServiceAddress(endpoint, "endpoint");
  }

  /** @throws BigQueryFailure if BigQuery refuses the request, NetworkError, ConfigError, AuthenticationError */
  async send<Schema extends z.ZodType>(request: BigQueryRequest, schema: Schema): Promise<z.output<Schema>> {
    let answer = await this.#post(request);
    if (answer.status === 401 && this.tokens.canRenew) {
      this.tokens.drop();
      answer = await this.#post(request);
    }
    if (answer.status >= 400) throw readBigQueryFailure(answer);
    return parseAnswer(answer.text, schema);
  }

  async #post({ path, verb = "", query = {}, body, signal }: BigQueryRequest) {
    const url = new URL(`/bigquery/v2/projects/${path.map(encodeURIComponent).join("/")}${verb}`, this.#endpoint);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    const headers = {
      Authorization: `Bearer ${await this.tokens.take(this.answerMs)}`,
      Accept: "application/json",
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    };
    const content = body === undefined ? undefined : JSON.stringify(body);
    const method = body === undefined ? "GET" : "POST";
    return sendRest({ method, url, headers, body: content, signal, answerMs: this.answerMs }, service);
  }
}

function parseAnswer<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new NetworkError("BigQuery sent an answer that cannot be read. Try again, or check endpoint.", { cause });
  }
}
