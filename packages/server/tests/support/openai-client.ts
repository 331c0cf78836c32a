import OpenAI from "openai";
import { type DeskModel, startDesk } from "./protocol-desk.ts";

type Desk = Awaited<ReturnType<typeof startDesk>>;

/** Starts a desk, and opens the official OpenAI client, which uses the desk as if it were OpenAI. */
export async function openOpenAi(model?: DeskModel, given?: Desk) {
  const desk = given ?? (await startDesk(model));
  const { url, token } = desk.server;
  return { ...desk, client: new OpenAI({ baseURL: `${url}/openai/v1`, apiKey: token, maxRetries: 0 }) };
}
