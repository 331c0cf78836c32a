/**
 * Reads the input that a Codex request gives to the model. The check is strict: everything that is not known here counts as an addition.
 */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

const tool = z.looseObject({ type: z.string(), name: z.string().optional(), tools: z.array(z.unknown()).optional() });
const request = z.looseObject({
  instructions: z.string().optional(),
  input: z.array(
    z.looseObject({
      type: z.string(),
      role: z.string().optional(),
      content: z.unknown().optional(),
      tools: z.array(tool).optional(),
    }),
  ),
  tools: z.array(tool).optional(),
});

/** The content that a request may contain. */
export interface ExpectedInput {
  readonly instructions: string;
  readonly prompt: string;
  readonly tools: readonly string[];
}

/** Kinds of items for the model's own earlier answers, and for the results of its calls. */
const answers = ["reasoning", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output"];

/** Lists the content that a request has beyond the expected input. Empty if there is none. */
export function findSentAdditions(body: unknown, expected: ExpectedInput): string[] {
  const parsed = request.safeParse(body);
  if (!parsed.success) return [`a request has another form: ${z.prettifyError(parsed.error)}`];
  const { instructions = "", input, tools = [] } = parsed.data;
  const names = [...tools, ...input.flatMap((item) => item.tools ?? [])].flatMap(namesOf);
  const others = input.filter(
    ({ type, role }) => !(answers.includes(type) || type === "additional_tools" || role === "assistant"),
  );
  const wanted = [text("developer", expected.instructions), text("user", expected.prompt)];
  const texts = others.map(({ type, role, content }) => ({ type, role, content }));
  return [
    ...(instructions === "" ? [] : ["the request has instructions of Codex"]),
    ...names.filter((name) => !expected.tools.includes(name)).map((name) => `the tool ${name} is offered`),
    ...texts
      .filter((item) => !wanted.some((each) => isDeepStrictEqual(each, item)))
      .map((item) => `a text was added: ${JSON.stringify(item).slice(0, 300)}`),
    ...wanted
      .filter((each) => !texts.some((item) => isDeepStrictEqual(each, item)))
      .map(({ role }) => `the text of the role ${role} is missing or another`),
  ];
}

function text(role: "developer" | "user", words: string) {
  return { type: "message", role, content: [{ type: "input_text", text: words }] };
}

/** Returns the names of a tool, or of the tools in a namespace. A tool that the service runs has only a type. */
function namesOf({ type, name, tools }: z.infer<typeof tool>): string[] {
  if (tools === undefined) return [name ?? type];
  return z.array(tool).parse(tools).flatMap(namesOf);
}
