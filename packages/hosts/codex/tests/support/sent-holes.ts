/** Finds content that nobody passed in the requests of a run among traps. */
import type { RecordedRequest } from "@bridle/rehearsal";
import { z } from "zod";
import type { CodexAuthMode } from "../../src/options.ts";
import { findSentAdditions } from "../../src/proof/sent-input.ts";
import { trapPrompt, trapWord, variableWords } from "../../src/proof/traps.ts";

/** The content that requests may contain. */
export interface ExpectedRequests {
  readonly auth: CodexAuthMode;
  readonly instructions: string;
  readonly tools: readonly string[];
  /** The result of the tool `look`. */
  readonly result: string;
  /** The folder in which the run works. */
  readonly project: string;
}

const output = z.looseObject({
  type: z.enum(["function_call_output", "custom_tool_call_output"]),
  call_id: z.string(),
  output: z.unknown(),
});
const call = z.looseObject({
  type: z.enum(["function_call", "custom_tool_call"]),
  call_id: z.string(),
  name: z.string(),
});
const conversation = z.looseObject({ input: z.array(z.unknown()) });

/** Lists unexpected content. Empty if the requests contain only expected content. */
export function findSentHoles(requests: readonly RecordedRequest[], expected: ExpectedRequests): string[] {
  const { auth, instructions, tools, project } = expected;
  const sent = requests.filter(({ method, path }) => method === "POST" && path.endsWith("/responses"));
  const others = requests.filter(
    (request) => !sent.includes(request) && !request.path.startsWith("/backend-api/wham/"),
  );
  const text = JSON.stringify(sent.map(({ body }) => body));
  const payer = auth === "session" ? /^Bearer eyJ/ : /^Bearer sk-of-the-test$/;
  return [
    ...(sent.length === 2 ? [] : [`${sent.length} requests were sent, not 2`]),
    ...others.map(({ path }) => `${path} was requested`),
    ...sent.flatMap(({ body }) =>
      findSentAdditions(body, { instructions, prompt: trapPrompt, tools }).map((hole) =>
        hole.startsWith("a text was added") ? "a text was added" : hole,
      ),
    ),
    ...(text.includes(trapWord) ? ["a text of a trap was sent"] : []),
    ...(sent.some((request) => besidesInput(request).includes(project)) ? ["the folder's path was sent"] : []),
    ...variableWords.filter((word) => JSON.stringify(requests).includes(word)).map((word) => `${word} was sent`),
    ...(sent.every(({ headers }) => payer.test(String(headers.authorization))) ? [] : ["another account pays"]),
    ...findAnswers(sent.at(-1)?.body, expected),
  ];
}

/** Returns a request as text, without the passed text and results, because they may contain a path. */
function besidesInput({ headers, body }: RecordedRequest): string {
  const { input: _, ...others } = conversation.catch({ input: [] }).parse(body);
  return JSON.stringify([headers, others]);
}

/** Lists calls of Codex's own tools that were not refused, and results of our tool that were changed. */
function findAnswers(body: unknown, { tools, result }: ExpectedRequests): string[] {
  const { input } = conversation.catch({ input: [] }).parse(body);
  const names = new Map(input.flatMap((item) => parsedOr(call, item).map(({ call_id, name }) => [call_id, name])));
  return input
    .flatMap((item) => parsedOr(output, item))
    .flatMap(({ call_id, output: answer }) => {
      const [name, words] = [names.get(call_id) ?? "", typeof answer === "string" ? answer : JSON.stringify(answer)];
      if (name === "look") return words === result ? [] : ["a result was changed"];
      return tools.includes(name) || /^unsupported (custom tool )?call/.test(words) ? [] : [`${name} was answered`];
    });
}

function parsedOr<T>(schema: z.ZodType<T>, item: unknown): T[] {
  const parsed = schema.safeParse(item);
  return parsed.success ? [parsed.data] : [];
}
